"""A verdict never depends on the seed: with any inputs, the same answer earns the same."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from autograder.author.proof.mutants import mutants_of
from autograder.author.proof.promises import unsteady
from autograder.author.proof.trial import version, with_mistake
from autograder.course.model import Exercise
from tests.promises.world import COURSE, PROVEN, each_chapter, judged

SEEDS = range(1, 7)
pytestmark = [pytest.mark.exhaustive, pytest.mark.filterwarnings("ignore")]  # a mutant may be such that Python warns


@each_chapter
def test_a_known_mistake_earns_the_same_with_every_seed(chapter: str) -> None:
    submissions = [with_mistake(COURSE, chapter, wrong) for wrong in COURSE.misconceptions(chapter)]
    assert unsteady(partial(judged, named=False), submissions, COURSE.of(chapter), SEEDS) == {}


@pytest.mark.parametrize("exercise", PROVEN, ids=lambda exercise: f"{exercise.chapter}: {exercise.name}")
def test_a_mutant_earns_the_same_with_every_seed(exercise: Exercise) -> None:
    found = [(f"{each.was}\n{each.now}", each) for each in mutants_of(COURSE, exercise)]
    submissions = [version(COURSE, exercise.chapter, name, each.text) for name, each in found]
    submissions = [replace(each, only=(exercise.name,)) for each in submissions]
    assert unsteady(partial(judged, named=False), submissions, [exercise], SEEDS) == {}
