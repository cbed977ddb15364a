"""Which questions are asked: those that a reader of the page can answer with a pencil, and whose answers teach."""

from __future__ import annotations

import ast

import pytest

from autograder.asking.ask import subjects
from autograder.asking.change_questions import TriedChange, is_foregone
from autograder.asking.line_changes import LineChange
from autograder.asking.question import CodeQuestion
from autograder.author.proof.question_review import about
from autograder.author.proof.right_answers import RightAnswer
from autograder.course.course import Course
from tests.autograder.conftest import CHAPTER, TOY

HEAD = "import torch\nfrom torch import nn\n\n"
NAMES = {"double": "def double(x, times=2):", "mean_and_sum": "def mean_and_sum(x):"}


def questions(name: str, body: str, beside: str = "") -> list[CodeQuestion]:
    """All questions about an answer of a few lines, with something else in its file."""
    course = Course(TOY)
    text = f"{HEAD}{beside}\n{NAMES[name]}\n    {body}\n"
    answer = RightAnswer(CHAPTER, "own", course.solution(CHAPTER), text, (name,))
    exercise = course.one(name)
    return about(course, answer, exercise, subjects(course, [exercise], 3)[name], 3)


def changes(name: str, body: str, beside: str = "") -> dict[str, str]:
    """The outcome of each change that is asked about, by the line that it gives."""
    return {each.asked.piece: each.outcome for each in questions(name, body, beside) if each.kind == "change"}


SUMS = "return x.mean(-1), x.sum(-1)"
HELPER = "def both(x, axis):\n    return x.mean(axis), x.sum(axis)\n"


def test_what_a_helper_makes_of_a_change_is_not_on_the_page() -> None:
    assert changes("mean_and_sum", SUMS)
    assert changes("mean_and_sum", "return both(x, -1)", HELPER) == {}


def test_a_number_that_a_helper_finds_is_not_on_the_page() -> None:
    assert any(each.kind == "number" for each in questions("mean_and_sum", SUMS))
    assert not any(each.kind == "number" for each in questions("mean_and_sum", "return both(x, -1)", HELPER))


def test_what_another_exercise_gives_is_known() -> None:
    asked = questions("mean_and_sum", "return double(x).mean(-1) / 2, x.sum(-1)", "def double(x):\n    return 2 * x\n")
    assert any(each.kind == "number" for each in asked)


def test_an_axis_counted_from_the_other_end_is_no_change() -> None:
    outcomes = changes("mean_and_sum", "total = x.sum(dim=-1)\n    return total / x.shape[-1], total")
    assert "shape" in outcomes.values()
    assert "same" not in outcomes.values()


@pytest.mark.parametrize(("border", "is_asked"), [("1e9", True), ("6", False)])
def test_what_only_some_numbers_show_is_not_asked(border: str, is_asked: bool) -> None:
    asked = changes("double", f"y = 2 * x\n    return y.clamp(max={border})")
    assert asked
    assert ("return y" in asked) is is_asked


def test_a_line_of_which_nothing_is_left_is_not_asked_about() -> None:
    every = changes("double", "one = torch.ones_like(x)\n    return x + one * x")
    assert every
    assert not any("x" not in after.replace("ones_like", "") for after in every)


@pytest.mark.parametrize("conversion", ["numpy()", "tolist()", "double()"])
def test_a_conversion_that_is_left_out_is_for_a_manual(conversion: str) -> None:
    body = f"y = torch.tensor(x.{conversion}).to(x.dtype) + 0 * x\n    return 2 * y"
    assert not any(conversion not in after for after in changes("double", body) if "torch.tensor(" in after)


def test_sums_of_whole_numbers_are_reckoned() -> None:
    asked = changes("mean_and_sum", SUMS)
    assert not any("+ 1" in after or "-0" in after for after in asked)


def test_a_result_among_several_is_named_by_its_place() -> None:
    texts = {each.text for each in questions("mean_and_sum", SUMS) if each.kind == "number"}
    assert any("of the first result, `mean`" in text for text in texts)
    assert any("of the second result, `sum`" in text for text in texts)


def test_what_an_own_decorator_may_keep_from_another_copy_is_not_asked_about() -> None:
    kept = "KEPT = {}\ndef keep(f):\n    return lambda x: KEPT.setdefault(x.shape, f(x))\n\n\n@keep"
    assert questions("double", "return 2 * x", "def keep(f):\n    return f")
    assert questions("double", "return 2 * x", kept) == []


@pytest.mark.parametrize(
    ("body", "lost"),
    [
        ("return torch.where(x < 3, 2 * x, x + x)", "x <= 3"),
        ("return torch.nan_to_num(2 * x, nan=0.0)", "nan_to_num(2 * x)"),
        ("return torch.stack([x, x], 0).flatten(1)[:1].sum(0).reshape(x.shape) * 2", "[:0]"),
        ("y = x.transpose(-1, -2)\n    return 2 * y.transpose(-1, -2)", "transpose(-2, -1)"),
        ("return Both().of(x)", "(x, 3)"),
    ],
)
def test_what_luck_or_a_manual_decides_is_not_asked(body: str, lost: str) -> None:
    beside = "class Both:\n    def of(self, x, times=2):\n        return times * x\n\n"
    assert not any(lost in after for after in changes("double", body, beside))


def test_that_another_sum_is_another_number_needs_no_thought() -> None:
    assert changes("mean_and_sum", "return x.mean(-1) + 1, x.sum(-1)")
    tried = TriedChange(0, change_of("operators"), "numbers", 3.0)
    assert is_foregone(tried, "value")
    assert not is_foregone(tried, "array")
    assert not is_foregone(TriedChange(0, change_of("axes"), "numbers", 3.0), "value")


def change_of(kind: str) -> LineChange:
    definition = ast.parse("def total(x):\n    return 1 + x").body[0]
    assert isinstance(definition, ast.FunctionDef)
    return LineChange(2, "1 + x", "1 - x", definition, kind, ast.Constant(1), ast.Constant(2))


def test_a_line_that_the_call_does_not_reach_is_not_asked_about() -> None:
    asked = changes("double", "if x.dim() > 7:\n        x = x.contiguous()\n    return 2 * x.contiguous()")
    assert "return 2 * x" in asked
    assert "x = x" not in asked


def test_what_a_call_leaves_out_is_told_with_its_default() -> None:
    asked = questions("double", "return times * x")
    assert asked
    assert all(("times", "2 (left out)") in each.given for each in asked)


def test_what_an_object_of_a_class_that_is_not_shown_does_is_not_asked() -> None:
    beside = "class Times:\n    def of(self, x, n=2):\n        return torch.stack([x, x], 0)\n"
    asked = questions("double", "times = Times()\n    y = times.of(x, 3)\n    return y.sum(0)", beside)
    assert not any("times.of" in each.asked.piece for each in asked)


def test_a_shape_that_hangs_on_the_numbers_is_not_asked() -> None:
    asked = questions("double", "y = torch.stack([x, x])\n    z = y[y > 0].reshape(-1, 1)\n    return 2 * x")
    pieces = {each.asked.piece for each in asked if each.kind == "shape"}
    assert "y" in pieces
    assert "z" not in pieces
