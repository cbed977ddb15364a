"""What grading yields: frozen records, one JSON form, documented in docs/results.md."""

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
    """A piece of an answer beside what is expected, around the first number that is wrong.

    `expected` and `got` have a row of numbers each, with spaces between; in `wrong` 1 stands for each that differs.
    """

    title: str
    expected: tuple[str, ...]
    got: tuple[str, ...]
    wrong: tuple[str, ...]


@dataclass(frozen=True)
class CheckResult:
    """One graded check of an exercise; `patch` is kept of the first check of an exercise whose numbers are wrong."""

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
        """Sum the points of `checks`; the status is that of the first check that was not passed."""
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
        """Ids that explain this exercise, those that explain most failed checks first."""
        named = [name for check in self.checks for name in check.misconceptions]
        return tuple(sorted(dict.fromkeys(named), key=lambda name: -named.count(name)))


@dataclass(frozen=True)
class SubmissionResult:
    """The grade of one student's submission.

    `sandbox` is the tier the code ran in, `seed` reproduces every input, `versions` the software,
    `notes` say what was odd about the files (ignored, renamed, unreadable).
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
        """Whether every check came to a verdict; where the grader failed, the score is no grade yet."""
        return all(exercise.status != "grader_error" for exercise in self.exercises)


def overall_status(statuses: Sequence[Status]) -> Status:
    """The first status that is not "passed"; a fault of the grader goes before everything."""
    if "grader_error" in statuses:
        return "grader_error"
    return next((status for status in statuses if status != "passed"), "passed")
