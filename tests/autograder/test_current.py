"""Which exercise is meant where none is named."""

from __future__ import annotations

import os
import shutil

import pytest

from autograder.core.errors import UsageError
from autograder.core.records import CheckResult, ExerciseResult, Status
from autograder.course.course import Course
from autograder.student.saved_progress import Progress, Remembered, current

MORE = '''
from autograder.suite import exercise


@exercise("triple", points=1, level="values")
def test_triple(agree):
    """three times"""
'''


@pytest.fixture
def longer(mine: Course) -> Course:
    """A working copy with a second chapter, of one exercise."""
    mine.suite("ch02_more").write_text(MORE, encoding="utf-8")
    for suffix in (".py", ".ipynb"):
        shutil.copy(mine.exercises_dir / f"ch01_toy{suffix}", mine.exercises_dir / f"ch02_more{suffix}")
    saved(mine, ch01_toy=1, ch02_more=1)
    return Course(mine.root)


def saved(course: Course, **when: float) -> None:
    for chapter, moment in when.items():
        for suffix in (".py", ".ipynb"):
            os.utime(course.exercises_dir / f"{chapter}{suffix}", (moment, moment))


def ended(course: Course, **statuses: Status) -> str:
    """The exercise that is meant after checks with these outcomes."""
    chapters = {exercise.name: exercise.chapter for exercise in course.exercises}
    known = Progress(course)
    for name, status in statuses.items():
        check = CheckResult("test", "it works", "values", 0.0, 1.0, status)
        known.last[name] = Remembered(ExerciseResult.of(chapters[name], name, [check]), "", "", 1)
    known.keep()
    return current(course).name


def test_it_is_the_first_one_before_anything_is_checked(longer: Course) -> None:
    assert current(longer).name == "double"


def test_it_is_the_next_one_where_nothing_tried_is_left(longer: Course) -> None:
    assert ended(longer, double="passed") == longer.exercises[1].name
    assert ended(longer, double="passed", triple="missing") == longer.exercises[1].name


def test_it_is_what_was_tried_and_not_passed(longer: Course) -> None:
    assert ended(longer, triple="failed") == "triple"
    assert ended(longer, double="error", triple="passed") == "double"


def test_of_two_it_is_the_one_in_the_file_saved_last(longer: Course) -> None:
    saved(longer, ch02_more=2)
    assert ended(longer, double="failed", triple="failed") == "triple"
    saved(longer, ch01_toy=3)
    assert ended(longer, double="failed", triple="failed") == "double"


def test_where_everything_is_passed_a_name_is_wanted(longer: Course) -> None:
    with pytest.raises(UsageError, match="every exercise is passed"):
        ended(longer, **{exercise.name: "passed" for exercise in longer.exercises})


def test_outside_of_a_working_copy_there_is_no_current_exercise(toy: Course) -> None:
    with pytest.raises(UsageError, match="there is no working copy here"):
        current(toy)
