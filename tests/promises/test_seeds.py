"""A verdict never depends on the seed: with any inputs, a known mistake fails the same checks."""

from __future__ import annotations

import pytest

from tests.promises.world import COURSE, each_chapter, judged, with_mistake

SEEDS = range(1, 21)


@pytest.mark.exhaustive
@each_chapter
def test_a_known_mistake_earns_the_same_with_every_seed(chapter: str) -> None:
    submissions = [with_mistake(chapter, wrong) for wrong in COURSE.misconceptions(chapter)]
    scores: dict[str, dict[float, int]] = {}
    for seed in SEEDS:
        for name, graded in judged(submissions, COURSE.of(chapter), seed, named=False).items():
            scores.setdefault(name, {}).setdefault(graded.result.score, seed)
    unsteady = {name: found for name, found in scores.items() if len(found) > 1}
    assert not unsteady, f"points, and the first seed that gives them: {unsteady}"
