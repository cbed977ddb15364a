"""`attend warm`: start and stop the resident process."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from autograder.commands.resident.forward import IDLE_SECONDS, RUNS, send, socket_path
from autograder.core.errors import AttendError, UsageError

SINCE = f"torch stays loaded until {IDLE_SECONDS / 60:g} minutes after its last use"
STOP = "`attend warm --stop` frees its memory"
ANSWER_SECONDS = 5.0


def start() -> str:
    """Start the resident process, unless it runs, and return what to tell.

    Raises:
        UsageError: this system is not Linux, or the folder of the socket belongs to someone else.
        AttendError: it does not start.
    """
    path = _path()
    if _answers(path):
        return f"already loaded: {SINCE}; {STOP}"
    path.parent.mkdir(mode=0o700, exist_ok=True)
    command = [sys.executable, "-P", "-m", "autograder.commands.resident.server"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode:
        why = done.stderr.strip().rpartition("\n")[2]
        raise AttendError(f"the process for torch does not start: {why}; `attend doctor` examines this installation")
    return f"{SINCE}; {STOP}"


def stop() -> str:
    """Stop the resident process, and return what to tell.

    Raises:
        UsageError: this system is not Linux, or the folder of the socket belongs to someone else.
    """
    server = _connected(_path())
    if server is None:
        return "nothing to stop: no process has torch loaded"
    with server, suppress(OSError):
        send(server, {"stop": True})
        server.recv(1)  # until it has closed
    return "stopped; `attend check` loads torch again each time"


def _path() -> Path:
    if sys.platform != "linux":
        raise UsageError("`attend warm` needs Linux, or Windows with WSL; `attend watch` keeps torch loaded everywhere")
    path = socket_path()
    if path is None:
        raise UsageError(f"a folder attend-{os.getuid()} is there, but not yours alone; set XDG_RUNTIME_DIR to another")
    return path


def _answers(path: Path) -> bool:
    """Return whether a resident process goes on; one whose engine has changed ends now."""
    server = _connected(path)
    if server is None:
        return False
    server.settimeout(ANSWER_SECONDS)
    with server, suppress(OSError):
        send(server, {})
        return server.recv(1) == RUNS
    return False


def _connected(path: Path) -> socket.socket | None:
    server = socket.socket(socket.AF_UNIX)
    try:
        server.connect(str(path))
    except OSError:
        server.close()
        return None
    return server
