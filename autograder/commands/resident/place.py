"""Where the resident process listens, a socket in a folder of the user's own, and how long."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from zlib import crc32

PACKAGE = Path(__file__).parents[2]
IDLE_SECONDS = 1800.0


def socket_path() -> Path | None:
    """Return the socket for this Python and this engine; None where the folder is not the user's own, or none can be.

    The folder is not made here.
    """
    if sys.platform != "linux":
        return None
    folder = Path(os.environ.get("XDG_RUNTIME_DIR") or _temporary()) / f"attend-{os.getuid()}"
    own = crc32(f"{sys.executable}\0{PACKAGE}".encode())
    return folder / f"{own:08x}.socket" if _is_private(folder) else None


def _temporary() -> str:
    from tempfile import gettempdir  # it loads much, for a folder that is seldom needed

    return gettempdir()


def _is_private(folder: Path) -> bool:
    """Return whether nobody else can put anything into a folder, or none is there yet."""
    try:
        found = folder.lstat()
    except OSError:
        return not folder.is_symlink()
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077
