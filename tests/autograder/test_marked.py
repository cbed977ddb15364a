"""What is read from a suite's markers, and what is refused because pytest would lose it without a word."""

from __future__ import annotations

import pytest

from autograder.core.errors import UsageError
from autograder.course.course import Course
from tests.autograder.conftest import CHAPTER

CHECK = '@exercise("double", points=1, level="values")\n'
SUITE = f"tests/exercises/test_{CHAPTER}.py"


def refused(course: Course, text: str) -> str:
    """What is said of a suite."""
    course.suite(CHAPTER).write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as told:
        _ = Course(course.root).exercises
    return str(told.value)


@pytest.mark.parametrize(
    "mark",
    [
        'exercise("double")',
        'exercise("double", points=)',
        'exercise(points="x")',
        'exercise("double", level="values")',
        'exercise("double", points=1)',
    ],
)
def test_what_is_no_marker_is_told_by_its_line_with_the_way_to_write_it(toy_copy: Course, mark: str) -> None:
    said = refused(toy_copy, f"{CHECK}def test_a(agree): ...\n\n\n@{mark}\ndef test_b(agree):\n    ...\n")
    write = 'write @exercise("NAME", points=NUMBER, level="values")'
    assert said == f"{SUITE}:5: {write} instead of @{mark}"


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ('points=1, level="value"', "there is no level 'value'; write one of property, values, edges"),
        ('points=0, level="values"', "points=0 is worth nothing"),
        ('points=-2, level="values"', "points=-2 is worth nothing"),
    ],
)
def test_a_level_that_is_none_and_points_that_are_none_are_told_by_their_line(
    toy_copy: Course, word: str, says: str
) -> None:
    said = refused(toy_copy, f'import torch\n\n@exercise("double", {word})\ndef test_a(agree): ...\n')
    assert said.startswith(f"{SUITE}:3: {says}")


def test_a_check_that_pytest_would_pass_over_is_told_with_its_name_mended(toy_copy: Course) -> None:
    said = refused(toy_copy, f"{CHECK}# of all numbers\n\ndef every_number(agree): ...\n")
    assert said == f"{SUITE}:4: pytest runs no check that is called every_number; call it test_every_number"


def test_it_is_found_below_other_decorators(toy_copy: Course) -> None:
    more = "@pytest.mark.parametrize(\n    'n', [1]\n)\n"
    assert f"{SUITE}:5: " in refused(toy_copy, f"{CHECK}{more}def every_number(agree, n): ...\n")
    toy_copy.suite(CHAPTER).write_text(f"{CHECK}{more}def test_every_number(agree, n): ...\n", encoding="utf-8")
    assert [exercise.checks for exercise in Course(toy_copy.root).exercises] == [1]


def test_two_checks_of_one_name_are_told_with_both_lines(toy_copy: Course) -> None:
    said = refused(toy_copy, f"{CHECK}def test_a(agree): ...\n\n{CHECK}def test_a(agree): ...\n")
    assert said == f"{SUITE}:5: test_a takes the place of the check of that name in line 2; rename one"
