"""The sandbox target: what is behind `student` when a submission is graded."""

from __future__ import annotations

import signal
import time
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Never, Self

from autograder.calls import Call, Observation, Raised
from autograder.errors import CheckFailed, WorkerLost
from autograder.sandbox import messages
from autograder.sandbox.client import Ending, GraderFaultError, SandboxLostError, Template, Worker
from autograder.sandbox.nodes import ProtocolError
from autograder.sandbox.wire import Answer, Ask, Failed, Fault, Load, Loaded, Reply, Request
from autograder.submission import ChapterSource, Submission


@dataclass(frozen=True)
class Limits:
    """What one worker may take: seconds of the judge's clock, memory beyond torch's own, bytes a reply."""

    call_seconds: float = 5.0
    load_seconds: float = 10.0
    memory_bytes: int = 1 << 30
    reply_bytes: int = 64 << 20


DEFAULT_LIMITS: Final = Limits()
_SETTLE_SECONDS: Final = 0.5  # for what ended a worker, such as the end of its template, to be over


class _VanishedError(Exception):
    """A worker ended, and not by its own doing: worth a second try, after which it counts as `fault`."""

    def __init__(self, fault: GraderFaultError) -> None:
        super().__init__(str(fault))
        self.fault = fault


class SandboxTarget:
    """One student's submission, each chapter in a worker of its own.

    A worker starts when its chapter is first needed, and again after it is lost; going on to another
    chapter ends it. Close the target, or use it in a `with`; several may share a template, in one thread.

    Args:
        name: the tier of the sandbox, recorded in every result.
    """

    def __init__(
        self,
        template: Template,
        submission: Submission,
        limits: Limits = DEFAULT_LIMITS,
        *,
        name: str = "sandbox",
    ) -> None:
        self.name = name
        self._template = template
        self._submission = submission
        self._limits = limits
        self._workers: dict[str, Worker] = {}
        self._broken: dict[str, WorkerLost] = {}
        self._number = 0

    def observe(self, chapter: str, call: Call) -> Observation:
        """What `call` shows on the student's `chapter`.

        Raises:
            CheckFailed: the chapter was not handed in, or could not be read.
            WorkerLost: the code gave no usable answer: timeout, memory, crash, protocol, blocked,
                or the chapter's file does not run (syntax, error).
            GraderFaultError: the sandbox failed, twice.
        """
        source = self._source(chapter, call.name)
        try:
            return self._observe(source, call)
        except _VanishedError:
            time.sleep(_SETTLE_SECONDS)
        try:
            return self._observe(source, call)
        except _VanishedError as error:
            raise error.fault from error

    def close(self) -> None:
        """End all workers, and all that they started."""
        for worker in self._workers.values():
            worker.kill()
        self._workers.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _source(self, chapter: str, exercise: str) -> ChapterSource:
        source = self._submission.chapters.get(chapter)
        if source is None:
            absent = self._submission.absent.get(chapter, f"{chapter}.py was not handed in.")
            raise CheckFailed("missing", absent)
        problem = source.problem or source.broken.get(exercise)
        if problem is not None:
            raise CheckFailed(problem.status, problem.message)
        return source

    def _observe(self, source: ChapterSource, call: Call) -> Observation:
        worker = self._loaded(source)
        self._number += 1
        chapter, what = source.chapter, call.name
        reply = self._exchange(chapter, worker, Ask(self._number, call), what, self._limits.call_seconds)
        if not isinstance(reply, Answer) or reply.number != self._number:
            self._lose(chapter, messages.unreadable(what, "it answers another question"))
        self._walls_met(chapter, what, reply.observation)
        return reply.observation

    def _walls_met(self, chapter: str, what: str, seen: Observation) -> None:
        for part in (seen.result, seen.again, seen.gradients):
            if not isinstance(part, Raised):
                continue
            lost = messages.wall_met(what, part, self._limits.memory_bytes)
            if lost is not None:
                self._lose(chapter, lost)

    def _loaded(self, source: ChapterSource) -> Worker:
        chapter = source.chapter
        if chapter in self._broken:  # it would end the same way again, after the same wait
            raise self._broken[chapter].with_traceback(None)
        if chapter not in self._workers:
            self.close()  # checks come chapter by chapter, and each worker holds memory
            self._workers[chapter] = self._template.spawn(self._limits.memory_bytes)
            try:
                self._load(source)
            except WorkerLost as lost:
                self._broken[chapter] = lost
                raise
        return self._workers[chapter]

    def _load(self, source: ChapterSource) -> None:
        chapter, file, seconds = source.chapter, source.origin, self._limits.load_seconds
        request = Load(chapter, source.text)
        reply = self._exchange(chapter, self._workers[chapter], request, file, seconds)
        if isinstance(reply, Failed):
            met = messages.wall_met(file, reply.raised, self._limits.memory_bytes)
            self._lose(chapter, met or messages.not_loaded(file, reply.raised, compiled=reply.compiled))
        if not isinstance(reply, Loaded):
            self._lose(chapter, messages.unreadable(file, "it answers what nobody asked"))

    def _exchange(self, chapter: str, worker: Worker, request: Request, what: str, seconds: float) -> Reply:
        try:
            reply = worker.request(request, seconds, self._limits.reply_bytes)
        except TimeoutError:
            slow = messages.slow_import if isinstance(request, Load) else messages.too_slow
            self._lose(chapter, slow(what, seconds))
        except ProtocolError as error:
            self._lose(chapter, messages.unreadable(what, str(error)))
        except EOFError:
            self._gone(chapter, what)
        if isinstance(reply, Fault) and isinstance(request, Load):  # later on, it is not ours
            self._workers.pop(chapter).kill()
            raise GraderFaultError(f"a wall of the sandbox could not be put up ({reply.message}); run `attend doctor`")
        return reply

    def _gone(self, chapter: str, what: str) -> Never:
        ending = self._workers.pop(chapter).ending()
        if ending is None:
            raise _VanishedError(SandboxLostError("a worker of the sandbox vanished twice; run `attend doctor`"))
        if ending == Ending("signalled", signal.SIGKILL):  # too much memory is refused to a worker, not punished
            why = "most often because the machine ran out of memory; free some, or grade with fewer --jobs"
            raise _VanishedError(GraderFaultError(f"the system killed {what} twice, {why}"))
        raise messages.ended(what, ending)

    def _lose(self, chapter: str, lost: WorkerLost) -> Never:
        self._workers.pop(chapter).kill()
        raise lost
