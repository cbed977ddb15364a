"""What answers print while they are checked."""

from __future__ import annotations

import io
import sys

import pytest
from rich.console import Console

from autograder.course.course import Course
from autograder.student.check import check
from autograder.student.prints import MOST_LINES, Prints
from tests.autograder.conftest import CHAPTER, TOY, answer

RIGHT = (TOY / "solutions" / f"{CHAPTER}.py").read_text(encoding="utf-8")


def printed(course: Course, capsys: pytest.CaptureFixture[str], *lines: str, before: str = "") -> list[str]:
    """What stands on the screen when `double` has these lines, up to the verdict; `before` is a line of the file."""
    answer(
        course,
        f"{before}\n"
        + RIGHT.replace("    return 2 * x", "".join(f"    {line}\n" for line in lines) + "    return 2 * x"),
    )
    screen = Console(file=io.StringIO())
    check(course, [course.one("double")], course.exercises_dir, None, screen, again=False)
    return capsys.readouterr().out.splitlines()


def test_prints_stand_below_the_name_of_the_exercise(mine: Course, capsys: pytest.CaptureFixture[str]) -> None:
    said = printed(mine, capsys, "print('a', end='-')", "print('b')")
    more = "(from its first call; `pytest tests/exercises -k double -s` shows all)"
    assert said == ["double prints:", "a-b", more]


def test_the_first_call_that_prints_is_shown_though_another_came_before(
    mine: Course, capsys: pytest.CaptureFixture[str]
) -> None:
    said = printed(mine, capsys, "calls.append(x)", "if len(calls) > 1: print(len(calls))", before="calls = []")
    assert said[:2] == ["double prints:", "2"]
    assert len(said) == 3


def test_of_many_prints_the_first_are_shown_and_the_others_counted(
    mine: Course, capsys: pytest.CaptureFixture[str]
) -> None:
    said = printed(mine, capsys, "for i in range(100): print(i)")
    assert said[1:-1] == [str(number) for number in range(MOST_LINES)]
    assert said[-1].endswith(" more lines; `pytest tests/exercises -k double -s` shows all")
    assert int(said[-1].split()[1]) == 100 - MOST_LINES


def test_what_is_printed_at_a_debuggers_prompt_or_into_a_file_is_left_alone(
    mine: Course, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = "exec(compile('print(1)', '<stdin>', 'exec'), globals())"
    said = printed(mine, capsys, "import sys", f"for _ in range(30): {typed}", "print(2, file=sys.stdout)")
    assert "double prints:" not in said
    assert said[:31] == ["1"] * 30 + ["2"]


def test_what_a_file_prints_when_it_is_loaded_stands_below_its_own_name(
    mine: Course, capsys: pytest.CaptureFixture[str]
) -> None:
    answer(mine, RIGHT + "\nclass Loaded:\n    print('loaded')\n")
    check(mine, mine.exercises, mine.exercises_dir, None, Console(file=io.StringIO()), again=False)
    assert capsys.readouterr().out == f"{CHAPTER}.py prints:\nloaded\n"


def test_a_line_that_is_not_ended_is_ended_before_anything_else(capsys: pytest.CaptureFixture[str]) -> None:
    prints = Prints()
    prints("double", "a")
    prints("Scale", "b\n")
    prints.end()
    sys.stdout.write("verdict")
    assert capsys.readouterr().out == "double prints:\na\nScale prints:\nb\nverdict"
