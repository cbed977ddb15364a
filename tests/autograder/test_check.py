"""What `attend check` prints of an exercise that is partly there."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from autograder.course import Exercise
from autograder.records import CheckResult, ExerciseResult, Status
from autograder.student.check import Printer, is_to_do, short_of


def result(*rows: tuple[Status, str]) -> ExerciseResult:
    checks = [CheckResult(f"test_{n}", "s", "values", 0, 1, status, text) for n, (status, text) in enumerate(rows)]
    return ExerciseResult.of("ch01_toy", "double", checks)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("double is still to do; `attend hint double` helps to begin", "still to do; `attend hint double`"),
        ("double is missing: there is no file ch01_toy.py", "missing: there is no file ch01_toy.py"),
        ("my.py does not define double; `attend hint double` helps to begin", "my.py does not define double; "),
    ],
)
def test_why_an_exercise_is_missing_is_said_without_its_name_in_front(text: str, said: str) -> None:
    assert short_of(result(("missing", text))).startswith(said)


def test_an_exercise_of_which_a_branch_is_missing_says_so_after_a_check_that_passed() -> None:
    half = result(("passed", ""), ("missing", "double is still to do: it raises NotImplementedError in line 3"))
    assert half.status == "missing"
    assert short_of(half) == "still to do: it raises NotImplementedError in line 3"


def test_what_is_to_do_takes_a_line_of_80_columns_however_long_its_name() -> None:
    name, stream = "scaled_dot_product_attention", io.StringIO()
    check = CheckResult(
        "t", "s", "values", 0, 7, "missing", f"{name} is still to do; `attend hint {name}` helps to begin"
    )
    console = Console(file=stream, width=80)
    Printer(console, [Exercise("ch01_toy", name, 7, 1)], heading="ch01_toy").add(
        ExerciseResult.of("ch01_toy", name, [check])
    )
    assert stream.getvalue() == f"  · {name}  0/7  still to do\n"


def test_an_answer_that_was_lost_is_not_taken_for_one_that_is_not_begun() -> None:
    assert is_to_do(result(("missing", "double is still to do; `attend hint double` helps to begin")))
    assert not is_to_do(result(("missing", "ch01_toy.py is larger than 2 MiB")))
    assert not is_to_do(result(("missing", "double is still to do: it raises NotImplementedError in line 3")))


def test_a_file_that_does_not_compile_says_so_once_and_lists_nothing_else() -> None:
    stream = io.StringIO()
    names = ["double", "Scale"]
    printer = Printer(Console(file=stream, width=80), [Exercise("ch01_toy", name, 2, 2) for name in names])
    for name in names:
        checks = [CheckResult(f"t{n}", "s", "values", 0, 1, "syntax", "ch01_toy.py does not compile") for n in range(2)]
        printer.add(ExerciseResult.of("ch01_toy", name, checks))
    assert [line.strip() for line in stream.getvalue().splitlines()] == [
        "ch01_toy",
        "✗ ch01_toy.py does not compile",
        "nothing that stands in it can be checked until it is mended",
    ]
