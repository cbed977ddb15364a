"""What `attend check` prints of an exercise that is partly there."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest
from rich.console import Console

from autograder.core.message import Line, Message, of_first_version, still_to_do
from autograder.core.records import CheckResult, ExerciseResult, Status
from autograder.course.course import Course
from autograder.course.model import Exercise
from autograder.student.check import Printer, is_to_do, why_missing
from autograder.student.notebook.cell_check import CheckOutput, page
from tests.autograder.conftest import TOY

HALF = Message("double still raises NotImplementedError", line=Line(3, "raise it"))


def result(*rows: tuple[Status, str]) -> ExerciseResult:
    checks = [
        CheckResult(f"test_{n}", "s", "values", 0, 1, status, of_first_version(text))
        for n, (status, text) in enumerate(rows)
    ]
    return ExerciseResult.of("ch01_toy", "double", checks)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (still_to_do("double").text, "still to do"),
        ("there is no file ch01_toy.py", "there is no file ch01_toy.py"),
        ("my.py does not define double\n  try       `attend hint double`", "my.py does not define double"),
    ],
)
def test_why_an_exercise_is_missing_is_said_without_its_name_in_front(text: str, said: str) -> None:
    assert why_missing(result(("missing", text))) == said


def printed(*results: ExerciseResult) -> list[str]:
    stream = io.StringIO()
    printer = Printer(Console(file=stream, width=80), [Exercise("ch01_toy", each.exercise, 2, 2) for each in results])
    for each in results:
        printer.add(each)
    return [line.strip() for line in stream.getvalue().splitlines()]


def of(status: Status, message: str, *misconceptions: str, sentence: str = "s") -> CheckResult:
    return CheckResult(f"test_{sentence}", sentence, "values", 0, 1, status, of_first_version(message), misconceptions)


def test_what_costs_several_checks_is_said_once_and_not_under_the_name_of_one() -> None:
    lines = printed(result(*[("forbidden", "it calls sum\n  try       add")] * 3, ("failed", "one is wrong")))
    assert lines[2:] == [
        "✗ 3 checks, one cause (forbidden, 0/3)",
        "it calls sum",
        "try  add",
        "✗ s (failed, 0/1)",
        "one is wrong",
    ]


def test_one_mistake_is_one_cause_however_it_shows() -> None:
    checks = [of("failed", "Squared. (at 1)", "squared"), of("passed", ""), of("error", "Squared. (at 2)", "squared")]
    lines = printed(ExerciseResult.of("ch01_toy", "double", checks))
    assert lines[2:] == [
        "✗ 2 checks, one cause (failed, error, 0/2)",
        "Squared. (at 1)",
        "more  `attend explain squared`",
    ]


def test_a_page_says_it_once_too() -> None:
    checks = [*(of("error", "it raised X", sentence=f"claim {n}") for n in range(3)), of("failed", "no", sentence="4")]
    exercise = Exercise("ch01_toy", "double", 4, 4)
    shown = page(CheckOutput(Course(TOY), [exercise], 1, (ExerciseResult.of("ch01_toy", "double", checks),)))
    words = " ".join(re.sub(r"<style>.*?</style>|<[^>]+>", " ", shown, flags=re.DOTALL).split())
    assert "✗ 3 checks, one cause (raises an error, 0 of 3) ✗ 4 (not right yet, 0 of 1) no" in words
    assert words.count("it raised X") == 1
    assert "claim" not in words


def test_an_exercise_of_which_a_branch_is_missing_says_so_after_a_check_that_passed() -> None:
    checks = [of("passed", ""), replace(of("missing", ""), message=HALF)]
    half = ExerciseResult.of("ch01_toy", "double", checks)
    assert half.status == "missing"
    assert why_missing(half) == "double still raises NotImplementedError (line 3: raise it)"


def test_what_is_to_do_takes_a_line_of_80_columns_however_long_its_name() -> None:
    name, stream = "scaled_dot_product_attention", io.StringIO()
    check = CheckResult("t", "s", "values", 0, 7, "missing", still_to_do(name))
    console = Console(file=stream, width=80)
    Printer(console, [Exercise("ch01_toy", name, 7, 1)], heading="ch01_toy").add(
        ExerciseResult.of("ch01_toy", name, [check])
    )
    assert stream.getvalue() == f"  · {name}  0/7  still to do\n"


def test_an_answer_that_was_lost_is_not_taken_for_one_that_is_not_begun() -> None:
    assert is_to_do(result(("missing", still_to_do("double").text)))
    assert not is_to_do(result(("missing", "ch01_toy.py is larger than 2 MiB")))
    assert not is_to_do(ExerciseResult.of("ch01_toy", "double", [replace(of("missing", ""), message=HALF)]))


def test_a_file_that_does_not_compile_says_so_once_and_lists_nothing_else() -> None:
    checks = [of("syntax", "ch01_toy.py does not compile")] * 2
    assert printed(*(ExerciseResult.of("ch01_toy", name, checks) for name in ("double", "Scale"))) == [
        "ch01_toy",
        "✗ ch01_toy.py does not compile",
        "nothing in it can be checked until this is fixed",
    ]
