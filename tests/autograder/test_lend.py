"""What is lent to an answer: right versions of the wrong exercises that it calls, and nothing else."""

from __future__ import annotations

import pytest

from autograder.core.message import Message
from autograder.core.records import CheckResult, Status
from autograder.judging.lending import settled
from autograder.source.lend import called, changed, with_lent
from tests.autograder.conftest import Grade, exercise

SOLUTION = """\
from __future__ import annotations
import math

HALF = 0.5

def _root(x): return math.sqrt(x)

def small(x: float) -> Later: return _root(x) * HALF

class Later: ...

def large(x): return small(x) + 1

def knot(x): return tied(x)

def tied(x): return knot(x)
"""


def test_what_is_called_through_other_functions_is_called_too() -> None:
    text = "def first(): ...\ndef helper(): return first()\ndef last(): return helper()\n"
    assert called(text, "last", ["first", "second"]) == ["first"]
    assert called("def last(", "last", ["first"]) == []


def test_a_name_that_is_not_even_defined_is_called_all_the_same() -> None:
    assert called("def last(): return first()", "last", ["first"]) == ["first"]


def test_what_is_lent_brings_all_that_it_needs_and_leaves_other_names_alone() -> None:
    text = with_lent(
        "HALF = 7\ndef small(x): return 0\ndef large(x): return small(x) + 1\n", SOLUTION, ["small"], "large"
    )
    assert text is not None
    names: dict[str, object] = {}
    exec(text, names)
    assert names["HALF"] == 7
    assert names["large"](4) == 2.0  # type: ignore[operator]
    assert not {"_root", "math", "Later", "knot"} & names.keys()


def test_nothing_is_lent_that_needs_the_answer_itself() -> None:
    assert with_lent("def knot(x): return tied(x)", SOLUTION, ["tied"], "knot") is None


def test_nothing_is_lent_that_the_course_does_not_define() -> None:
    assert with_lent("def large(x): return odd(x)", SOLUTION, ["odd"], "large") is None


def test_only_what_differs_from_the_solution_counts_as_changed() -> None:
    text = "def _root(x): return math.sqrt(x)\ndef small(x): return x\n"
    assert changed(text, SOLUTION, ["_root", "small", "large"]) == ["small", "large"]


BOTH = """
import torch
def double(x): {double}
def mean_and_sum(x): {both}
"""
CALLS = "half = double(x) / 2; total = half.sum(-1); return total / x.shape[-1], total"


def test_a_right_answer_keeps_its_points_beside_a_wrong_one_that_it_calls(grade: Grade) -> None:
    result = grade(BOTH.format(double="return 3 * x", both=CALLS))
    answer = exercise(result, "mean_and_sum")
    assert exercise(result, "double").status == "failed"
    assert (answer.status, answer.score, answer.lent) == ("passed", answer.max_score, ("double",))
    assert answer.but_for == "right but for your `double`"
    assert not answer.misconceptions


@pytest.mark.parametrize("both", [CALLS.replace("x.shape[-1], total", "3, total"), "return x.mean(-1), x.sum()"])
def test_a_wrong_answer_loses_its_points_whatever_it_calls(grade: Grade, both: str) -> None:
    answer = exercise(grade(BOTH.format(double="return 3 * x", both=both)), "mean_and_sum")
    assert (answer.score < answer.max_score, answer.status) == (True, "failed")


def test_a_later_exercise_is_not_lent_to_an_earlier_one(grade: Grade) -> None:
    double = "return mean_and_sum(x)[0] if False else mean_and_sum(torch.stack([x, x], -1))[1]"
    answer = exercise(grade(BOTH.format(double=double, both="return x, x")), "double")
    assert (answer.status, answer.lent) == ("failed", ())


BOUND_EARLY = {
    "another name": "twice = double\ndef mean_and_sum(x): {}",
    "a default": "def mean_and_sum(x, twice=double): {}",
    "a table": "table = {{'d': double}}\ndef mean_and_sum(x): twice = table['d']; {}",
    "a partial": "import functools\ntwice = functools.partial(double)\ndef mean_and_sum(x): {}",
    "a block": "if True:\n    twice = double\n    def mean_and_sum(x): {}",
    "a wrapper": "def mean_and_sum(x): twice = double; {}\ndef same(f): return f\nmean_and_sum = same(mean_and_sum)",
}


@pytest.mark.parametrize("how", BOUND_EARLY)
def test_an_answer_that_holds_the_wrong_one_by_another_name_is_lent_the_right_one(grade: Grade, how: str) -> None:
    both = BOUND_EARLY[how].format(CALLS.replace("double(x)", "twice(x)"))
    answer = exercise(grade(f"import torch\ndef double(x): return 3 * x\n{both}\n"), "mean_and_sum")
    assert (answer.status, answer.lent) == ("passed", ("double",))


def test_an_answer_nested_too_deeply_to_compare_has_a_verdict(grade: Grade) -> None:
    result = grade(BOTH.format(double="return 3 * x" + " + 0" * 1500, both=CALLS))
    assert all(each.status != "grader_error" for each in result.exercises)


def checked(*statuses: Status, says: str = "") -> list[CheckResult]:
    return [
        CheckResult(f"test_{number}", "a claim", "values", float(status == "passed"), 1, status, Message(says), ())
        for number, status in enumerate(statuses)
    ]


def test_two_runs_do_not_add_up() -> None:
    first = checked("passed", "failed", "failed")
    assert settled(first, checked("failed", "passed", "failed"), ["double"]) == first
    better = settled(first, checked("failed", "passed", "passed"), ["double"])
    assert [each.points for each in better] == [0, 1, 1]
    assert [each.lent for each in better] == [("double",)] * 3


def test_nothing_of_the_second_run_is_told_but_its_verdicts() -> None:
    first = checked("failed", "failed", "passed", says="mine")
    second = checked("passed", "failed", "failed", says="secret")
    third = checked("passed", "passed", "failed", says="secret")
    for other in (second, third):
        assert not any("secret" in each.message.text for each in settled(first, other, ["double"]))


def test_a_fault_of_the_grader_in_the_second_run_takes_no_point_of_the_first() -> None:
    first, second = checked("passed", "failed", "failed"), checked("grader_error", "passed", "passed")
    assert [each.points for each in settled(first, second, ["double"])] == [1, 1, 1]
