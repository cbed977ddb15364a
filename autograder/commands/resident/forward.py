"""Run a command in the resident process, if there is one: with this terminal, folder and environment.

The process listens at a socket in a folder of the user's own.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import stat
import sys
from collections.abc import Sequence
from pathlib import Path
from zlib import crc32

PACKAGE = Path(__file__).parents[2]
IDLE_SECONDS = 1800.0
RUN_THERE = ("check", "show")
"""Commands that load torch, and end."""
INTERRUPT, RUNS = b"i", b"r"
STREAMS = (0, 1, 2)
LOST = "attend: the process that had torch loaded was lost; try again, or free its memory with `attend warm --stop`"


def ask(args: Sequence[str]) -> int | None:
    """Return the exit status of a command that the resident process ran; None if it must run here.

    Ctrl-C goes to the command. If this process ends, the command does too.
    """
    path = socket_path() if args and args[0] in RUN_THERE else None
    if path is None or not path.is_socket():
        return None
    with socket.socket(socket.AF_UNIX) as server:
        try:
            server.connect(str(path))
            send(server, {"args": args, "folder": os.getcwd(), "environment": dict(os.environ)}, STREAMS)
            if server.recv(1) != RUNS:
                return None
        except OSError:  # it has just ended, or this process has no standard input
            return None
        return _status(server)


def _status(server: socket.socket) -> int:
    """Return the status that comes when the command has ended."""
    asked: list[int] = []

    def interrupt(number: int, _: object) -> None:
        asked.append(number)
        server.send(INTERRUPT)

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        found = server.recv(1)
    except OSError:
        found = b""
    finally:
        signal.signal(signal.SIGINT, before)
    if found:
        return found[0]
    if asked:  # it was still loading, and has told so
        return 128 + signal.SIGINT
    print(LOST, file=sys.stderr)
    return 1


def send(server: socket.socket, request: dict[str, object], streams: Sequence[int] = ()) -> None:
    """Send a request, with open files."""
    data = json.dumps(request).encode()
    socket.send_fds(server, [len(data).to_bytes(4, "big")], list(streams))
    server.sendall(data)


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
    """Return whether only this user can write to a folder, or it does not exist yet."""
    try:
        found = folder.lstat()
    except OSError:
        return not folder.is_symlink()
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077
