"""What a test cell says and is worth, out of the exercise's result."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rich.console import Console

from autograder.core.records import CheckResult, ExerciseResult
from autograder.course.model import Exercise
from autograder.platforms.nbgrader.gradebook import MarkedCell
from autograder.platforms.nbgrader.shown import HIDDEN
from autograder.student.check import Printer

WIDTH = 100
NO_RESPONSE = "No response."
NOT_GRADED = "This could not be graded automatically; it costs nothing, and a person will look at it."


@dataclass(frozen=True)
class Verdict:
    """Of one exercise: its points (None: a person must look), what the test cell prints, the answer's comment."""

    points: float | None
    text: str
    comment: str | None


def verdict(result: ExerciseResult, exercise: Exercise, cell: MarkedCell, *, answered: bool) -> Verdict:
    """What nbgrader is told; of hidden checks only how many there are and how many were passed.

    Args:
        cell: the exercise's test cell; its points may be others than the exercise's.
        answered: whether there was a file that could be read.
    """
    if result.status == "grader_error":
        return Verdict(None, NOT_GRADED + "\n", NOT_GRADED)
    hidden = [check for check in result.checks if cell.hides and check.level == HIDDEN]
    shown = [check for check in result.checks if check not in hidden]
    said = _printed(_without(result, shown, hidden), exercise)
    if hidden:
        said += f"{_count(hidden)}\n"
    missing = result.status == "missing" and answered
    comment = NO_RESPONSE if missing else _comment(shown, hidden)
    worth = 0.0 if not result.max_score else min(result.score * cell.points / result.max_score, cell.points)
    return Verdict(worth, said, comment)


def _without(result: ExerciseResult, shown: Sequence[CheckResult], hidden: Sequence[CheckResult]) -> ExerciseResult:
    """The result with its own points, without what hidden checks say."""
    if not hidden:
        return result
    visible = ExerciseResult.of(result.chapter, result.exercise, shown)
    status = "failed" if visible.status == "passed" != result.status else visible.status
    return replace(visible, score=result.score, max_score=result.max_score, status=status)


def _printed(result: ExerciseResult, exercise: Exercise) -> str:
    stream = io.StringIO()
    Printer(
        Console(file=stream, width=WIDTH, force_terminal=True, color_system="standard", highlight=False),
        [exercise],
        result.chapter,
    ).add(result)
    return stream.getvalue()


def _count(hidden: Sequence[CheckResult]) -> str:
    passed = sum(check.status == "passed" for check in hidden)
    return f"hidden checks: {passed} of {len(hidden)} passed"


def _comment(shown: Sequence[CheckResult], hidden: Sequence[CheckResult]) -> str | None:
    """The first line of what was wrong, a mistake that is known by name first; None if nothing was."""
    failed = [check for check in shown if check.status != "passed"]
    if failed:
        said = min(failed, key=lambda check: not check.misconceptions)
        return said.message.headline
    return _count(hidden) if any(check.status != "passed" for check in hidden) else None
