"""What `attend show` promises of every exercise of the course: a picture that fits, or words."""

from __future__ import annotations

import pytest

from autograder.author.proof.promises import pictured, unfit_picture
from autograder.compare.grid import Picture
from autograder.course.model import Exercise
from autograder.intake.artefacts import asked_for
from autograder.student.pictures.picture_png import as_png
from tests.promises.world import COURSE

NUMBERS = ("attention_parameters", "encoder_parameters", "vit_parameters", "accuracy", "train_epoch", "name_head")
LISTS_AND_MODELS = (
    "vocabulary",
    "complete",
    "next_sentence_examples",
    "freeze_all_but_head",
    "word_pieces",
    "course_weights",
)
BUILT = {*asked_for(COURSE.suite("ch15_capstones"))}
TEXTS_AND_RUNS = {each.name for each in COURSE.of("ch15_capstones")} - BUILT
WORDS_ALONE = {each.name for chapter in ("ch14_bug_hunt", "ch16_training") for each in COURSE.of(chapter)} - {
    "adamw_step"
}
IN_WORDS = {*NUMBERS, *LISTS_AND_MODELS, *TEXTS_AND_RUNS, *WORDS_ALONE}
SAMPLE = {COURSE.of(chapter)[-1] for chapter in COURSE.chapters}  # `make prove` looks at every exercise
MARKS = {each: [] if each in SAMPLE else [pytest.mark.exhaustive] for each in COURSE.exercises}
EACH = [pytest.param(each, id=each.name, marks=MARKS[each]) for each in COURSE.exercises]


@pytest.mark.parametrize("exercise", EACH)
def test_a_right_answer_has_a_picture_that_fits_or_is_shown_in_words(exercise: Exercise) -> None:
    picture, failed = pictured(COURSE, exercise)
    assert failed is None
    if exercise.name in IN_WORDS:
        assert isinstance(picture, str)
        assert "as expected" in picture or "without arguments" in picture
        return
    assert isinstance(picture, Picture)
    assert [*unfit_picture(picture)] == []
    assert picture.says == ""
    for axis, size in zip((picture.rows, picture.columns), picture.expected.shape, strict=True):
        assert len(axis.places) in (0, size)
    assert as_png(picture).startswith(b"\x89PNG")


def test_every_scene_is_of_an_exercise() -> None:
    unknown = set(COURSE.scenes()) - {exercise.name for exercise in COURSE.exercises}
    assert not unknown, f"reference/scenes.py: SCENES has {unknown}, which the course has not"
