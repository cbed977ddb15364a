"""What a course and its chapters are called."""

from __future__ import annotations

import pytest

from autograder.course.course import Course
from autograder.course.titles import Titles


def test_a_chapter_is_called_what_its_text_is_headed_with(toy_copy: Course) -> None:
    stub = toy_copy.stub("ch01_toy")
    stub.write_text("# %% [markdown]\n# # Chapter 1 · Twice as much\n#\n# Why?\n", encoding="utf-8")
    assert Titles.of(toy_copy).chapter("ch01_toy") == "1 · Twice as much"


@pytest.mark.parametrize(
    ("stem", "title"),
    [("ch03_attention", "3 · Attention"), ("ch11_vision_a", "11 · Vision a"), ("extra", "extra"), ("x\ny", "x\ny")],
)
def test_without_a_heading_it_is_called_what_its_file_is_called(stem: str, title: str) -> None:
    assert Titles().chapter(stem) == title


def test_a_file_that_cannot_be_read_has_no_heading(toy_copy: Course) -> None:
    toy_copy.stub("ch01_toy").write_bytes(b"# # \xff\n")
    assert Titles.of(toy_copy).topics == {}
    toy_copy.stub("ch01_toy").unlink()
    assert Titles.of(toy_copy).chapter("ch01_toy") == "1 · Toy"
