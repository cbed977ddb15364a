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

from autograder.course import Course, Exercise
from autograder.records import SubmissionResult
from autograder.submission import Submission

if TYPE_CHECKING:  # torch is loaded while the template starts, not before
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
        _run(connection, orders, hand)
    except (EOFError, BrokenPipeError):
        pass
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
                yield submission, target
            finally:
                target.close()

    judge(orders.course, orders.exercises, jobs(), orders.seed, connection.send)
