"""A verdict never depends on the seed: with any inputs, the same answer earns the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from autograder.author.proof.mutants import mutants_of
from autograder.core.submission import Submission, one_chapter
from autograder.course.model import Exercise
from autograder.intake.artefacts import of_course
from tests.promises.world import COURSE, PROVEN, Graded, each_chapter, judged, with_mistake

SEEDS = range(1, 7)
pytestmark = [pytest.mark.exhaustive, pytest.mark.filterwarnings("ignore")]  # a mutant may be such that Python warns


@each_chapter
def test_a_known_mistake_earns_the_same_with_every_seed(chapter: str) -> None:
    submissions = [with_mistake(chapter, wrong) for wrong in COURSE.misconceptions(chapter)]
    assert _unsteady(submissions, COURSE.of(chapter)) == {}


@pytest.mark.parametrize("exercise", PROVEN, ids=lambda exercise: f"{exercise.chapter}: {exercise.name}")
def test_a_mutant_earns_the_same_with_every_seed(exercise: Exercise) -> None:
    artefacts = of_course(COURSE, exercise.chapter)
    found = [(f"{each.was}\n{each.now}", each) for each in mutants_of(COURSE, exercise)]
    submissions = [one_chapter(name, exercise.chapter, each.text, artefacts) for name, each in found]
    submissions = [replace(each, only=(exercise.name,)) for each in submissions]
    assert _unsteady(submissions, [exercise]) == {}


def _unsteady(submissions: Sequence[Submission], exercises: Sequence[Exercise]) -> dict[str, dict[float, int]]:
    """Return those whose points depend on the seed: the points, and the first seed that gives them.

    What never ends is tried with one seed alone: each call of it takes as long as its limit.
    """
    scores: dict[str, dict[float, int]] = {}
    left = list(submissions)
    for seed in SEEDS:
        graded = judged(left, exercises, seed, named=False)
        for name, each in graded.items():
            scores.setdefault(name, {}).setdefault(each.result.score, seed)
        left = [each for each in left if not _took_too_long(graded[each.student])]
    return {name: found for name, found in scores.items() if len(found) > 1}


def _took_too_long(graded: Graded) -> bool:
    checks = [check for exercise in graded.result.exercises for check in exercise.checks]
    return any(check.status == "timeout" for check in checks)
