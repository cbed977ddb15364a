"""One judge in a process of its own: it takes submissions from a pipe and sends results back.

It is forked from the coordinator, which has torch loaded. The pipe joins two of our own processes, and
neither side executes or unpickles anything from a student. The student's code runs in workers
of the template, which the judge reaches by a socket of its own.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import pytest

from autograder.core.records import SubmissionResult
from autograder.core.submission import Submission
from autograder.course.course import Course
from autograder.course.model import Exercise
from autograder.sandbox import walls
from autograder.sandbox.limits import DEFAULT_LIMITS, Limits
from autograder.sandbox.tape import RecordedCall

if TYPE_CHECKING:  # torch is loaded while the template starts, not before
    from autograder.calls.records import Call, Observation
    from autograder.calls.target import Target

Hand = Callable[[Submission], "Target"]
"""Makes the target that a submission's code runs in."""
Replies = tuple[RecordedCall, ...]
"""The recorded answers of a submission's code."""


@dataclass(frozen=True)
class Orders:
    """What all judges of a run have in common; with `replies` they also hand on the recorded answers of the code.

    `seed` is for submissions without one of their own. Without `repairs` none is tried, which changes words alone.
    """

    course: Course
    exercises: Sequence[Exercise]
    seed: int
    limits: Limits = DEFAULT_LIMITS
    replies: bool = False
    repairs: bool = True

    def of(self, submission: Submission) -> list[Exercise]:
        """Return the exercises that a submission is graded on."""
        only = submission.only
        return [each for each in self.exercises if not only or each.chapter in only or each.name in only]


@dataclass(frozen=True)
class Trouble:
    """A judge could not do its work; one sentence says why."""

    sentence: str


Report = tuple[SubmissionResult, Replies] | Trouble
"""A result and the replies it rests on, or why there is none."""


def run(connection: Connection, orders: Orders, hand: Hand, core: int | None) -> None:
    """Grade what comes through `connection` until it is closed; on the given `core`, if any."""
    if core is not None:
        os.sched_setaffinity(0, {core})
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the coordinator decides what an interruption means
    status = 0
    try:
        walls.die_with_parent()
        _run(connection, orders, hand)
    except (EOFError, BrokenPipeError):
        pass
    except pytest.exit.Exception as lost:
        connection.send(Trouble(str(lost)))
    except Exception as error:
        connection.send(Trouble(f"{type(error).__name__}: {error}"))
        status = 1
    os._exit(status)  # skips the coordinator's clean-up, which must not run here


def _run(connection: Connection, orders: Orders, hand: Hand) -> None:
    from autograder.judging.judge import judge

    replies: list[RecordedCall] = []

    def jobs() -> Iterator[tuple[Submission, Target]]:
        nonlocal replies
        while True:
            submission, tape = connection.recv()
            target = hand(submission)
            if isinstance(target, Recording):
                target.replay(tape)
            watched = _WatchedRecording(target) if isinstance(target, Recording) else _Watched(target)
            replies = target.recorded if isinstance(target, Recording) else []
            try:
                yield submission, watched
            finally:
                target.close()

    def report(result: SubmissionResult) -> None:
        connection.send((result, tuple(replies) if orders.replies else ()))

    judge(orders.course, orders.exercises, jobs(), orders.seed, report, repairs=orders.repairs)


@contextmanager
def _ending_with_the_sandbox() -> Iterator[None]:
    """End the judge when the sandbox is lost, as no check works without it."""
    from autograder.sandbox.handles import SandboxLostError

    try:
        yield
    except SandboxLostError as lost:
        pytest.exit(str(lost))


class _Watched:
    """A target that ends its judge when the sandbox is lost."""

    def __init__(self, target: Target) -> None:
        from autograder.calls.target import passed_over

        self.name = target.name
        self.close = target.close
        self._observe = target.observe
        self.passed_over = partial(passed_over, target)

    def observe(self, chapter: str, call: Call) -> Observation:
        with _ending_with_the_sandbox():
            return self._observe(chapter, call)


@runtime_checkable
class Recording(Protocol):
    """A target that keeps its answers."""

    name: str
    recorded: list[RecordedCall]

    def observe(self, chapter: str, call: Call) -> Observation:
        """Make one call, as `Target`."""

    def close(self) -> None:
        """Release the resources of the target."""

    def replay(self, tape: Iterable[RecordedCall]) -> None:
        """Answer the calls on `tape` from there, instead of running the code again."""

    def variant(self, submission: Submission) -> Recording:
        """Return a target for another text of the submission, whose answers are kept with those of this one."""


class _WatchedRecording(_Watched):
    """The same for a target that keeps its answers."""

    def __init__(self, target: Recording) -> None:
        super().__init__(target)
        self.recorded = target.recorded
        self._variant = target.variant

    def variant(self, submission: Submission) -> Target:
        """Return a target for another text of the submission, watched as well."""
        return _WatchedRecording(self._variant(submission))
