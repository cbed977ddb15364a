"""Where the resident process listens, a socket in a folder of the user's own, and how long."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from hashlib import sha256
from pathlib import Path

PACKAGE = Path(__file__).parents[2]
IDLE_SECONDS = 1800.0


def socket_path() -> Path | None:
    """Return the socket for this Python and this engine; None where the folder is not the user's own, or none can be.

    The folder is not made here.
    """
    if sys.platform != "linux":
        return None
    home = os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir()
    folder = Path(home) / f"attend-{os.getuid()}"
    own = sha256(f"{sys.executable}\0{PACKAGE}".encode()).hexdigest()[:16]
    return folder / f"{own}.socket" if _is_private(folder) else None


def _is_private(folder: Path) -> bool:
    """Return whether nobody else can put anything into a folder, or none is there yet."""
    try:
        found = folder.lstat()
    except OSError:
        return not folder.is_symlink()
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077


def stamp() -> str:
    """Return a digest of which files the engine has, and when each was changed."""
    found = sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        seen = path.stat()
        found.update(f"{path}\0{seen.st_mtime_ns}\0{seen.st_size}\n".encode())
    return found.hexdigest()
