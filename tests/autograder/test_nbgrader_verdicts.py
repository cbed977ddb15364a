"""What nbgrader is told of an exercise: points, what the test cell prints, the comment beside the answer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from autograder.core.message import of_first_version
from autograder.core.records import CheckResult, ExerciseResult, Status
from autograder.course.model import Exercise
from autograder.platforms.nbgrader import hidden_checks
from autograder.platforms.nbgrader.gradebook import MarkedCell
from autograder.platforms.nbgrader.verdicts import HIDDEN, NOT_GRADED, verdict

EXERCISE = Exercise("ch01_toy", "double", 4.0, 3)
TEST = MarkedCell("check-double", "code", "points()", "", True, True, False, False, 4.0)
HIDING = replace(TEST, source="points()\n### BEGIN HIDDEN TESTS\n### END HIDDEN TESTS")


def result(*statuses: Status) -> ExerciseResult:
    """A check of each level with these statuses; the second knows the mistake."""
    levels = ("property", "values", "edges")
    checks = [
        CheckResult(
            f"check {level}",
            f"sentence of {level}",
            level,
            points=worth * (status == "passed"),
            max_points=worth,
            status=status,
            message=of_first_version("" if status == "passed" else f"says {level}\n  called this"),
            misconceptions=("known",) if level == "values" and status == "failed" else (),
        )
        for level, status, worth in zip(levels, statuses, (1.0, 2.0, 1.0), strict=True)
    ]
    return ExerciseResult.of("ch01_toy", "double", checks)


def test_a_mistake_that_is_known_is_the_comment() -> None:
    found = verdict(result("failed", "failed", "passed"), EXERCISE, TEST, answered=True)
    assert (found.points, found.comment) == (1.0, "says values")
    assert "says property" in found.text


def test_nothing_wrong_is_no_comment() -> None:
    assert verdict(result("passed", "passed", "passed"), EXERCISE, TEST, answered=True).comment is None


def test_a_fault_of_the_grader_has_no_points_and_tells_nothing_else() -> None:
    found = verdict(result("passed", "grader_error", "failed"), EXERCISE, TEST, answered=True)
    assert found == (type(found))(None, NOT_GRADED + "\n", NOT_GRADED)


def test_what_waits_for_a_person_has_no_points_and_says_why() -> None:
    found = verdict(result("error", "error", "error"), EXERCISE, HIDING, answered=True, waits="a.py stops.")
    says = "No points yet: a.py stops. Your instructor will look at it."
    assert found == (type(found))(None, f"{says}\n", says)


def test_points_are_those_of_the_gradebook() -> None:
    found = verdict(result("passed", "failed", "passed"), EXERCISE, replace(TEST, points=10.0), answered=True)
    assert found.points == 5.0


@pytest.mark.parametrize(("answered", "comment"), [(True, "No response."), (False, "says property")])
def test_what_was_not_begun_is_no_response_but_a_missing_file_says_so(answered: bool, comment: str) -> None:
    found = verdict(result("missing", "missing", "missing"), EXERCISE, TEST, answered=answered)
    assert (found.points, found.comment) == (0.0, comment)


def test_a_hidden_check_is_counted_and_not_told() -> None:
    failed = verdict(result("passed", "passed", "failed"), EXERCISE, HIDING, answered=True)
    assert (failed.points, failed.comment) == (3.0, "hidden checks: 0 of 1 passed")
    assert "hidden checks: 0 of 1 passed" in failed.text
    assert "edges" not in failed.text
    assert "edges" in verdict(result("passed", "passed", "failed"), EXERCISE, TEST, answered=True).text


def test_both_graders_hide_the_same_level() -> None:
    assert hidden_checks.HIDDEN == HIDDEN
