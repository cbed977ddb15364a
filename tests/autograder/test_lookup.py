"""Chapters and exercises are found by what people type."""

from __future__ import annotations

import pytest

from autograder.core.errors import UsageError
from autograder.course.lookup import find
from autograder.course.model import Exercise

CHAPTERS = ("ch03_attention", "ch04_masking")
EXERCISES = [
    Exercise(chapter, name, 1.0, 1)
    for chapter, name in (("ch03_attention", "softmax"), ("ch03_attention", "dot_scores"), ("ch04_masking", "hide"))
]


def found(words: str) -> list[str]:
    return [each.name for each in find(CHAPTERS, EXERCISES, words)]


@pytest.mark.parametrize(
    "words",
    [
        *("softmax", "Softmax", "soft", "ch03/softmax", "ch03::softmax", "ch03_attention.softmax"),
        *("ch03_softmax", "ch03-softmax", "3 softmax", "chapter 3 softmax"),
    ],
)
def test_an_exercise_is_found_with_and_without_its_chapter(words: str) -> None:
    assert found(words) == ["softmax"]


@pytest.mark.parametrize(
    "words", ["ch03", "3", "03", "chapter 3", "attention", "ch03_attention", "ch3_attention", "ch03_attention.py"]
)
def test_a_chapter_is_found_by_its_number_its_topic_and_its_file(words: str) -> None:
    assert found(words) == ["softmax", "dot_scores"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("ch03_softmx", "did you mean softmax?"),
        ("ch03_hidden", "there is no chapter or exercise 'ch03_hidden'"),
        ("o", "could be .*; give one more letter or two"),
        ("", "`attend list` shows all names"),
    ],
)
def test_what_is_not_found_is_told_with_what_is_near(words: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        found(words)
