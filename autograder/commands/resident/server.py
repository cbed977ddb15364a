"""`python -m autograder.commands.resident.server`: load torch, then fork a process for each command that is asked for.

The process that listens runs no answer and reads no course: each command loads that itself, so that nothing is stale.
"""

from __future__ import annotations

import gc
import io
import json
import os
import signal
import socket
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Never

import msgspec

from autograder.commands.resident.forward import IDLE_SECONDS, INTERRUPT, PACKAGE, RUNS, STREAMS, socket_path

PATIENCE_SECONDS = 5.0
MOST_BYTES = 8 << 20


class _Request(msgspec.Struct, frozen=True):
    """What a client asks for: to run a command as it would run there, to stop, or only to answer."""

    args: list[str] | None = None
    folder: str = "/"
    environment: dict[str, str] = {}
    stop: bool = False


def serve(path: Path, idle: float = IDLE_SECONDS, ready: Callable[[], None] = lambda: None) -> None:
    """Serve requests at `path` until one says stop, none comes for `idle` seconds, or the engine has changed.

    Args:
        ready: called when requests are heard.
    """
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel reaps the children
    with socket.socket(socket.AF_UNIX) as listener:
        path.unlink(missing_ok=True)
        listener.bind(str(path))
        own = path.stat().st_ino
        listener.listen()
        ready()
        try:
            _answer_all(listener, idle)
        finally:
            if path.exists() and path.stat().st_ino == own:
                path.unlink()


def _answer_all(listener: socket.socket, idle: float) -> None:
    known, goes_on = stamp(), True
    listener.settimeout(idle)
    while goes_on:
        try:
            connection, _ = listener.accept()
        except TimeoutError:
            return
        with connection, suppress(OSError, ValueError, TypeError):  # a client that ends, or is none, ends nothing here
            goes_on = stamp() == known and _answer(connection, listener)


def stamp() -> str:
    """Return a digest of which files the engine has, and when each was changed."""
    found = sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        seen = path.stat()
        found.update(f"{path}\0{seen.st_mtime_ns}\0{seen.st_size}\n".encode())
    return found.hexdigest()


def _answer(connection: socket.socket, listener: socket.socket) -> bool:
    """Answer one request, and return whether to go on."""
    connection.settimeout(PATIENCE_SECONDS)
    size, streams, _, _ = socket.recv_fds(connection, 4, len(STREAMS))
    try:
        request = _received(connection, int.from_bytes(size, "big"))
        if request.stop:
            return False
        connection.settimeout(None)
        connection.sendall(RUNS)
        if request.args is not None and os.fork() == 0:
            listener.close()
            _run(connection, request, streams)
    finally:
        for stream in streams:
            os.close(stream)
    return True


def _received(connection: socket.socket, size: int) -> _Request:
    """Return the request of `size` bytes that comes next.

    Raises:
        ValueError: it is none, or too long.
    """
    data = bytearray()
    if size > MOST_BYTES:
        raise ValueError("it is too long")
    while len(data) < size and (more := connection.recv(size - len(data))):
        data += more
    return request_of(bytes(data))


def request_of(data: bytes) -> _Request:
    """Return the request in JSON, whose texts may hold bytes that are no UTF-8.

    Raises:
        ValueError: it is none.
    """
    try:
        return msgspec.convert(json.loads(data), _Request)
    except (msgspec.ValidationError, RecursionError) as error:
        raise ValueError(str(error)) from error


def _run(connection: socket.socket, request: _Request, streams: list[int]) -> Never:
    """Become the command that is asked for."""
    status = 1
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        threading.Thread(target=_obey, args=(connection,), daemon=True).start()
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        _open_streams()
        os.chdir(request.folder)
        os.environ.clear()
        os.environ.update(request.environment)
        sys.argv = ["attend", *(request.args or ())]
        status = _status()
    finally:
        for leave in (sys.stdout.flush, sys.stderr.flush, partial(connection.sendall, bytes([status]))):
            with suppress(Exception):  # the client may be gone
                leave()
        os._exit(status)


def _status() -> int:
    """Return the exit status of the command in `sys.argv`."""
    from autograder.core.interrupts import end_while_loading

    end_while_loading()
    from autograder.commands.cli import main

    try:
        main()
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return (end.code or 0) & 0xFF
        print(end.code, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def _obey(connection: socket.socket) -> None:
    """Interrupt the command when the client says so, and end it with the client."""
    while connection.recv(1) == INTERRUPT:
        os.kill(os.getpid(), signal.SIGINT)
    os.kill(os.getpid(), signal.SIGTERM)


def _open_streams() -> None:
    """Make the streams of Python anew, as they look at what they write to when they are made."""
    coding = sys.stdin.encoding
    sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(0, closefd=False)), encoding=coding)
    for name, number in (("stdout", 1), ("stderr", 2)):
        raw = io.FileIO(number, "w", closefd=False)
        lines = number == 2 or raw.isatty()
        made = io.TextIOWrapper(io.BufferedWriter(raw), encoding=coding, line_buffering=lines)
        for each in (name, f"__{name}__"):  # the second keeps it open where the first is replaced
            setattr(sys, each, made)


def load() -> None:
    """Load what checks need but the commands, which look at their terminal when they are loaded."""
    import numpy.random  # noqa: F401
    import typer
    from rich import padding, progress, table  # noqa: F401

    from autograder.student import check

    check.load()
    from autograder.calls import local  # noqa: F401
    from autograder.internals import library
    from autograder.internals.grading_mode import grading_mode
    from autograder.internals.kernels import prefer_native
    from autograder.suite.suites import run_pytest

    prefer_native()  # for good: the forks that run the commands then need not
    with grading_mode():
        library.prepare()
    rehearsal = typer.Typer()
    rehearsal.command()(_nothing)
    rehearsal([], standalone_mode=False)
    with tempfile.TemporaryDirectory() as folder:
        run_pytest([folder, "-c", os.devnull, "--noconftest", "-pno:terminal", "-pno:cacheprovider"])
    gc.collect()
    gc.freeze()


def _nothing(folder: Path | None = None) -> None:
    """Do nothing; what typer loads for an option is loaded then."""


def _go_on_alone() -> None:
    """End the process that was started, and go on in another one without its session and streams."""
    if os.fork():
        os._exit(0)
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in STREAMS:
        os.dup2(nothing, number)
    os.close(nothing)


if __name__ == "__main__":
    os.chdir("/")
    load()
    place = socket_path()
    assert place
    serve(place, ready=_go_on_alone)
