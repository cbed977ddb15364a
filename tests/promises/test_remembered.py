"""An answer that only knows what feedback of earlier rounds has shown earns nothing in the next round.

But for exercises that ask for one thing, the same with every seed: a probe, or a trained model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from unittest.mock import patch

import pytest

from autograder.author.proof.remembered import NEXT, ROUNDS, earned
from tests.promises.world import COURSE, each_chapter

ONE_FOR_ALL = ("probe_", "build_")
WITHOUT_WORDS: Mapping[str, Callable[..., object]] = {
    "suite.play.smallest": lambda *_: None,
    "suite.play.name_the_slip": lambda *_: None,
    "compare.evidence.Evidence._causes": lambda *_: [],
    "judging.judge.repaired": lambda _grading, _check, results: results,
    "judging.judge.lent": lambda *_: None,
}
"""What looks for causes, and changes no point here."""


@pytest.fixture(autouse=True)
def points_alone() -> Iterator[None]:
    with ExitStack() as patched:
        for name, instead in WITHOUT_WORDS.items():
            patched.enter_context(patch(f"autograder.{name}", instead))
        yield


@each_chapter
def test_what_was_shown_in_three_rounds_earns_nothing_in_the_next(chapter: str) -> None:
    assert {name for name in earned(COURSE, chapter, NEXT) if not name.startswith(ONE_FOR_ALL)} == set()


def test_with_the_seed_of_an_earlier_round_it_earns_every_point() -> None:
    chapter = COURSE.chapters[1]
    assert earned(COURSE, chapter, ROUNDS[1]) == {each.name: each.points for each in COURSE.of(chapter)}
