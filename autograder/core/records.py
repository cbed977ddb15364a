"""The results of grading: frozen records with one JSON form, documented in docs/results.md."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

from autograder.core.form import in_words
from autograder.core.message import Example, Message, of_first_version
from autograder.core.text import join_names

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
OF_ITSELF: tuple[Status, ...] = ("passed", "grader_error", "syntax", "forbidden")
"""Statuses that no other exercise can be the cause of."""
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
    """One graded check of an exercise; only the first check with wrong numbers keeps a `patch`.

    `lent` names exercises that the answer calls and that are wrong: the check was made with right ones in their place.
    `forms` names faults of form (`core/form.py`) that are all that is wrong; if it passed, another check pays for them.
    """

    name: str
    sentence: str
    level: str
    points: float
    max_points: float
    status: Status
    message: Message = field(default_factory=Message)
    misconceptions: tuple[str, ...] = ()
    patch: Patch | None = None
    lent: tuple[str, ...] = ()
    forms: tuple[str, ...] = ()


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
    def lent(self) -> tuple[str, ...]:
        """Return the student's wrong exercises that passed checks were made without."""
        passed = (check for check in self.checks if check.status == "passed")
        return tuple(dict.fromkeys(name for check in passed for name in check.lent))

    @property
    def forms(self) -> tuple[str, ...]:
        """Return the faults of form that another check pays for, and passed checks do not."""
        passed = (check for check in self.checks if check.status == "passed")
        return tuple(dict.fromkeys(name for check in passed for name in check.forms))

    @property
    def but_for(self) -> str:
        """Return "right but for your `softmax`" where checks passed without it, or but for a fault of form; else ""."""
        causes = [*(f"your `{name}`" for name in self.lent), *map(in_words, self.forms)]
        return f"right but for {join_names(causes)}" if causes else ""

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

    @classmethod
    def of(
        cls,
        student: str,
        exercises: Sequence[ExerciseResult],
        *,
        sandbox: str = "",
        seed: int = 0,
        versions: dict[str, str] | None = None,
        notes: Sequence[str] = (),
        seconds: float = 0.0,
    ) -> SubmissionResult:
        """Sum the points of `exercises`; without the rest, it is a result whose key in the store stands for it."""
        return cls(
            student=student,
            score=sum(each.score for each in exercises),
            max_score=sum(each.max_score for each in exercises),
            sandbox=sandbox,
            seed=seed,
            versions=versions or {},
            exercises=tuple(exercises),
            notes=tuple(notes),
            seconds=seconds,
        )

    @property
    def is_final(self) -> bool:
        """Return whether every check has a verdict; where the grader failed, the score is not yet a grade."""
        return all(exercise.status != "grader_error" for exercise in self.exercises)


def overall_status(statuses: Sequence[Status]) -> Status:
    """Return the first status that is not "passed"; a fault of the grader comes first."""
    if "grader_error" in statuses:
        return "grader_error"
    return next((status for status in statuses if status != "passed"), "passed")


def upgraded(record: Any) -> Any:
    """Return decoded JSON with every check's message in the form of version 2."""
    if isinstance(record, list):
        return [upgraded(each) for each in record]
    if not isinstance(record, dict):
        return record
    if {"sentence", "message"} <= set(record) and isinstance(record["message"], str):
        return {**record, "message": asdict(of_first_version(record["message"]))}
    return {key: upgraded(value) for key, value in record.items()}


@dataclass(frozen=True)
class Cause:
    """Failed checks of an exercise that have one cause."""

    checks: tuple[CheckResult, ...]

    @property
    def first(self) -> CheckResult:
        return self.checks[0]

    @property
    def title(self) -> str:
        """The sentence of a single check; of several their number, as each may ask for something that is right."""
        return self.first.sentence if len(self.checks) == 1 else f"{len(self.checks)} checks, one cause"

    @property
    def statuses(self) -> tuple[Status, ...]:
        return tuple(dict.fromkeys(check.status for check in self.checks))

    @property
    def points(self) -> float:
        return sum(check.max_points for check in self.checks)

    @property
    def example(self) -> Example | None:
        """The smallest example, which the first check need not have."""
        return next((check.message.example for check in self.checks if check.message.example), None)


def causes(failed: Iterable[CheckResult]) -> list[Cause]:
    """Group failed checks by cause: the first mistake that was named, or else the first line of the message."""
    found: dict[str, list[CheckResult]] = {}
    for check in failed:
        found.setdefault((*check.misconceptions, check.message.headline)[0], []).append(check)
    return [Cause(tuple(checks)) for checks in found.values()]
