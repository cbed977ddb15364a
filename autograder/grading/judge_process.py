"""One judge in a process of its own: takes submissions from a pipe, sends results back.

It is forked from the coordinator, which has torch loaded; the pipe joins two of our own processes, and
nothing of a student's is ever executed or unpickled on either side. The student's code runs in workers
of the template, which the judge reaches by a socket of its own.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

import pytest

from autograder.course import Course, Exercise
from autograder.records import SubmissionResult
from autograder.sandbox import walls
from autograder.submission import Submission

if TYPE_CHECKING:  # torch is loaded while the template starts, not before
    from autograder.calls import Call, Observation
    from autograder.targets import Target

Hand = Callable[[Submission], "Target"]
"""Makes the target that a submission's code runs in."""


@dataclass(frozen=True)
class Orders:
    """What all judges of a run have in common."""

    course: Course
    exercises: Sequence[Exercise]
    seed: int


@dataclass(frozen=True)
class Trouble:
    """A judge could not do its work: one sentence."""

    sentence: str


Report = SubmissionResult | Trouble


def run(connection: Connection, orders: Orders, hand: Hand) -> None:
    """Grade what comes through `connection` until None comes."""
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
    os._exit(status)  # nothing of the coordinator's is to be cleaned up here


def _run(connection: Connection, orders: Orders, hand: Hand) -> None:
    from autograder.judge import judge

    def jobs() -> Iterator[tuple[Submission, Target]]:
        while (submission := connection.recv()) is not None:
            target = hand(submission)
            try:
                yield submission, _Watched(target)
            finally:
                target.close()

    judge(orders.course, orders.exercises, jobs(), orders.seed, connection.send)


class _Watched:
    """A target that ends its judge when the sandbox is lost: no check can tell anything without one."""

    def __init__(self, target: Target) -> None:
        self.name = target.name
        self.close = target.close
        self._observe = target.observe

    def observe(self, chapter: str, call: Call) -> Observation:
        from autograder.sandbox.client import SandboxLostError

        try:
            return self._observe(chapter, call)
        except SandboxLostError as lost:
            pytest.exit(str(lost))
