"""A worker loads one chapter of a student and answers calls of it, behind walls.

It gets inputs, one call at a time, and sends back what the call shows. Only the judge knows the right answers and their
points, so there is nothing here worth forging.
"""

from __future__ import annotations

import errno
import mmap
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from types import ModuleType
from typing import Any, Final, Never

from autograder.calls.loading import OutOfTimeError, Runner, Unfinished, load
from autograder.calls.observe import observe
from autograder.calls.raised import describe
from autograder.calls.records import Observation, Raised
from autograder.calls.text_importer import PACKAGE, TextImporter
from autograder.internals import settings
from autograder.internals.forbid import standing
from autograder.sandbox import walls
from autograder.sandbox.control import FAULT_BYTES, Setup, Share, Walls
from autograder.sandbox.frames import PREFIX, lengths
from autograder.sandbox.reach import reachable
from autograder.sandbox.wire import Answer, Ask, Failed, Load, Loaded, Reply, decode_request, encode_reply

MOMENT: Final = 0.25  # seconds for each statement when the time for a file is over
_RESERVE_BYTES: Final = 32 << 20  # kept from the student's code, for what the worker does between two calls


def main(setup: Setup, wanted: Walls, channel: int, share: Share, fault: int) -> Never:
    """Become a worker: put up the walls, then serve the judge on `channel` until the supervisor ends this process.

    A wall that fails is told through the pipe `fault`, which is closed before anything of a student arrives.
    """
    judge = socket.socket(fileno=channel)
    judge.settimeout(None)
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        more = share._replace(memory_bytes=share.memory_bytes + _RESERVE_BYTES)
        walls.put_up(wanted, setup, channel, more, fault)
    except BaseException as error:
        os.write(fault, f"{type(error).__name__}: {error}".encode(errors="replace")[:FAULT_BYTES])
        os._exit(1)
    os.close(fault)
    sys.addaudithook(_refuse_shell)
    try:
        with standing():
            _serve(judge)
    finally:
        _hang_up()


def _hang_up() -> Never:
    """Close all files and wait to be killed: an exit would look like the student's own."""
    os.closerange(3, 1 << 16)
    while True:
        with suppress(BaseException):
            time.sleep(3600)


def _refuse_shell(event: str, _: tuple[Any, ...]) -> None:
    """Raise for `os.system`, which behind a wall would only return another number."""
    if event == "os.system":
        raise PermissionError(errno.EPERM, "no program can be started", "os.system")


def _serve(judge: socket.socket) -> None:
    namespace: dict[str, Any] = {}
    while prefix := _read(judge, PREFIX.size):
        header, body = (_read(judge, size) for size in lengths(prefix))
        judge.sendall(replied(header, body, namespace))


def replied(header: bytes, body: bytes, namespace: dict[str, Any]) -> bytes:
    """Return the frame that answers the judge's request; a chapter that is loaded fills `namespace`."""
    settings.reset()
    request = decode_request(header, body)
    return _encoded(_load(request, namespace) if isinstance(request, Load) else _answer(request, namespace))


def _load(request: Load, namespace: dict[str, Any]) -> Reply:
    filename = f"{request.chapter}.py"
    module = ModuleType(request.chapter)
    module.__file__ = filename
    sys.modules[request.chapter] = module
    sys.argv[:] = [filename]  # what an answer may read is what it would have if it were started
    stopped, run = list[Unfinished](), _within(request.seconds)
    importer = TextImporter(request.beside, stopped, run, _Nothing)
    if request.beside:
        importer.__enter__()
        module.__package__ = PACKAGE
    try:
        with reachable(), _reserve():
            stopped += load(request.source, filename, module.__dict__, run, _Nothing)
    except SyntaxError as error:
        return Failed(False, _uncompiled(error))
    except BaseException as error:
        return Failed(True, describe(error))
    namespace.update(module.__dict__)
    importer.within_calls()
    return Loaded.but_for(stopped)


def _reserve() -> mmap.mmap:
    """Take the memory that is needed after the call; where it is not free, the call fails for want of memory."""
    return mmap.mmap(-1, _RESERVE_BYTES, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)


class _Nothing(BaseException):
    """No exception ends the loading of a file."""


def _within(seconds: float) -> Runner:
    """Return what runs statements until so many seconds from now in all, and each later one for a moment."""
    ends = time.monotonic() + seconds
    depth = 0

    def run(action: Callable[[], None]) -> None:
        nonlocal depth
        before = signal.signal(signal.SIGALRM, _stop)
        depth += 1
        try:
            signal.setitimer(signal.ITIMER_REAL, max(ends - time.monotonic(), MOMENT))
            action()
        finally:
            depth -= 1
            signal.setitimer(signal.ITIMER_REAL, MOMENT + max(ends - time.monotonic(), 0) if depth else 0)
            if signal.getsignal(signal.SIGALRM) is _stop:
                signal.signal(signal.SIGALRM, before)

    def _stop(*_: object) -> None:
        raise OutOfTimeError(f"still running after {seconds:g} s")

    return run


def _uncompiled(error: BaseException) -> Raised:
    seen = describe(error)
    if not isinstance(error, SyntaxError):
        return seen
    return Raised(seen.kind, seen.bases, error.msg, error.lineno, (error.text or "").strip())


def _answer(request: Ask, namespace: dict[str, Any]) -> Answer:
    try:
        with reachable(), _reserve():
            observation = observe(namespace, request.call)
    except BaseException as error:  # KeyboardInterrupt, which `observe` lets through
        observation = Observation(result=describe(error))
    return Answer(request.number, observation)


def _encoded(reply: Reply) -> bytes:
    try:
        return encode_reply(reply)
    except BaseException as error:
        if not isinstance(reply, Answer):
            raise
        return encode_reply(Answer(reply.number, Observation(result=describe(error))))


def _read(judge: socket.socket, size: int) -> bytes:
    """Return exactly `size` bytes, or none at the end."""
    data = bytearray(size)
    view = memoryview(data)
    while view:
        count = judge.recv_into(view)
        if not count:
            return b""
        view = view[count:]
    return bytes(data)
