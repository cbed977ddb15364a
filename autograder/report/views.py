"""What a student's page shows of checks, exercises and chapters."""

from __future__ import annotations

from dataclasses import dataclass

from autograder.classroom.unread import headline as first_headline
from autograder.core.message import Message
from autograder.core.records import CheckResult, ExerciseResult


@dataclass(frozen=True)
class CheckView:
    """One check; `repeats` if an earlier check of the exercise had the same headline or the same mistake."""

    check: CheckResult
    repeats: bool

    @property
    def message(self) -> Message:
        return self.check.message


@dataclass(frozen=True)
class ExerciseView:
    """One exercise.

    Args:
        counted: the points that count, from the checks or from a person; None if there are none yet.
        shared: the message that all its checks have in common, if any.
        others: further mistakes that explain the answer and that no message names.
        is_told: whether the chapter's own message says all of it.
    """

    result: ExerciseResult
    counted: float | None
    shared: Message | None
    checks: tuple[CheckView, ...]
    others: tuple[tuple[str, str], ...]
    is_told: bool = False

    @property
    def points(self) -> float:
        return self.result.score if self.counted is None else self.counted

    @property
    def is_by_hand(self) -> bool:
        """Whether a person graded it instead of the checks."""
        failed = self.result.status == "grader_error"
        return self.counted is not None and (failed or self.counted != self.result.score)

    @property
    def headline(self) -> str:
        """The headline of the first check that was not passed."""
        return first_headline(self.result)

    @property
    def is_open(self) -> bool:
        """Whether the student has something to do in it."""
        return self.result.status not in ("passed", "grader_error")

    @property
    def is_begun(self) -> bool:
        return self.result.status != "missing"


@dataclass(frozen=True)
class ChapterView:
    """One chapter. `shared` is the message of its file, or what all its exercises have in common, if any."""

    name: str
    title: str
    score: float
    max_score: float
    shared: Message | None
    exercises: tuple[ExerciseView, ...]

    @property
    def is_faultless(self) -> bool:
        """Whether the student has nothing to fix in it."""
        return not any(view.is_open for view in self.exercises)

    @property
    def is_final(self) -> bool:
        return all(view.counted is not None for view in self.exercises)

    @property
    def is_untouched(self) -> bool:
        return not any(view.is_begun for view in self.exercises)
