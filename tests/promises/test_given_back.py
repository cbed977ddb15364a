"""Nothing is earned by an answer that computes nothing of what is asked."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import pytest

from autograder.author.proof.trial import with_answer
from autograder.core.submission import Submission
from autograder.course.model import Exercise
from tests.promises.world import COURSE, judged

GIVES_BACK = {
    "dropout": ("x",),  # as it must in evaluation, and with a rate of 0
}
"""What an exercise asks to give back as it is, in some of its calls."""
IDLE = {
    "as it came": "return given",
    "a copy": "return given.clone()",
    "each number alone": "return given * 2 + 1",
    "zeros": "return torch.zeros_like(given)",
    "their mean": "return given.mean()",
}


def asked(exercise: Exercise) -> object:
    """What the reference has for an exercise."""
    return getattr(COURSE.reference(exercise.chapter), exercise.name, None)


def idle_answers(chapter: str, exercise: Exercise) -> Iterator[Submission]:
    """Each does one of these with one of its arguments, whatever is asked."""
    for place, name in enumerate(inspect.signature(asked(exercise)).parameters):
        for does, body in () if name in GIVES_BACK.get(exercise.name, ()) else IDLE.items():
            picks = f"given = [*arguments, *named.values()][{place}]"
            text = f"def {exercise.name}(*arguments, **named):\n    {picks}\n    {body}\n"
            yield with_answer(COURSE, chapter, f"{name}: {does}", exercise.name, text)


FUNCTIONS = [
    pytest.param(chapter, exercise, id=f"{chapter}: {exercise.name}")
    for chapter in COURSE.chapters
    for exercise in COURSE.of(chapter)
    if inspect.isfunction(asked(exercise))
]


@pytest.mark.parametrize(("chapter", "exercise"), FUNCTIONS)
def test_what_computes_nothing_earns_nothing(chapter: str, exercise: Exercise) -> None:
    graded = judged(idle_answers(chapter, exercise), [exercise], named=False)
    earned = {
        name: [check.name for check in result.checks if check.status == "passed"]
        for name, each in graded.items()
        for result in each.result.exercises
        if result.score
    }
    assert not earned
