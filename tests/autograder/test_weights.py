"""Weights of exercises, and the share for precision, change the sums and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.classroom import policy
from autograder.classroom.grades import grade, grades
from autograder.classroom.person import Person
from autograder.classroom.policy import Policy
from autograder.classroom.register import Register
from autograder.core.errors import UsageError
from autograder.core.message import Message
from autograder.core.records import CheckResult, ExerciseResult, Status, SubmissionResult

POINTS = {"double": 4.0, "sum": 6.0}


def check(points: float, status: Status = "passed", *named: str) -> CheckResult:
    earned = points if status == "passed" else 0.0
    return CheckResult("test", "a claim", "values", earned, points, status, Message("no"), named)


def score(chosen: Policy) -> tuple[float, float, dict[str, float]]:
    checks = {"double": [check(3), check(1, "failed", "few-digits")], "sum": [check(6, "failed", "sum-of-all")]}
    exercises = tuple(ExerciseResult.of("ch01_toy", name, each) for name, each in checks.items())
    result = SubmissionResult("ada", 3, 10, "off", 1, {}, exercises)
    made = grade(Register.of({"ada": "ada"}).rows[0], result, chosen)
    return made.score, made.max_score, dict(made.exercises)


def test_without_either_the_points_are_those_of_the_checks() -> None:
    assert score(Policy()) == (3, 10, {"double": 3, "sum": 0})


def test_a_weight_scales_an_exercise_and_the_most_that_there_is() -> None:
    assert score(Policy(weights={"double": 2})) == (6, 14, {"double": 6, "sum": 0})
    assert score(Policy(weights={"sum": 0})) == (3, 4, {"double": 3, "sum": 0})


def test_right_but_for_precision_keeps_its_share_and_another_mistake_keeps_nothing() -> None:
    assert score(Policy(few_digits=0.5)) == (3.5, 10, {"double": 3.5, "sum": 0})
    assert score(Policy(few_digits=0.5, weights={"double": 2})) == (7, 14, {"double": 7, "sum": 0})


@pytest.mark.parametrize(
    "line", ["few_digits = 2", "few_digits = -0.1", "[weights]\ndouble = -1", "[weights]\nsum = 1e9"]
)
def test_an_impossible_value_is_refused(tmp_path: Path, line: str) -> None:
    (tmp_path / policy.NAME).write_text(line, encoding="utf-8")
    with pytest.raises(UsageError):
        policy.read(tmp_path)


def test_a_weight_of_no_exercise_is_refused_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="did you mean 'double'"):
        Policy(weights={"dubble": 2}).check(["ada"], POINTS)


def given(points: float, **weights: float) -> Policy:
    return Policy(weights=weights, students={"ada": policy.Adjustment(exercises={"double": points})})


@pytest.mark.parametrize(("weight", "counts", "most"), [(1, 4, 10), (2, 8, 14), (0.5, 2, 8), (0, 0, 6)])
def test_points_that_a_person_gives_are_weighed_as_those_of_the_checks_are(
    weight: float, counts: float, most: float
) -> None:
    assert score(given(4, double=weight)) == (counts, most, {"double": counts, "sum": 0})


def test_the_same_holds_where_nothing_was_handed_in() -> None:
    absent = Register("", (), absent=(Person("ada"),), policy=given(4, double=2))
    (made,) = grades(absent, {})
    assert (made.score, made.exercises) == (8, {"double": 8})
    assert made.remarks == ("double counts 8 points instead of nothing: graded by a person.",)


def test_a_persons_points_are_at_most_what_attend_list_shows_whatever_the_weight() -> None:
    given(4, double=2).check(["ada"], POINTS)
    given(4, double=0.5).check(["ada"], POINTS)
    with pytest.raises(UsageError, match=r"gives ada 8 points for double; it has 4, before its weight$"):
        given(8, double=2).check(["ada"], POINTS)
    with pytest.raises(UsageError, match=r"gives ada 8 points for double; it has 4$"):
        given(8).check(["ada"], POINTS)
