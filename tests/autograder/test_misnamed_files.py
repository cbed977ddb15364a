"""A chapter file that was renamed is missed aloud: no empty file of the other form stands in for it."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from rich.console import Console

from autograder.course.course import Course
from autograder.student.check import check
from autograder.student.map import show_map
from autograder.student.misnamed_files import misnamed_files
from autograder.student.show import show
from autograder.student.sync import sync
from tests.autograder.conftest import CHAPTER

OTHER = "ch01_mine.py"


@pytest.fixture
def renamed(mine: Course) -> Course:
    (mine.exercises_dir / f"{CHAPTER}.py").rename(mine.exercises_dir / OTHER)
    return mine


def run_sync(course: Course, console: Console) -> None:
    assert sync(course, [], None, yes=True, console=console) == 1
    assert not (course.exercises_dir / f"{CHAPTER}.py").exists()


COMMANDS: dict[str, Callable[[Course, Console], object]] = {
    "map": show_map,
    "sync": run_sync,
    "show": lambda course, console: show(course, course.one("double"), course.exercises_dir, None, 1, console),
    "check": lambda course, console: check(course, course.exercises, course.exercises_dir, 1, console, again=False),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_renamed_chapter_is_named_with_the_name_it_should_have(renamed: Course, command: str) -> None:
    said = io.StringIO()
    COMMANDS[command](renamed, Console(file=said, width=200))
    assert f"{OTHER}" in said.getvalue()
    assert f"{CHAPTER}.py" in said.getvalue()


def test_a_second_file_beside_a_chapter_that_has_its_own_is_nobodys_mistake(mine: Course) -> None:
    (mine.exercises_dir / OTHER).write_text("x = 1\n", encoding="utf-8")
    assert misnamed_files(mine) == []
    assert misnamed_files(mine, CHAPTER) == []
