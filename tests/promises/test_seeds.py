"""A verdict never depends on the seed: with any inputs, a known mistake fails the same checks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from autograder.author.splice import misconception_source, with_wrong_answer
from autograder.core.submission import one_chapter
from autograder.intake.artefacts import of_course
from tests.promises.world import COURSE, each_chapter, judged

SEEDS = range(1, 21)


@pytest.mark.exhaustive
@each_chapter
def test_a_known_mistake_earns_the_same_with_every_seed(chapter: str) -> None:
    right = COURSE.solution(chapter).read_text(encoding="utf-8")
    submissions = []
    for wrong in COURSE.misconceptions(chapter):
        text = with_wrong_answer(right, misconception_source(COURSE, chapter, wrong), wrong.exercise)
        handed_in = one_chapter(wrong.identifier, chapter, text, of_course(COURSE, chapter))
        submissions.append(replace(handed_in, only=(wrong.exercise,)))
    scores: dict[str, dict[float, int]] = {}
    for seed in SEEDS:
        for name, graded in judged(submissions, COURSE.of(chapter), seed).items():
            scores.setdefault(name, {}).setdefault(graded.result.score, seed)
    unsteady = {name: found for name, found in scores.items() if len(found) > 1}
    assert not unsteady, f"points, and the first seed that gives them: {unsteady}"
