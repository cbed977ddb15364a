"""Work on untrusted bytes in a process of its own, with limits on time and memory."""

from __future__ import annotations

import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec

from autograder.core import interrupts
from autograder.core.encoded import as_json
from autograder.core.text import one_line
from autograder.intake.archive import MIB

PLAINLY = "hand in code as a person would write it"
DONE, FAILED = b"+", b"-"
MORE_TRIES = 2  # for what someone kills
T = TypeVar("T")


class NotDoneError(Exception):
    """The work went over its bounds, or failed; the message completes the sentence "NAME ..."."""


@dataclass(frozen=True)
class Bounds:
    """The limits of a process: memory beyond what it starts with, processor time, and time by the clock."""

    memory_bytes: int = 1024 * MIB
    seconds: int = 20
    clock_seconds: int = 600


BOUNDS = Bounds()


def bounded(work: Callable[[], T], kind: type[T], bounds: Bounds = BOUNDS) -> T:
    """Return the result of `work`, which a child process sends as JSON.

    Without `fork` the work runs in this process, which only catches its exceptions.

    Args:
        kind: the type of the result.

    Raises:
        NotDoneError: the work went over its bounds, or raised anything.
    """
    (found,) = each_bounded([work], kind, bounds)
    if isinstance(found, NotDoneError):
        raise found
    return found


def each_bounded(
    works: Iterable[Callable[[], T]], kind: type[T], bounds: Bounds = BOUNDS, jobs: int = 1
) -> Generator[T | NotDoneError]:
    """Yield what `bounded` returns or raises for each of `works`, in their order; `jobs` of them run at a time."""
    running: deque[_Child] = deque()
    try:
        for work in works:
            interrupts.raise_if_noted()
            if not hasattr(os, "fork"):
                yield _read(_outcome(work, bounds), kind)
                continue
            with interrupts.held():
                running.append(_Child(work, bounds))
            if len(running) == jobs:
                yield _read(running.popleft().outcome(), kind)
        while running:
            yield _read(running.popleft().outcome(), kind)
    finally:
        for child in running:
            child.end()


def _read(outcome: bytes, kind: type[T]) -> T | NotDoneError:
    if not outcome.startswith(DONE):
        return NotDoneError(outcome.removeprefix(FAILED).decode())
    return msgspec.json.decode(outcome[1:], type=kind)


def _outcome(work: Callable[[], Any], bounds: Bounds) -> bytes:
    """Return DONE and the result, or FAILED and the reason."""
    try:
        return DONE + as_json(work())
    except MemoryError:
        return FAILED + _too_large(bounds).encode()
    except Exception as error:  # on hostile bytes, any kind
        why = one_line(f"{type(error).__name__}: {error}", 200)
        return FAILED + f"cannot be read ({why}); {PLAINLY}".encode()


class _Child:
    """A process that does some work within bounds."""

    def __init__(self, work: Callable[[], Any], bounds: Bounds) -> None:
        self._work, self._bounds = work, bounds
        self._start()

    def _start(self) -> None:
        self._reader, writer = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            _work(self._work, self._bounds, writer)
        os.close(writer)

    def outcome(self) -> bytes:
        """Return what the work came to, when it has ended; work that someone kills is done again."""
        outcome, status, seconds = self._wait()
        for _ in range(MORE_TRIES):
            if not _is_killed(status, seconds, self._bounds):
                break
            with interrupts.held():
                self._start()
            outcome, status, seconds = self._wait()
        return outcome if status == 0 else FAILED + _ended(status, seconds, self._bounds).encode()

    def _wait(self) -> tuple[bytes, int, float]:
        """Return what the process wrote before it ended, its status and its seconds of processor time."""
        status = None
        try:
            with open(self._reader, "rb", closefd=False) as pipe:
                outcome = pipe.read()
            _, status, usage = os.wait4(self._pid, 0)
            os.close(self._reader)
        finally:
            if status is None:  # interrupted
                self.end()
        return outcome, status, usage.ru_utime + usage.ru_stime

    def end(self) -> None:
        """End the work, whatever it came to."""
        os.close(self._reader)
        with suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)


def _work(work: Callable[[], Any], bounds: Bounds, writer: int) -> None:
    """Do the child's work, and exit without running the parent's clean-up."""
    status = 1
    try:
        _limit(bounds)
        outcome = _outcome(work, bounds)
        with open(writer, "wb") as pipe:
            pipe.write(outcome)
        status = 0
    finally:
        os._exit(status)


def _limit(bounds: Bounds) -> None:
    import resource  # exists wherever fork does

    from autograder.sandbox import walls

    walls.die_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interruption means
    for ends in (signal.SIGXCPU, signal.SIGALRM):
        signal.signal(ends, signal.SIG_DFL)
    signal.alarm(bounds.clock_seconds)
    walls.at_most(resource.RLIMIT_CORE, 0)
    walls.at_most(resource.RLIMIT_CPU, bounds.seconds)
    if sys.platform == "linux":
        walls.at_most(resource.RLIMIT_AS, walls.own_memory() + bounds.memory_bytes)


def _is_killed(status: int, seconds: float, bounds: Bounds) -> bool:
    """Return whether someone killed the process: the kernel itself kills only one that is over its time."""
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL and seconds < bounds.seconds


def _ended(status: int, seconds: float, bounds: Bounds) -> str:
    """Return why the process ended without an outcome."""
    if _is_killed(status, seconds, bounds):
        return "was not read, as the system killed what reads it again and again; free some memory, and grade again"
    killed_by = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    if killed_by in (signal.SIGXCPU, signal.SIGALRM, signal.SIGKILL):
        return f"takes longer than {bounds.seconds} s to read; {PLAINLY}"
    return _too_large(bounds)  # a process without memory ends in many ways


def _too_large(bounds: Bounds) -> str:
    return f"takes more than {bounds.memory_bytes // MIB} MiB of memory to read; {PLAINLY}"
