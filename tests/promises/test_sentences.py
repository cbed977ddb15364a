"""Every sentence of a docstring has a check, and no check asks for what no sentence says."""

from __future__ import annotations

from functools import cache

import pytest

from autograder.author.proof.promises import sentences_are_held
from autograder.course.model import Exercise
from tests.promises.world import COURSE


@cache
def unheld(chapter: str) -> list[str]:
    return [*sentences_are_held(COURSE, chapter)]


@pytest.mark.parametrize("exercise", COURSE.exercises, ids=lambda exercise: exercise.name)
def test_every_sentence_is_held_by_a_check_and_every_check_holds_a_sentence(exercise: Exercise) -> None:
    assert [
        fault for fault in unheld(exercise.chapter) if fault.startswith((f"{exercise.name}:", f"{exercise.name} "))
    ] == []
