"""What `attend check` prints of an exercise that is partly there."""

from __future__ import annotations

import pytest

from autograder.records import CheckResult, ExerciseResult, Status
from autograder.student.check import short_of


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
