"""Two mistakes that are known to be made together are both named, where neither alone explains the answer."""

from __future__ import annotations

import pytest

from autograder.course.model import Misconception
from tests.promises.world import COURSE, wrong_answers

PAIRS = [(chapter, pair) for chapter in COURSE.chapters for pair in COURSE.pairs(chapter)]
each_pair = pytest.mark.parametrize(
    ("chapter", "pair"), [pytest.param(*row, id=f"{row[0]}: {row[1].exercise} {row[1].identifier}") for row in PAIRS]
)


@each_pair
def test_a_pair_loses_points_and_both_are_named_first_with_what_to_do_about_both(
    chapter: str, pair: Misconception
) -> None:
    (result,) = wrong_answers(chapter, whole=False)[pair.identifier].result.exercises
    assert result.score < result.max_score
    failed = next(check for check in result.checks if check.status != "passed")
    assert failed.misconceptions == (pair.identifier,), failed.message.text
    singles = {each.identifier: each for each in COURSE.misconceptions(chapter)}
    for name in pair.identifier.split("+"):
        assert singles[name].says in failed.message.text
        assert singles[name].advice in failed.message.text


def test_there_are_pairs() -> None:
    assert len(PAIRS) >= 10
