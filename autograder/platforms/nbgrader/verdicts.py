"""The output and points of a test cell, made from the exercise's result."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rich.console import Console

from autograder.core.records import CheckResult, ExerciseResult
from autograder.course.model import Exercise
from autograder.platforms.nbgrader.gradebook import MarkedCell
from autograder.platforms.nbgrader.hidden_checks import HIDDEN, hidden_line
from autograder.student.check import Printer

WIDTH = 100
NO_RESPONSE = "No response."
NOT_YET = "No points yet: {}. Your instructor will look at it."
NOT_GRADED = "This could not be graded automatically. You lose nothing by it, and your instructor will grade it."


@dataclass(frozen=True)
class CellVerdict:
    """An exercise's points (None: the instructor must grade it), its test cell's output, and its answer's comment."""

    points: float | None
    text: str
    comment: str | None


def verdict(
    result: ExerciseResult, exercise: Exercise, cell: MarkedCell, *, answered: bool, waits: str = ""
) -> CellVerdict:
    """Return the verdict for nbgrader; of hidden checks, it holds only the number that passed.

    Args:
        cell: the exercise's test cell, whose points may differ from the exercise's.
        answered: whether there was a file that could be read.
        waits: why the exercise has no points until a person decides; "" if it has.
    """
    if result.status == "grader_error":
        return CellVerdict(None, NOT_GRADED + "\n", NOT_GRADED)
    if waits:
        says = NOT_YET.format(waits.rstrip("."))
        return CellVerdict(None, says + "\n", says)
    hidden = [check for check in result.checks if cell.hides and check.level == HIDDEN]
    shown = [check for check in result.checks if check not in hidden]
    output = _printed(_without(result, shown, hidden), exercise)
    if hidden:
        output += f"{hidden_line(hidden)}\n"
    missing = result.status == "missing" and answered
    comment = NO_RESPONSE if missing else _comment(shown, hidden)
    worth = 0.0 if not result.max_score else min(result.score * cell.points / result.max_score, cell.points)
    return CellVerdict(worth, output, comment)


def _without(result: ExerciseResult, shown: Sequence[CheckResult], hidden: Sequence[CheckResult]) -> ExerciseResult:
    """Return the result with its points, but without the hidden checks."""
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


def _comment(shown: Sequence[CheckResult], hidden: Sequence[CheckResult]) -> str | None:
    """Return the headline of a failed check, first of one with a named mistake; None if all passed."""
    failed = [check for check in shown if check.status != "passed"]
    if failed:
        return min(failed, key=lambda check: not check.misconceptions).message.headline
    return hidden_line(hidden) if any(check.status != "passed" for check in hidden) else None
