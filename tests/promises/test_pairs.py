"""Two mistakes that are known to be made together are both named, where neither alone explains the answer."""

from __future__ import annotations

from functools import cache

import pytest

from autograder.author.splice import misconception_source, with_wrong_answer
from autograder.core.records import CheckResult, ExerciseResult
from autograder.course.model import Misconception
from tests.promises.world import COURSE, grade

PAIRS = [(chapter, pair) for chapter in COURSE.chapters for pair in COURSE.pairs(chapter)]
each_pair = pytest.mark.parametrize(
    ("chapter", "pair"), [pytest.param(*row, id=f"{row[1].exercise}: {row[1].identifier}") for row in PAIRS]
)


@cache
def graded(chapter: str, pair: Misconception) -> ExerciseResult:
    right = COURSE.solution(chapter).read_text(encoding="utf-8")
    text = with_wrong_answer(right, misconception_source(COURSE, chapter, pair), pair.exercise)
    return grade(chapter, {"pair": text}, exercises=[COURSE.one(pair.exercise)])["pair"].exercises[0]


def first_failed(chapter: str, pair: Misconception) -> CheckResult:
    return next(check for check in graded(chapter, pair).checks if check.status != "passed")


@each_pair
def test_a_pair_loses_points_and_both_are_named_first(chapter: str, pair: Misconception) -> None:
    result = graded(chapter, pair)
    assert result.score < result.max_score
    failed = first_failed(chapter, pair)
    assert failed.misconceptions == (pair.identifier,), failed.message.text


@each_pair
def test_the_message_says_both_and_what_to_do_about_both(chapter: str, pair: Misconception) -> None:
    singles = {each.identifier: each for each in COURSE.misconceptions(chapter)}
    message = first_failed(chapter, pair).message.text
    for name in pair.identifier.split("+"):
        assert singles[name].says in message
        assert singles[name].advice in message


def test_there_are_pairs() -> None:
    assert len(PAIRS) >= 10
