"""An answer that only knows what feedback of earlier rounds has shown earns nothing in the next round.

But for exercises that ask for one thing, the same with every seed: a probe, or a trained model.
"""

from __future__ import annotations

from collections.abc import Iterator
from unittest.mock import patch

import pytest

from autograder.author.proof.remembered import NEXT, ROUNDS, earned
from tests.promises.world import COURSE, WORDS, each_chapter, without

ONE_FOR_ALL = ("probe_", "build_")


@pytest.fixture(autouse=True)
def points_alone() -> Iterator[None]:
    with without(WORDS), patch("autograder.judging.judge.lent", lambda *_: None):
        yield


@each_chapter
def test_what_was_shown_in_three_rounds_earns_nothing_in_the_next(chapter: str) -> None:
    assert {name for name in earned(COURSE, chapter, NEXT) if not name.startswith(ONE_FOR_ALL)} == set()


def test_with_the_seed_of_an_earlier_round_it_earns_every_point() -> None:
    chapter = COURSE.chapters[1]
    assert earned(COURSE, chapter, ROUNDS[1]) == {each.name: each.points for each in COURSE.of(chapter)}
