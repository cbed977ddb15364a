"""Handles on templates and workers, for the judge: sockets with deadlines."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from autograder.core.errors import AttendError, SandboxError
from autograder.sandbox import launch
from autograder.sandbox.control import ENDINGS, FAULT, FAULT_BYTES, READY, SPAWN, EndingKind
from autograder.sandbox.frames import HEADER_CAP, PREFIX, lengths, without_body
from autograder.sandbox.nodes import ProtocolError

_READY_SECONDS = 60.0  # a template's time to fork a worker, and a worker's to put up its walls
_NOTICE_SECONDS = 1.0  # a supervisor's time to notice that its worker has ended
_GRACE_SECONDS = 10.0  # the kernel's time to end a worker with all its memory


class GraderFaultError(AttendError):
    """The machinery failed, not the student; the check counts as `grader_error`."""


class SandboxLostError(GraderFaultError):
    """The sandbox is lost, so nothing else can be graded."""


@dataclass(frozen=True)
class Ending:
    """The end of a worker; `code` is its exit status, or the signal that killed it."""

    kind: EndingKind
    code: int


class Worker:
    """One worker, seen from the judge."""

    def __init__(self, channel: socket.socket, supervisor: socket.socket) -> None:
        self._channel = channel
        self._supervisor = supervisor

    def wait_until_ready(self) -> None:
        """Wait until the walls are up. So far no code of a student has run.

        Raises:
            GraderFaultError: a wall could not be put up.
            EOFError: the worker's supervisor has ended.
            OSError: it says nothing in time.
        """
        self._supervisor.settimeout(_READY_SECONDS)
        said = self._supervisor.recv(1)
        if said == FAULT:
            failed = self._supervisor.recv(FAULT_BYTES).decode(errors="replace")
            raise GraderFaultError(f"a wall of the sandbox could not be put up ({failed}); run `attend doctor`")
        if said != READY:
            raise EOFError

    def exchange(self, frame: bytes, seconds: float, body_cap: int) -> bytes:
        """Send a request's frame and return the reply's.

        A body of more than `body_cap` bytes stays unread; the caller must then kill the worker.

        Raises:
            TimeoutError: there was no reply within `seconds`.
            EOFError: the worker has ended, or closed its side; `ending` says how.
            ProtocolError: the worker sent something unasked, or a header of more than `body_cap` bytes or 4 MB.
        """
        deadline = time.monotonic() + seconds
        self._nothing_unasked()
        try:
            self._send(frame, deadline)
            prefix = self._receive(PREFIX.size, deadline)
            header, body = lengths(prefix, min(HEADER_CAP, body_cap))
            if body > body_cap:
                return without_body(self._receive(header, deadline))
            return prefix + self._receive(header + body, deadline)
        except ConnectionError as error:
            raise EOFError from error

    def ending(self) -> Ending | None:
        """Return how the worker ended, killing it if it runs; None if its supervisor is lost as well."""
        words = self._last_words(_NOTICE_SECONDS) or self._killed()
        self.close()
        return Ending(ENDINGS[words[:1]], words[1]) if len(words) == 2 and words[:1] in ENDINGS else None

    def kill(self) -> None:
        """End the worker and all it started, and wait until they are gone."""
        self._killed()
        self.close()

    def _killed(self) -> bytes:
        with contextlib.suppress(OSError):
            self._supervisor.shutdown(socket.SHUT_WR)
        return self._last_words(_GRACE_SECONDS)

    def _last_words(self, seconds: float) -> bytes:
        try:
            self._supervisor.settimeout(seconds)
            return self._supervisor.recv(2)
        except OSError:
            return b""

    def close(self) -> None:
        """Hang up, which ends the worker, without waiting for its end."""
        self._channel.close()
        self._supervisor.close()

    def _nothing_unasked(self) -> None:
        self._channel.setblocking(False)
        try:
            early = self._channel.recv(1)
        except BlockingIOError:
            return
        except ConnectionError as error:
            raise EOFError from error
        if not early:
            raise EOFError
        raise ProtocolError("it sent something unasked")

    def _send(self, data: bytes, deadline: float) -> None:
        self._channel.settimeout(_left(deadline))
        self._channel.sendall(data)

    def _receive(self, size: int, deadline: float) -> bytes:
        data = bytearray(size)
        view = memoryview(data)
        while view:
            self._channel.settimeout(_left(deadline))
            count = self._channel.recv_into(view)
            if not count:
                raise EOFError
            view = view[count:]
        return bytes(data)


class Template:
    """A process with torch loaded, from which workers are forked in milliseconds.

    Start it in a thread that outlives it. Processes forked from this one may use it at the same time. Close it, or use
    it in a `with`.

    Args:
        course: root of the course, whose `reference/blocks` workers may import.
        walled: False for plain processes with only resource limits.
        started: the process, if it runs already.
        private: files and folders that workers must not see.

    Raises:
        SandboxError: it does not start.
    """

    def __init__(
        self,
        course: Path,
        *,
        walled: bool = True,
        started: launch.RunningTemplate | None = None,
        private: Sequence[Path] = (),
    ) -> None:
        self.course = course.resolve()
        self.walled = walled
        self._private = tuple(private)
        self._started = started or launch.start(self.course, walled=walled, private=self._private)

    @property
    def started(self) -> launch.RunningTemplate:
        """Return the running process and its walls."""
        return self._started

    def spawn(self, memory_bytes: int, cpu_seconds: int) -> Worker:
        """Fork a worker that may use `memory_bytes` beyond torch itself, and `cpu_seconds` of processor time.

        Raises:
            GraderFaultError: a wall could not be put up.
            EOFError: the worker, or its supervisor, was killed at once.
            SandboxLostError: the template is lost, and a restart did not help.
        """
        for _ in range(2):
            try:
                return self._spawn(memory_bytes, cpu_seconds)
            except OSError:
                self._restart()
        raise SandboxLostError("the sandbox was lost twice in a row; run `attend doctor`, then grade again")

    def revive(self) -> None:
        """Restart it if it has ended; only the process that started it can see that.

        Raises:
            SandboxLostError: it does not start, or has other walls.
        """
        if self._started.process.poll() is not None:
            self._restart()

    def close(self) -> None:
        """End the template and all its workers."""
        _end(self._started)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _spawn(self, memory_bytes: int, cpu_seconds: int) -> Worker:
        channel, theirs = socket.socketpair()
        supervisor, watched = socket.socketpair()
        with theirs, watched:
            descriptors = [theirs.fileno(), watched.fileno()]
            try:
                asked = SPAWN.pack(memory_bytes, cpu_seconds, _own_core())
                socket.send_fds(self._started.socket, [asked], descriptors)
            except OSError:
                channel.close()
                supervisor.close()
                raise
        worker = Worker(channel, supervisor)
        try:
            worker.wait_until_ready()
        except BaseException:
            worker.close()
            raise
        return worker

    def _restart(self) -> None:
        self.close()
        try:
            fresh = launch.start(self.course, walled=self.walled, private=self._private)
        except SandboxError as error:
            raise SandboxLostError(f"the sandbox was lost and does not start again: {error}") from error
        if (fresh.outer, fresh.walls) != (self._started.outer, self._started.walls):
            _end(fresh)
            raise SandboxLostError(
                "the sandbox was lost and has other walls now; run `attend doctor`, then grade again"
            )
        self._started = fresh


def _end(started: launch.RunningTemplate) -> None:
    with contextlib.suppress(OSError):
        started.socket.shutdown(socket.SHUT_RDWR)  # holds even where a fork has a copy
    started.socket.close()
    try:
        started.process.wait(_GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        started.process.kill()
        started.process.wait()


def _own_core() -> int:
    """Return the only core of this process, whose warm cache its workers then share; -1 if it has several."""
    cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
    return next(iter(cores)) if len(cores) == 1 else -1


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
