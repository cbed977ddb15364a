"""Run a command in the resident process, if there is one: with this terminal, folder and environment."""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
from collections.abc import Sequence

from autograder.commands.resident.place import socket_path

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
