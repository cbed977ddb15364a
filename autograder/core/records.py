"""The results of grading: frozen records with one JSON form, documented in docs/results.md."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from autograder.core.message import Message

Status = Literal[
    "passed",
    "failed",
    "missing",
    "syntax",
    "error",
    "timeout",
    "memory",
    "crash",
    "protocol",
    "forbidden",
    "blocked",
    "grader_error",
]
STATUSES: tuple[Status, ...] = get_args(Status)
FORMAT_VERSION = 2
READABLE = 1, 2


@dataclass(frozen=True)
class Patch:
    """A piece of an answer beside the expected one, around the first wrong number.

    Each string of `expected` and `got` is a row of numbers with spaces between; `wrong` has a 1 for each that differs.
    """

    title: str
    expected: tuple[str, ...]
    got: tuple[str, ...]
    wrong: tuple[str, ...]


@dataclass(frozen=True)
class CheckResult:
    """One graded check of an exercise; only the first check with wrong numbers keeps a `patch`."""

    name: str
    sentence: str
    level: str
    points: float
    max_points: float
    status: Status
    message: Message = field(default_factory=Message)
    misconceptions: tuple[str, ...] = ()
    patch: Patch | None = None


@dataclass(frozen=True)
class ExerciseResult:
    """All checks of one exercise."""

    chapter: str
    exercise: str
    score: float
    max_score: float
    status: Status
    checks: tuple[CheckResult, ...]

    @classmethod
    def of(cls, chapter: str, exercise: str, checks: Sequence[CheckResult]) -> ExerciseResult:
        """Sum the points of `checks`; the first check that was not passed gives the status."""
        return cls(
            chapter=chapter,
            exercise=exercise,
            score=sum(check.points for check in checks),
            max_score=sum(check.max_points for check in checks),
            status=overall_status([check.status for check in checks]),
            checks=tuple(checks),
        )

    @property
    def misconceptions(self) -> tuple[str, ...]:
        """Return ids of known mistakes, those that explain the most failed checks first."""
        named = [name for check in self.checks for name in check.misconceptions]
        return tuple(sorted(dict.fromkeys(named), key=lambda name: -named.count(name)))


@dataclass(frozen=True)
class SubmissionResult:
    """The grade of one student's submission.

    `sandbox` is the tier the code ran in, `seed` reproduces every input, `versions` names the software,
    `notes` report files that were ignored, renamed or unreadable.
    """

    student: str
    score: float
    max_score: float
    sandbox: str
    seed: int
    versions: dict[str, str]
    exercises: tuple[ExerciseResult, ...]
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
    version: int = field(default=FORMAT_VERSION)

    @property
    def is_final(self) -> bool:
        """Return whether every check has a verdict; where the grader failed, the score is not yet a grade."""
        return all(exercise.status != "grader_error" for exercise in self.exercises)


def overall_status(statuses: Sequence[Status]) -> Status:
    """Return the first status that is not "passed"; a fault of the grader comes first."""
    if "grader_error" in statuses:
        return "grader_error"
    return next((status for status in statuses if status != "passed"), "passed")
