"""Which questions are asked: those that a reader of the page can answer with a pencil, and whose answers teach."""

from __future__ import annotations

import ast
import random
from typing import TypeAlias

import pytest
import torch

from autograder.asking.ask import subjects
from autograder.asking.calls_to_ask import smallest
from autograder.asking.change_questions import Outcome, TriedChange
from autograder.asking.line_changes import LineChange, line_changes
from autograder.asking.number_questions import number_questions
from autograder.asking.own_code import OwnCode, Spot
from autograder.asking.question import CodeQuestion
from autograder.asking.worth_asking import Page, helpers, is_change_worth_asking, is_shape_worth_asking
from autograder.author.proof.question_review import about
from autograder.author.proof.right_answers import RightAnswer
from autograder.calls.records import Call, Data, Observation
from autograder.compare.describe import Names
from autograder.core.submission import ChapterSource
from autograder.course.course import Course
from autograder.suite.plan import PlannedCall
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


def test_a_number_that_a_helper_finds_is_not_on_the_page() -> None:
    assert any(each.kind == "number" for each in questions("mean_and_sum", SUMS))
    assert not any(each.kind == "number" for each in questions("mean_and_sum", "return both(x, -1)", HELPER))


def test_what_another_exercise_gives_is_known() -> None:
    asked = questions("mean_and_sum", "return double(x).mean(-1) / 2, x.sum(-1)", "def double(x):\n    return 2 * x\n")
    assert any(each.kind == "number" for each in asked)


@pytest.mark.parametrize(("border", "is_asked"), [("1e9", True), ("9.5", False)])
def test_what_only_some_numbers_show_is_not_asked(border: str, is_asked: bool) -> None:
    asked = changes("double", f"y = 2 * x\n    return y.clamp(max={border})")
    assert asked
    assert ("return y" in asked) is is_asked


def test_a_result_among_several_is_named_by_its_place() -> None:
    texts = {each.text for each in questions("mean_and_sum", SUMS) if each.kind == "number"}
    assert any("of the first result, `mean`" in text for text in texts)
    assert any("of the second result, `sum`" in text for text in texts)


@pytest.mark.parametrize(("decorator", "is_own"), [("keep", True), ("keep(3)", True), ("functools.cache", False)])
def test_what_an_own_decorator_may_keep_from_another_copy_is_not_asked_about(decorator: str, is_own: bool) -> None:
    text = f"def keep(f):\n    return f\n\n\n@{decorator}\ndef double(x):\n    return 2 * x\n"
    own = OwnCode.of(ChapterSource(CHAPTER, text, f"{CHAPTER}.py"), "double", "")
    assert (own is None) is is_own


def test_a_line_that_the_call_does_not_reach_is_not_asked_about() -> None:
    asked = changes("double", "if x.dim() > 7:\n        x = x.contiguous()\n    return 2 * x.contiguous()")
    assert "return 2 * x" in asked
    assert "x = x" not in asked


def test_what_a_call_leaves_out_is_told_with_its_default() -> None:
    asked = questions("double", "return times * x")
    assert asked
    assert all(("times", "2 (left out)") in each.given for each in asked)


@pytest.mark.parametrize(
    ("left_out", "neighbour"),
    [
        ("helper(x).mT", "softmax(x, y).mT"),
        ("n.size", "x.mT.sum(0)"),
        ("self.w", "self.w.mT.sum(0)"),
        ("torch.full((3, y, 2), 1.0)", "torch.full((3, y, 2), 1.0).mT"),
        ("x.new_zeros(y, 3)", "x.reshape(y, 3)"),
        ("x[..., None]", "x[:, None, :]"),
        ("x[None]", "x.mT[None]"),
    ],
)
def test_a_shape_is_asked_for_where_it_follows_from_the_page_and_does_not_stand_there(
    left_out: str, neighbour: str
) -> None:
    own, _ = changed("n = helper(x)\n    return n")
    spots = [Spot(1, words, ast.parse(words, mode="eval").body, 0, False, False) for words in (left_out, neighbour)]
    assert [is_shape_worth_asking(spot, helpers(own, {"softmax"})) for spot in spots] == [False, True]


def test_a_shape_that_hangs_on_the_numbers_is_not_asked() -> None:
    asked = questions("double", "y = torch.stack([x, x])\n    z = y[y > 0].reshape(-1, 1)\n    return 2 * x")
    pieces = {each.asked.piece for each in asked if each.kind == "shape"}
    assert "y" in pieces
    assert "z" not in pieces


Case: TypeAlias = tuple[str, str, Outcome, str]
"""An answer, a line of it once it is changed, what that leads to, and the form of the result."""

BESIDE = "def helper(x, y=1):\n    return x\n\n\ndef softmax(x, y):\n    return x"
SUM = "return 2 * x - y"
RULES: dict[str, tuple[Case, Case]] = {
    "a helper takes what is changed": (
        ("return helper(x, 2)", "return helper(x, 3)", "error", "array"),
        ("return x.view(3, 2)", "return x.view(4, 2)", "error", "array"),
    ),
    "an object of a helper takes it": (
        ("n = helper(x)\n    return n.size(1) * x", "return n.size(0) * x", "numbers", "array"),
        ("n = softmax(x, y)\n    return n.size(1) * x", "return n.size(0) * x", "numbers", "array"),
    ),
    "a helper gives numbers that decide": (
        ("return x / 2 + helper(x)", "return 2 / x + helper(x)", "numbers", "array"),
        ("return x / 2 + helper(x)", "return 2 / x + helper(x)", "shape", "array"),
    ),
    "a manual says what an argument is": (
        ("return F.linear(x, y)", "return F.linear(y, x)", "error", "array"),
        ("return torch.matmul(x, y)", "return torch.matmul(y, x)", "error", "array"),
    ),
    "arguments of two kinds": (
        ("return softmax(x.T, y)", "return softmax(y, x.T)", "error", "array"),
        ("return softmax(x, y)", "return softmax(y, x)", "error", "array"),
    ),
    "a condition in the place of values": (
        ("return torch.where(x < 3, x, y)", "return x < 3", "numbers", "array"),
        ("return torch.where(x < 3, x, y)", "return torch.where(x < 3, y, x)", "numbers", "array"),
    ),
    "nothing is left": (
        ("return x.shape[1] * 2", "return 2", "shape", "array"),
        ("return x.shape[1] * 2", "return x.shape[1]", "shape", "array"),
    ),
    "an empty slice": (
        ("return x[:1]", "return x[:0]", "shape", "array"),
        ("return x[:1]", "return x[:2]", "shape", "array"),
    ),
    "a condition that is none": (
        ("if x > 2:\n        x = x + y\n    return x", "if True:", "shape", "array"),
        ("if x > 2:\n        x = x + y\n    return x", "if x < 2:", "shape", "array"),
    ),
    "a zero with a minus": (
        ("return torch.cat([x, y], dim=-1)", "return torch.cat([x, y], dim=-0)", "shape", "array"),
        ("return torch.cat([x, y], dim=-1)", "return torch.cat([x, y], dim=-2)", "shape", "array"),
    ),
    "another sum": ((SUM, "return 2 * x + y", "numbers", "value"), (SUM, "return 2 * x + y", "numbers", "mask")),
    "another sum of arrays": (
        (SUM, "return 2 * x + y", "numbers", "array"),
        ("return x @ y", "return y @ x", "numbers", "array"),
    ),
    "another factor": ((SUM, "return 3 * x - y", "numbers", "array"), (SUM, "return 3 * x - y", "error", "array")),
    "a border by luck": (
        ("return x[x < 3]", "return x[x <= 3]", "same", "array"),
        ("return x[x < 3]", "return x[x <= 3]", "numbers", "array"),
    ),
    "what a library takes by itself": (
        ("return torch.nan_to_num(x, nan=0.0)", "return torch.nan_to_num(x)", "same", "array"),
        ("return torch.nan_to_num(x, nan=0.0)", "return torch.nan_to_num(x)", "numbers", "array"),
    ),
    "an axis from the other end": (
        ("return x.transpose(-1, 2)", "return x.transpose(-1, -2)", "same", "array"),
        ("return x.transpose(-1, 2)", "return x.transpose(-1, -2)", "numbers", "array"),
    ),
    "what is not given": (
        ("return x + x if y is None else x + y", "return x + x if y is None else x - y", "same", "array"),
        ("return x + x if y is None else x + y", "return x - x if y is None else x + y", "same", "array"),
    ),
}


def changed(body: str) -> tuple[OwnCode, list[LineChange]]:
    text = f"import torch\n\n\n{BESIDE}\n\n\ndef double(x, y=None):\n    {body}\n"
    own = OwnCode.of(ChapterSource(CHAPTER, text, f"{CHAPTER}.py"), "double", "")
    assert own
    return own, [*line_changes(own)]


def is_asked(case: Case, result: Data = None) -> bool:
    body, after, outcome, form = case
    own, found = changed(body)
    (change,) = [each for each in found if each.after == after]
    call = Call("double", (torch.ones(3, 2),))
    planned = PlannedCall(call, Observation(None), Names(arguments=("x", "y")))
    page = Page(own, planned, form, helpers(own, {"softmax"}), {"softmax"})
    return is_change_worth_asking(page, TriedChange(0, change, outcome, result))


@pytest.mark.parametrize("rule", RULES)
def test_a_change_is_left_out_and_its_neighbour_is_asked_about(rule: str) -> None:
    left_out, neighbour = RULES[rule]
    assert not is_asked(left_out)
    assert is_asked(neighbour)


def test_a_change_that_leaves_an_empty_list_is_not_asked_about() -> None:
    case: Case = ("y = []\n    y.append(x)\n    return y", "x", "shape", "list")
    assert not is_asked(case, [])
    assert is_asked(case, [1.0])


@pytest.mark.parametrize("step", ["numpy()", "tolist()", "double()", "contiguous()"])
def test_a_conversion_that_is_left_out_is_no_change(step: str) -> None:
    found = {each.after for each in changed(f"return 2 * x.{step}")[1]}
    assert ("return 2 * x" in found) is (step == "contiguous()")


def test_sums_of_whole_numbers_are_reckoned() -> None:
    assert "return x.sum(-2)" in {each.after for each in changed("return x.sum(-1)")[1]}
    assert not any("+ 1" in each.after for each in changed("return x[-1], x.sum(-1)")[1])


def test_a_length_that_is_another_one_by_accident_is_not_asked_about() -> None:
    """Where there are two axes, three sizes are two."""
    asked = changes("double", "return list(x.shape)[:2]")
    assert "return list(x.shape)[:1]" in asked
    assert "return list(x.shape)[:3]" not in asked


def test_numbers_that_are_not_the_course_s_are_not_asked() -> None:
    assert any(each.kind == "number" for each in questions("double", "return x + x"))
    assert not any(each.kind == "number" for each in questions("double", "return x + 2 * x"))


def asked_entries(
    result: torch.Tensor, wrong: torch.Tensor, elsewhere: torch.Tensor, given: torch.Tensor
) -> dict[str, set[float]]:
    """The choices of each question about the numbers of a result."""
    own, _ = changed("return x")
    planned = PlannedCall(Call("double", (given,)), Observation(result), Names(arguments=("x",)))
    found = number_questions(own, [], {}, planned, (result, [wrong]), [elsewhere], random.Random(1))
    return {each.text[8:].partition(" of")[0]: {*map(float, each.choices)} for each in found}


def test_an_entry_is_asked_for_where_a_wrong_step_and_other_numbers_show() -> None:
    result, given = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([11.0])
    wrong, elsewhere = torch.tensor([1.0, 5.0, 6.0]), torch.tensor([4.0, 2.0, 7.0])
    assert [*asked_entries(result, wrong, elsewhere, given)] == ["entry [2]"]


def test_of_numbers_that_only_move_all_choices_are_given() -> None:
    given = torch.tensor([[1.0, 2.0], [4.0, 8.0]])
    wrong, elsewhere = given.T + 2.25, given.T + 1
    asked = asked_entries(given.T, wrong, elsewhere, given)
    assert len(asked) == 4
    assert all(choices == {1.0, 2.0, 4.0, 8.0} for choices in asked.values())
    assert 4.25 in asked_entries(given.T, wrong, elsewhere, given + 0.5)["entry [1, 0]"]


@pytest.mark.parametrize("sign", [1, -1])
def test_a_choice_is_negative_only_where_another_number_is(sign: int) -> None:
    """As no share or count can be."""
    given, result = torch.tensor([11.0]), torch.tensor([0.25, sign * 0.5])
    asked = asked_entries(result, result + 0.25 * sign, result + 1, given)
    assert any(choice < 0 for choices in asked.values() for choice in choices) is (sign < 0)


@pytest.mark.parametrize(("first", "is_cut"), [(0, True), (-1, False)])
def test_dots_stand_for_lines_that_are_left_out_at_the_end(first: int, is_cut: bool) -> None:
    own, _ = changed("\n    ".join(f"x = x + {number}" for number in range(20)) + "\n    return x")
    lines = own.function.body
    assert (own.shown(lines[first].lineno, 5)[-1] == (0, "")) is is_cut


@pytest.mark.parametrize(("moved", "is_small"), [("T", True), ("flat", False)])
def test_what_only_reshapes_has_no_small_call(moved: str, is_small: bool) -> None:
    def ask(call: Call) -> torch.Tensor:
        (x,) = call.args
        return x.T if moved == "T" else x.reshape(-1)

    call = Call("double", (torch.arange(6.0, dtype=torch.float64).reshape(2, 3) - 3,))
    planned = PlannedCall(call, Observation(ask(call)), Names(arguments=("x",)))
    assert bool([*smallest([planned], ask, ())]) is is_small
