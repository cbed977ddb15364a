"""Training mode changes nothing that the task does not say: a dropout nobody asked for loses points."""

from __future__ import annotations

from dataclasses import replace

import pytest
from torch import nn

from autograder.author.splice import with_wrong_answer
from autograder.core.submission import one_chapter
from autograder.course.model import Exercise
from autograder.intake.artefacts import of_course
from tests.promises.world import COURSE, judged

CUSTOMARY = ("SelfAttention", "MultiHeadAttention", "WideMultiHeadAttention")
"""Most public code thins out the weights of attention, and in evaluation nothing of it is seen: it costs nothing."""

DROPPED = """\
class Dropped({name}):
    def forward(self, *args, **kwargs):
        found = super().forward(*args, **kwargs)
        drop = lambda x: nn.functional.dropout(x, 0.3, self.training)
        return (drop(found[0]), *found[1:]) if isinstance(found, tuple) else drop(found)
"""


def is_module(exercise: Exercise) -> bool:
    reference = getattr(COURSE.reference(exercise.chapter), exercise.name)
    return exercise.name not in CUSTOMARY and isinstance(reference, type) and issubclass(reference, nn.Module)


@pytest.mark.parametrize("exercise", [*filter(is_module, COURSE.exercises)], ids=lambda each: each.name)
def test_a_dropout_nobody_asked_for_loses_points(exercise: Exercise) -> None:
    chapter = exercise.chapter
    right = COURSE.solution(chapter).read_text(encoding="utf-8")
    text = with_wrong_answer(right, DROPPED.format(name=exercise.name), exercise.name)
    handed_in = one_chapter("dropped", chapter, text, of_course(COURSE, chapter))
    graded = judged([replace(handed_in, only=(exercise.name,))], COURSE.of(chapter), named=False)["dropped"].result
    assert graded.score < graded.max_score
