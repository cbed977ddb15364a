"""Every sentence of a docstring has a check, and no check asks for what no sentence says."""

from __future__ import annotations

import pytest

from autograder.author.sentences import CONVENTIONS, held, sentences_of
from autograder.course.model import Exercise
from tests.promises.world import COURSE


def checks_of(exercise: Exercise) -> set[str]:
    return {each.function for each in COURSE.checks[exercise.chapter] if each.exercise == exercise.name}


@pytest.mark.parametrize("exercise", COURSE.exercises, ids=lambda exercise: exercise.name)
def test_every_sentence_is_held_by_a_check_and_every_check_holds_a_sentence(exercise: Exercise) -> None:
    written = held(COURSE, exercise.chapter)[exercise.name]
    source = COURSE.solution(exercise.chapter).read_text(encoding="utf-8")
    assert [*written] == [*sentences_of(source, exercise.name), CONVENTIONS], "run `attend build`"
    assert not [sentence for sentence, checks in written.items() if not checks and sentence != CONVENTIONS]
    assert {check for checks in written.values() for check in checks} == checks_of(exercise)
