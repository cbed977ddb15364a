"""The table of what each exercise is held against."""

from __future__ import annotations

from autograder.author.build import build
from autograder.author.chapter import read_all
from autograder.author.coverage import coverage
from autograder.course.course import Course
from tests.autograder.conftest import CHAPTER, TOY


def row(course: Course, exercise: str) -> list[str]:
    line = next(line for line in coverage(course, read_all(course)).splitlines() if f"`{exercise}`" in line)
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_checks_mistakes_and_right_answers_are_counted(toy_copy: Course) -> None:
    before = row(toy_copy, "double")
    known = sum(wrong.exercise == "double" for wrong in toy_copy.misconceptions(CHAPTER))
    assert before[1:4] == [CHAPTER, str(next(e.checks for e in toy_copy.exercises if e.name == "double")), str(known)]
    assert before[4] == "3"
    answers = toy_copy.root / "tests" / "promises" / "right" / CHAPTER
    (answers / "one.py").write_text("def double(x):\n    return x + x\n", encoding="utf-8")
    (answers / "two.py").write_text("def mean_and_sum(x):\n    return x\n", encoding="utf-8")
    assert row(toy_copy, "double")[4] == "4"


def test_it_is_built_with_the_rest(toy_copy: Course) -> None:
    page = toy_copy.root / "docs" / "coverage.md"
    page.write_text("old", encoding="utf-8")
    assert build(toy_copy) == [page]
    assert page.read_text(encoding="utf-8") == coverage(Course(TOY), read_all(Course(TOY)))
