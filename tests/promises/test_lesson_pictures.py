"""What the pictures of the lessons promise: they show what answers give, fit on a phone, and are the learner's own."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
import torch

from autograder.author.chapter import read
from autograder.core import files
from autograder.core.errors import UsageError
from autograder.course.course import Course
from autograder.student.lesson_pieces import take_up
from autograder.student.pictures.lesson_picture import CoursePieces, lesson_picture, stored
from autograder.student.start import start
from reference import blocks
from tests.promises.world import COURSE

PICTURES, PIECES = COURSE.pictures(), CoursePieces(COURSE)
PHONE = 368  # pixels between the margins of a page that is 400 wide
FIRST = 16  # chapters, each of which has a picture
LETTER = 6.6
each_picture = pytest.mark.parametrize("name", PICTURES)


def other(value: Any) -> Any:
    """A value of the same form that differs."""
    if isinstance(value, tuple):
        return tuple(map(other, value))
    if isinstance(value, list):
        return value[1:]
    if isinstance(value, dict):
        return {name: other(each) for name, each in value.items()}
    if isinstance(value, str):
        return f"{value}s"
    if isinstance(value, torch.Tensor | np.ndarray):
        return ~value if "bool" in str(value.dtype) else value * 0 + 3
    return value + 1


def test_every_picture_is_in_one_lesson_and_each_of_the_first_lessons_has_one() -> None:
    cells = {chapter: read(COURSE, chapter).cells for chapter in COURSE.chapters}
    shown = {chapter: [cell.picture for cell in found if cell.picture] for chapter, found in cells.items()}
    assert sorted(name for names in shown.values() for name in names) == sorted(PICTURES)
    assert [chapter for chapter in COURSE.chapters[:FIRST] if not shown[chapter]] == []


@each_picture
def test_a_picture_is_drawn_with_every_answer_that_it_names_and_with_nothing_else(name: str) -> None:
    found = PICTURES[name]
    right = {needed: getattr(PIECES, needed) for needed in found.needs}
    drawn = found.html(SimpleNamespace(**right))
    assert drawn == stored(COURSE)[name]
    for needed, answer in right.items():
        wrong = {**right, needed: lambda *args, answer=answer: other(answer(*args))}
        with suppress(IndexError, KeyError, ValueError):  # a word that is not there any more
            assert found.html(SimpleNamespace(**wrong)) != drawn


@each_picture
def test_a_picture_fits_on_a_phone_and_no_word_of_it_is_cut_off_or_hides_another(name: str) -> None:
    for drawing in drawings(name):
        width, height = float(drawing.get("width", 0)), float(drawing.get("height", 0))
        assert width <= PHONE
        words = [place_of(element) for element in drawing.iter() if element.tag.endswith("}text")]
        for text, left, right, bottom in words:
            assert -1 <= left <= right <= width + 1, text
            assert 9 <= bottom <= height, text
        for text, left, right, bottom in words:
            same = [each for each in words if each[0] != text and abs(each[3] - bottom) < 10]
            assert [each for each in same if each[1] < right and left < each[2]] == [], text


@each_picture
def test_a_picture_has_words_for_those_who_do_not_see_it_and_follows_the_colour_of_the_page(name: str) -> None:
    for drawing in drawings(name):
        assert len(drawing.get("aria-label", "")) > 20
        assert drawing[0].get("fill") == "currentColor"
        inks = [element.get("fill") for element in drawing.iter() if element.tag.endswith("}text")]
        assert not {"#000", "#000000", "black"} & {*inks}


def drawings(name: str) -> list[ElementTree.Element]:
    """The parts of a picture."""
    return [ElementTree.fromstring(each) for each in re.findall(r"<svg.*?</svg>", stored(COURSE)[name])]


def place_of(element: ElementTree.Element) -> tuple[str, float, float, float]:
    """A text with its left and right end, for letters of middle width, and its base line."""
    text, x = element.text or "", float(element.get("x", 0))
    width = LETTER * len(text)
    left = x - {"middle": width / 2, "end": width}.get(element.get("text-anchor", ""), 0)
    return text, left, left + width, float(element.get("y", 0))


def test_a_picture_is_the_learners_own_once_all_its_answers_have_passed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks.mine, "_own", {})
    copy = Course(start(COURSE, tmp_path / "mine").root)
    assert lesson_picture(copy, "masks") == stored(COURSE)["masks"]
    right = COURSE.solution("ch04_masking").read_text(encoding="utf-8")
    files.write(copy.exercises_dir / "ch04_masking.py", right)
    assert lesson_picture(copy, "masks") == stored(COURSE)["masks"]  # not checked yet
    take_up(copy, blocks.mine, PICTURES["masks"].needs)
    own = lesson_picture(copy, "masks")
    assert "Drawn by your own padding_mask, causal_mask, combine_masks." in own
    assert re.findall("<svg.*</svg>", own) == re.findall("<svg.*</svg>", stored(COURSE)["masks"])


def test_a_picture_that_needs_an_answer_of_a_chapter_that_was_not_handed_out_is_the_courses(tmp_path: Path) -> None:
    copy = Course(start(replace(COURSE, only=("ch08_decoder",)), tmp_path / "mine").root)
    assert "causal_mask" in PICTURES["bridge"].needs
    assert lesson_picture(copy, "bridge") == stored(COURSE)["bridge"]


def test_an_unknown_picture_is_answered_with_those_there_are() -> None:
    with pytest.raises(UsageError, match="no picture 'mask'; there are echo, votes"):
        lesson_picture(COURSE, "mask")
