"""The target behind the wall, which grading uses."""

from __future__ import annotations

import math
import signal
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Final, Never, Self, cast

from autograder.calls.passed_over import cause, passed_over
from autograder.calls.records import Call, Observation, Raised, nbytes
from autograder.calls.target import SHARED
from autograder.core.errors import AttendError, CheckFailed, WorkerLost
from autograder.core.lru import Latest
from autograder.core.message import Message
from autograder.core.submission import ChapterSource, PassedOver, Submission
from autograder.sandbox import messages
from autograder.sandbox.frames import is_without_body
from autograder.sandbox.handles import Ending, GraderFaultError, SandboxLostError, Template, Worker
from autograder.sandbox.limits import DEFAULT_LIMITS, Limits
from autograder.sandbox.nodes import ProtocolError
from autograder.sandbox.tape import Lost, RecordedCall, Tape
from autograder.sandbox.tape import digest as digest_of
from autograder.sandbox.wire import (
    Answer,
    Failed,
    Load,
    Loaded,
    Question,
    Reply,
    encode_request,
    question,
    read_reply,
)

_READ: Final[Latest[tuple[bytes, bytes], Observation]] = Latest(4096)
"""What answers show that were read without an error, by the digests of question and answer."""
LOADING_SHARE: Final = 0.6
"""Of the time for a file, what a statement at its top level may take; the rest is for those after it."""
_VANISHED: Final = "a worker of the sandbox vanished twice; run `attend doctor`"
_SETTLE_SECONDS: Final = 0.5  # time for the cause, such as the end of its template, to pass


@dataclass
class _Budget:
    """The time that is left for calls of a chapter, whichever target makes them."""

    seconds: float


class _VanishedError(Exception):
    """A worker ended, perhaps through no fault of its own; a second loss counts as `fault`."""

    def __init__(self, fault: AttendError) -> None:
        super().__init__(str(fault))
        self.fault = fault


class SandboxTarget:
    """A student's submission, with a worker for each chapter.

    A worker starts when its chapter is first needed, and again after a loss; the next chapter ends it. Close the
    target, or use it in a `with`. Several targets of one thread may share a template.

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
        self.recorded: list[RecordedCall] = []
        self._tape = Tape()
        self._template = template
        self._submission = submission
        self._limits = limits
        self._budget, self._variants = _Budget(limits.budget_seconds), _Budget(limits.budget_seconds)
        self._salt = b""
        self._workers: dict[str, Worker] = {}
        self._broken: dict[str, WorkerLost] = {}
        self._passed: dict[str, tuple[PassedOver, ...]] = {}
        self._silent: set[tuple[str, str]] = set()
        """What has once closed its channel and lived on, by chapter and name."""

    def observe(self, chapter: str, call: Call) -> Observation:
        """Return what `call` shows on the student's `chapter`.

        For equal answers it may be the same object, and neither it nor the call must be changed.

        Raises:
            CheckFailed: the chapter was not handed in, or could not be read.
            WorkerLost: the code gave no usable answer: timeout, memory, crash, protocol, blocked,
                or the chapter's file does not run (syntax, error).
            GraderFaultError: the sandbox failed, twice.
        """
        source, asked = self._source(chapter, call.name), _question(call)
        frame = self._answer(source, asked)
        same = asked.digest, digest_of(frame)
        if same in _READ:
            return self._but_for(chapter, call.name, _READ[same])
        reply = read_reply(frame)
        assert isinstance(reply, Answer)
        return self._but_for(chapter, call.name, replace(reply.observation, digest=same[1]))

    def _but_for(self, chapter: str, name: str, seen: Observation) -> Observation:
        """Return the observation, unless a statement that was passed over is the cause of it."""
        if (passed := self.passed_over(chapter)) and (lost := cause(seen, name, passed)):
            raise WorkerLost(lost.status, lost.message)
        return seen

    def passed_over(self, chapter: str) -> tuple[PassedOver, ...]:
        """Return what was passed over when the chapter was loaded; nothing before it is."""
        source = self._submission.chapters.get(chapter)
        if source is None:
            return ()
        if chapter not in self._passed:  # all answers so far come from the tape
            self._passed[chapter] = ()
            if isinstance(frame := self._tape.next(_load_key(source)), bytes):
                self._keep(source, frame)
        return (*source.passed, *self._passed[chapter])

    def _keep(self, source: ChapterSource, frame: bytes) -> None:
        """Keep what the frame says of the loaded chapter, and record it once, unless it is nothing."""
        reply = read_reply(frame)
        if isinstance(reply, Loaded) and reply.stopped and not self._passed.get(source.chapter):
            self._passed[source.chapter] = passed_over(reply.statements(), source, f"{source.chapter}.py")
            self.recorded.append(RecordedCall(_load_key(source), frame))
        self._passed.setdefault(source.chapter, ())

    def replay(self, tape: Iterable[RecordedCall]) -> None:
        """Answer recorded calls from `tape`, instead of running the code again."""
        self._tape = Tape(tape)

    def variant(self, submission: Submission) -> SandboxTarget:
        """Return a target for another text of the submission, whose calls are recorded here.

        All such targets share a budget of their own, so that they cost the submission itself nothing.
        """
        other = SandboxTarget(self._template, submission, self._limits, name=self.name)
        other.recorded, other._tape, other._budget = self.recorded, self._tape, self._variants
        texts = "\0".join(source.text for source in submission.chapters.values())
        other._salt = digest_of(texts.encode("utf-8", "surrogatepass"))
        return other

    def close(self) -> None:
        """End all workers, and the processes that they started."""
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
            raise CheckFailed(problem.status, Message(problem.message, line=problem.line))
        return source

    def _answer(self, source: ChapterSource, asked: Question) -> bytes:
        """Return the frame of the answer to a question, from the tape if it has one."""
        key = digest_of(self._salt + asked.digest) if self._salt else asked.digest
        known = self._tape.next(key)
        if known is None and self._budget.seconds <= 0:  # not recorded, so that a larger budget can ask again
            self.close()
            raise messages.budget_spent(source.chapter, self._limits.budget_seconds)
        try:
            if known is None:
                known = self._answer_of(source, asked)
            elif isinstance(known, Lost):
                raise known.error()
        except WorkerLost as lost:
            self.recorded.append(RecordedCall(key, Lost.of(lost)))
            raise
        if not is_without_body(known):  # the room for an answer may change
            self.recorded.append(RecordedCall(key, known))
        return known

    def _answer_of(self, source: ChapterSource, asked: Question) -> bytes:
        try:
            return self._ask(source, asked)
        except _VanishedError:
            time.sleep(_SETTLE_SECONDS)
        try:
            return self._ask(source, asked)
        except _VanishedError as error:
            raise error.fault from error

    def _ask(self, source: ChapterSource, asked: Question) -> bytes:
        worker = self._loaded(source)
        chapter, what = source.chapter, asked.name
        room = self._limits.reply_bytes if asked.room is None else min(asked.room, self._limits.reply_bytes)
        frame = self._exchange(chapter, worker, asked.frame, what, self._limits.call_seconds, room)
        if (same := (asked.digest, digest_of(frame))) in _READ:
            return frame
        reply = self._read(chapter, frame, what)
        if not isinstance(reply, Answer) or reply.number != asked.number:
            self._lose(chapter, messages.unreadable(what, "it answers another question"))
        self._walls_met(chapter, what, reply.observation)
        if is_without_body(frame):
            self._workers.pop(chapter).kill()  # the rest of its answer stays unread
            came, expected = nbytes(reply.observation.result), asked.room is not None
            if lost := messages.too_large(what, came, room, expected=expected):
                raise lost
            return frame
        if len(frame) <= SHARED:
            _READ[same] = replace(reply.observation, digest=same[1])
        return frame

    def _read(self, chapter: str, frame: bytes, what: str) -> Reply:
        try:
            return read_reply(frame)
        except ProtocolError as error:
            self._lose(chapter, messages.unreadable(what, str(error)))

    def _walls_met(self, chapter: str, what: str, seen: Observation) -> None:
        for part in (seen.result, seen.again, seen.gradients):
            if isinstance(part, Raised) and (lost := messages.wall_met(what, part, self._limits.memory_bytes)):
                self._lose(chapter, lost)

    def _loaded(self, source: ChapterSource) -> Worker:
        chapter = source.chapter
        if chapter in self._broken:  # it would end the same way again, after the same wait
            raise self._broken[chapter].with_traceback(None)
        if chapter not in self._workers:
            self.close()  # checks come chapter by chapter, and each worker holds memory
            self._workers[chapter] = self._spawned()
            try:
                self._load(source)
            except WorkerLost as lost:
                self._broken[chapter] = lost
                raise
        return self._workers[chapter]

    def _spawned(self) -> Worker:
        try:
            return self._template.spawn(self._limits.memory_bytes, math.ceil(self._limits.budget_seconds))
        except EOFError:
            raise _VanishedError(SandboxLostError(_VANISHED)) from None

    def _load(self, source: ChapterSource) -> None:
        chapter, file, seconds = source.chapter, source.origin, self._limits.load_seconds
        request = encode_request(Load(chapter, source.text, dict(source.beside), LOADING_SHARE * seconds))
        room = self._limits.reply_bytes
        frame = self._exchange(chapter, self._workers[chapter], request, file, seconds, room, messages.slow_import)
        reply = self._read(chapter, frame, file)
        if isinstance(reply, Failed):
            met = messages.wall_met(file, reply.raised, self._limits.memory_bytes)
            self._lose(chapter, met or messages.not_loaded(file, reply.raised, compiled=reply.compiled))
        if not isinstance(reply, Loaded):
            self._lose(chapter, messages.unreadable(file, "it answers a question that was not asked"))
        self._keep(source, frame)

    def _exchange(
        self,
        chapter: str,
        worker: Worker,
        frame: bytes,
        what: str,
        seconds: float,
        room: int,
        slow: Callable[[str, float], WorkerLost] = messages.too_slow,
    ) -> bytes:
        began = time.monotonic()
        try:
            return worker.exchange(frame, seconds, room)
        except TimeoutError:
            self._lose(chapter, slow(what, seconds))
        except ProtocolError as error:
            self._lose(chapter, messages.unreadable(what, str(error)))
        except EOFError:
            self._gone(chapter, what)
        finally:
            self._budget.seconds -= time.monotonic() - began

    def _gone(self, chapter: str, what: str) -> Never:
        ending = self._workers.pop(chapter).ending()
        if ending is None:
            raise _VanishedError(SandboxLostError(_VANISHED))
        if ending == Ending("signalled", signal.SIGKILL):  # too much memory is refused to a worker, not punished
            why = "most often because the machine ran out of memory; free some, or grade with fewer --jobs"
            raise _VanishedError(GraderFaultError(f"the system killed {what} twice, {why}"))
        if ending == Ending("signalled", signal.SIGSTOP):
            why = "by a signal from outside; leave the processes of the sandbox alone, and grade again"
            raise _VanishedError(GraderFaultError(f"{what} was stopped twice {why}"))
        lost = messages.ended(what, ending)
        if ending.kind == "stopped" and (chapter, what) not in self._silent:  # or someone killed it this very moment
            self._silent.add((chapter, what))
            raise _VanishedError(lost)
        raise lost

    def _lose(self, chapter: str, lost: WorkerLost) -> Never:
        self._workers.pop(chapter).kill()
        raise lost


def _load_key(source: ChapterSource) -> bytes:
    """Return the digest under which the loading of a chapter is recorded."""
    return digest_of(encode_request(Load(source.chapter, source.text, dict(source.beside))))


def _question(call: Call) -> Question:
    if "question" in call.kept:
        return cast(Question, call.kept["question"])
    try:
        asked = question(call)
    except ProtocolError as error:
        raise GraderFaultError(str(error)) from error
    if len(asked.frame) <= SHARED:
        call.kept["question"] = asked
    return asked
