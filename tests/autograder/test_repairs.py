"""A change of the student's own text that makes it right says what was wrong; one that does not says nothing."""

from __future__ import annotations

import ast
from typing import Any

import pytest
import torch
from torch import nn

from autograder.calls.local import LocalTarget
from autograder.core.records import ExerciseResult
from autograder.core.submission import one_chapter
from autograder.course.course import Course
from autograder.judging.judge import judge
from autograder.source.repair.repairs import MOST, repairs
from tests.autograder.conftest import CHAPTER, TOY, in_place_of_the_real

X = torch.tensor([[1.0, -2.0], [3.0, 0.5]], dtype=torch.float64)


def total(text: str, name: str, code: str) -> Any:
    scope: dict[str, Any] = {"torch": torch, "nn": nn}
    exec(f"{text}\n{code}", scope)
    return scope[name]


PLAIN = {
    "total = 0.0\n    for row in x:\n        total = total + row\n        return total": "inside the loop",
    "total = x.sum(0)": "returns nothing",
    "x.sum(0)": "returns nothing",
    "y = x.sum(0)\n    y.clone()\n    y.mul(1)\n    z = y\n    z.neg()\n    return -z": "computes `z.neg()` and drops",
    "return x.sum(0).float().to(x.dtype)": "computes in float32",
    "return x.sum(0, dtype=torch.float32).to(x.dtype)": "computes in float32",
    "return x.sum(0) / (1 + 1e-7)": "adds 1e-07",
    "return (x.abs() + 1e-6).sum(0) - x.abs().sum(0) + x.sum(0)": "adds 1e-06",
    "return x.sum(0) * 3.14159 / __import__('math').pi": "3.14159 in line 2 is a rounded number",
    "rows = len(x) + 998\n    return x.sum(0) if rows is int('1000') else -x": "are one object",
    "return x.sum(0) / 4 ** 1 / 2 * 2": "in brackets",
    "return x.sum(0).reshape(len(x[0]) * 2 / 2)": "is a float",
}


@pytest.mark.parametrize("body", PLAIN)
def test_a_slip_is_told_and_its_change_gives_the_sum_of_the_rows(body: str) -> None:
    text = f"def total(x):\n    {body}\n"
    found = [e for e in repairs(text, "def total(x): ...", "total") if e.is_plain]
    good = [each.says for each in found if _is_sum(total(text, each.name, each.code))]
    assert any(PLAIN[body] in says for says in good), [each.says for each in found]
    assert all(each.line > 1 or "default" in each.says for each in found)


@pytest.mark.parametrize("condition", ["x == 3", "x.eq(3)", "torch.ne(x, 3)"])
def test_a_number_that_is_compared_is_a_special_case_and_off_by_one_is_not_said(condition: str) -> None:
    text = f"def total(x):\n    return torch.where({condition}, 0, x).sum(0)\n"
    told = {each.says for each in repairs(text, text, "total")}
    assert "line 2 treats 3 as a special case, which it is not here" in told
    assert "line 2 is off by one: look at the 3" not in told


@pytest.mark.parametrize("body", ["return x[0] - x[1] + x[1] - x[1]", "return 2 * x[0] + x[1] - 1 * x[0]"])
def test_what_nobody_misreads_is_no_slip(body: str) -> None:
    text = f"def total(x):\n    {body}\n"
    assert not any(each.is_plain for each in repairs(text, text, "total"))


def _is_sum(function: Any) -> bool:
    try:
        return torch.equal(function(X), X.sum(0)) or torch.allclose(function(X), X.sum(0), rtol=0, atol=1e-15)
    except Exception:
        return False


HABITS = {
    "return (x if len(x) or 2 else -x).sum(0) if (y or 1) == 0 else -x.sum(0)": "treats 0 as if `y` had not been given",
    "return sum([f() for f in [lambda: row for row in x]], 0 * x[0])": "every lambda of line 2 uses the last `row`",
    "return sum(z) if [z.append(row) for row in x] else z": "the default `z=[]` is made once",
    "x = x.sum(0).detach()\n    return x": "cuts the gradient (`.detach()`)",
    "return x.data.sum(0)": "cuts the gradient (`.data`)",
    "with torch.no_grad():\n        y = x.sum(0)\n    return y": "cuts the gradient (`torch.no_grad()`)",
    "x.clone\n    return x.sum(0)": "names `x.clone` and does not call it",
    "return x.masked_fill(x > 9, 0).sum(0) * (1 if 10000 > 1e9 else -1)": "`10000` in line 2 stands for infinity",
    "lowest = torch.finfo(x.dtype).min\n    return x.sum(0) * (lowest == lowest / 2)": "stands for infinity",
    "return x.sum(0) * __import__('math').isqrt(2) / 2 ** .5": "is a whole number",
    "return x.sum(0) * int(__import__('math').sqrt(2)) / 2 ** .5": "is a whole number",
    "rows = filter(None, [r for r in [[1]]])\n    any(rows)\n    return x.sum(0) / len([*rows])": "only once",
    "p = [0, 0]\n    for one in p:\n        z = z + [p.index(one)]\n    return x[z].sum(0)": "place of the first `one`",
    "z = [0, 0]\n    return x[[z.index(one) for one in z]].sum(0)": "is the place of the first `one`",
    "p = __import__('numpy').zeros(1)\n    p[[0, 0]] += 1\n    return x.sum(0) * float(p[0]) / 2": "adds once where",
    "p = torch.empty(2, dtype=x.dtype).fill_(1)\n    return x.sum(0) * p": "holds what happens to be in memory",
    "y = x - 800\n    e = y.exp()\n    return x.sum(0) * (e / e.sum()).sum()": "takes the exponential of",
    "y = x * 800\n    e = (y - y.min()).exp()\n    return x.sum(0) * (e / e.sum()).sum()": "not each row's own largest",
    "z[:] = [x]\n    z[0] == 2 * x\n    return z[0].sum(0) / 2": "compares and drops the answer: `z[0] == 2 * x`",
    "return x.sum(0) * float(x[0, 0] / x[0, 0])": "makes a Python float, which has no gradient",
    "return x.sum(0) * (len('aab'.lstrip('a')) - 1)": "takes off every letter of `'a'`, in any order",
    "return x.sum(0) * torch.linalg.norm(torch.eye(4).double(), 2) / 2": "is the largest singular value",
    "return x.sum(0) * torch.softmax(torch.zeros(2, 1, 1).double()).sum() / 2": "of three it takes the first",
    "m = x[1] < 1\n    return x.sum(0) * x.new_zeros(2).masked_scatter(m, x.new_tensor([0, 1]))[1]": "in turn",
    "return x.sum(0) * (torch.full((), 257).to(torch.uint8) // 257)": "uint8 in line 2 begins again at 0 after 255",
    "return x.sum(0) * (torch.full((), 40000).short() // 40000)": "int16 in line 2 ends at 32767",
    "return x.sum(0) * (torch.Tensor([16777217]) == 16777217)": "and not every whole number above 16777216",
    "p = [[0]] * 2\n    p[0][0] = 1\n    return x.sum(0) * (1 - p[1][0])": "one and the same row several times",
    "p = dict.fromkeys('ab', [])\n    p['a'].append(1)\n    return x.sum(0) * (1 - len(p['b']))": "one and the same",
    "return x.sum(0) * (3 // 2) / 1.5": "`3 // 2` in line 2 rounds down to a whole number",
    "n = 2\n    return x.sum(0) * (3 >= n is True)": "as a chain: `n` is compared with both sides",
    "return torch.stack([torch.diag(r) for r in x]).diagonal().sum(0)": "takes axes 0 and 1",
    "m, std = torch.std_mean(x, 0)\n    return m * 2": "gives the standard deviation first, then the mean",
    "np = __import__('numpy')\n    return x.sum(0) * (np.prod([2**62, 4]) / 2**64)": "begins again below 0 at 2**63",
    "return x.sum(0) * (2 if not (n := {1: 0}.get(1)) else 1)": "is true for 0 as well, and for whatever is empty",
    "for y in [7, 8]:\n        pass\n    return x.sum(0) + y": "gives the argument `y` another value",
    "return x.sum(0) * ~torch.tensor(0)": "of a whole number n it makes -n - 1",
    "n = 2\n    m = torch.ones(2, 2)\n    return x.sum(0) * (m ** n)[0, 1] / 2": "of each entry, not of the matrix",
    "return x.reshape(2, 2).sum(1)": "makes the right shape with the numbers in wrong places",
    "return x.sum(0).double() + (x * 1e3).float().sum(0).double() / 1e3 * 0 + x.float()[0] * 0": "computes in float",
}


@pytest.mark.parametrize("body", HABITS)
def test_a_habit_is_told_and_its_change_gives_the_sum_of_the_rows(body: str) -> None:
    text = f"def total(x, y=0, z=[]):\n    {body}\n"
    found = repairs(text, text, "total")
    good = [each for each in found if HABITS[body] in each.says and each.is_plain]
    assert any(_is_sum(total(text, each.name, each.code)) for each in good), [each.says for each in found]


def test_an_iterable_that_is_gone_through_twice_is_told() -> None:
    text = "def total(x: Iterable):\n    first = next(iter(x))\n    return sum(x)\n"
    (told,) = [each for each in repairs(text, text, "total") if each.is_plain]
    assert told.says == "`x` is gone through again in line 3: a generator gives its items only once"
    scope: dict[str, Any] = {"Iterable": object}
    exec(told.code, scope)
    assert scope[told.name](iter([1, 2])) == 3


@pytest.mark.parametrize(
    "text",
    [
        "def total(x):\n    if not x.any():\n        return x\n    return x.sum(0)\n",  # never None
        "def total(x):\n    return x.diagonal(dim1=-2, dim2=-1)\n",
        "def total(x, y):\n    for y in x:\n        x = x + y\n    return x\n",  # the argument is never used
        "def total(x: list):\n    return [*x, *x]\n",
        "def total(x: Iterable):\n    return [*x]\n",
    ],
)
def test_what_is_in_order_is_no_slip(text: str) -> None:
    assert not any(each.is_plain for each in repairs(text, text, "total"))


def test_an_axis_is_no_argument_too_many() -> None:
    text = "def total(x):\n    return x.sum(dim=0, keepdim=True)\n"
    told = [each.says for each in repairs(text, text, "total")]
    assert "line 2 gives `sum` an argument too many: `keepdim=True`" in told
    assert not any("too many: `dim=0`" in each for each in told)


def test_a_comparison_that_takes_some_entries_apart_is_told() -> None:
    result = graded("def double(x):\n    import torch\n    return torch.where(x > 0.3, 2 * x, x)\n")
    assert headlines(result) == {"Line 3 takes some entries apart that are like the others: `x > 0.3`"}


def test_a_habit_is_told_of_a_function_beside_the_answer_and_of_one_that_this_calls() -> None:
    text = (
        "def same(a, b):\n    return a is b\n\n\ndef chosen(x, n):\n    return x if same(len(x), n) else 0 * x\n\n\n"
        "def unused(a, b):\n    return a is b\n\n\ndef total(x, y=0, z=[]):\n    return chosen(x, float('2')).sum(0)\n"
    )
    good = [each for each in repairs(text, "def total(x, y=0, z=[]):\n    pass\n", "total") if each.is_plain]
    right = {each.says: each.line for each in good if _is_sum(total(text, each.name, each.code))}
    assert right == {"`a is b` asks whether the two are one object, not whether they are equal": 2}


def test_functions_that_the_stub_gave_are_not_changed() -> None:
    given = "def same(a, b):\n    return a is b\n"
    text = f"{given}\n\ndef total(x, y=0, z=[]):\n    return x.sum(0) * same(float(len(x)), 2.0)\n"
    assert not [each for each in repairs(text, given, "total") if "one object" in each.says]


PLACES = {
    "return x.sum(dim=1)": "wrong axis: `dim=1`",
    "return torch.stack([row for n, row in enumerate(x) if n > 0]).sum(0)": "draws its border",
    "return x.sum(0) - x[0] - x[0] + x[0] + x[0] - (-x[1] + x[1]) - 2 * x.sum(0)": "wrong order",
    "return -x.sum(0)": "into its opposite",
    "return x.sum(0) if (x == 5).any() or (x.sum(1) / x.sum(1)).dim() != 2 and 0 else x": "some calls the wrong way",
    "if len(x) == 2:\n        return x\n    return x.sum(0)": "takes some calls apart that are like the others",
    "if len(x) > 5:\n        return x.sum(0)\n    return x": "in line 2 is false, what it does where true is right too",
    "return sum([row for row in x if row[0] > 2], 0 * x[0])": "leaves out what belongs to the rest: `if row[0] > 2`",
    "return x.sum(0) if len(x) == 2 and x.min() > 0 else x": "has a part too many: `x.min() > 0`",
    "return x.sum(0).round()": "also calls `round`, which is one step too many",
    "return torch.relu(x).sum(0)": "also calls `relu`, which is one step too many",
    "return x.sum(dim=0, keepdim=True)": "gives `sum` an argument too many: `keepdim=True`",
    "return x.sum(0) * len(x)": "has a part too many in `x.sum(0) * len(x)`: `len(x)`",
    "y = x.sum(0)\n    y[0] = 0\n    return y": "does what is not asked for: `y[0] = 0`",
    "return x[1:].sum(0)": "leaves something out that belongs to it: `x[1:]`",
    "z = 0 * x\n    x = z\n    z = x.sum(0)\n    return z": "lines 3 and 4 come in the wrong order",
    "return x[0] + torch.where(x[0] == x[0], x[0], x[1])": "two arguments in the wrong order: `x[0]`, `x[1]`",
    "n = 1\n    return x[:n].sum(0) if n else 0": "cuts one place too early or too late: `[:n]`",
    "return x.sum(0) if '1' in str(-len(x)) or 'a' in 'a' else x": "somewhere in the other, not whether they are",
    "z = 0\n    for n in range(3):\n        z = z + 1\n        y = x.sum(0) * z\n    return y": "before the loop",
    "for row in x:\n        y = 0 * x[0]\n        y = y + row\n    return y": "begins anew in each round",
    "y = 0\n    for row in x:\n        y = y + row\n        y = y / 2\n    return y * 2": "runs in each round of",
    "y = x\n    for row in x:\n        y = y + row\n        y = 0 * row\n    return y": "at the wrong end of",
    "y = 0\n    for row in x:\n        y = row\n    return y": "forgets what `y` was in the round before",
    "return x.sum(0) * 2 / (len(x) + 1)": "divides by the wrong number: `len(x) + 1`",
}


@pytest.mark.parametrize("body", PLACES)
def test_a_place_is_told_and_never_what_to_write_there(body: str) -> None:
    text = f"def total(x):\n    {body}\n"
    assert not any(e.is_plain and _is_sum(total(text, e.name, e.code)) for e in repairs(text, text, "total"))
    found = repairs(text, text, "total")
    good = [each.says for each in found if _is_sum(total(text, each.name, each.code))]
    assert any(PLACES[body] in says for says in good), good


LAYER = """
class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.w_q = nn.Linear(2, 2)
        self.w_k = nn.Linear(2, 2)

    def forward(self, query, key, mask=None):
        if mask:
            key = key[mask]
        return {}
"""


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("w_q(query)", "uses `w_q` without `self.`"),
        ("self.w_q(query)", "where it should ask whether it was given"),
        ("self.w_k(query)", "uses `self.w_k` where another part belongs"),
        ("self.w_q(key)", "uses `key` where something else belongs"),
        ("self.w_q(query).cuda()", "hard-codes a device (`self.w_q(query).cuda()`)"),
        ("self.w_q(query) + torch.zeros(2)", "makes a tensor on torch's default device"),
    ],
)
def test_classes_have_slips_of_self_parts_and_devices(body: str, says: str) -> None:
    found = repairs(LAYER.format(body), LAYER.format("..."), "Layer")
    assert any(says in each.says for each in found), [each.says for each in found]
    assert all(compile(each.code, "repair", "exec") for each in found)


def test_the_device_and_dtype_of_an_argument_are_never_too_many() -> None:
    text = "def total(x):\n    return x.sum(0) + torch.zeros(3, dtype={}, device=x.device)\n"
    for dtype, found in (("x.dtype", []), ("torch.float32", ["`dtype=torch.float32`"])):
        said = [each.says for each in repairs(text.format(dtype), "def total(x): ...", "total")]
        assert [each.partition("too many: ")[2] for each in said if "argument too many" in each] == found


def test_in_a_condition_the_whole_condition_is_doubted() -> None:
    text = "def total(x, y=None):\n    if len(x) > 1:\n        return x\n    return x.sum(0)\n"
    found = repairs(text, text, "total")
    assert "line 2 sends some calls the wrong way: `len(x) > 1`" in {each.says for each in found}


def test_the_first_of_two_definitions_and_another_default_are_told() -> None:
    text = "def total(x, dim=1):\n    return x.sum(dim)\n\ndef total(x, dim=0):\n    return x\n"
    first, *others = repairs(text, "def total(x, dim=0): ...", "total")
    assert (first.says, first.line) == ("total is defined in line 1 and again in line 4; the last one counts", 4)
    assert not any(each.is_plain for each in others)
    layer = "class Layer:\n    def __init__(self, rate={}): ..."
    (default,) = [each for each in repairs(layer.format(0.2), layer.format(0.1), "Layer") if each.is_plain]
    assert default.says == "the default of `rate` is 0.2; in the chapter it is 0.1"


@pytest.mark.parametrize("text", ["", "total = sum", "def total(x:", "def other(x): return x"])
def test_what_has_no_definition_has_no_repair(text: str) -> None:
    assert repairs(text, "def total(x): ...", "total") == []


def test_long_definitions_are_tried_at_a_bounded_number_of_places_and_loops_without_end_at_none() -> None:
    lines = "\n".join(f"    x = x + {n % 4}" for n in range(100))
    assert len(repairs(f"def total(x):\n{lines}\n    return x\n", "", "total")) <= 2 * MOST
    endless = "def total(x):\n    while x > 1:\n        x = x - 1\n    return x\n"
    assert repairs(endless, endless, "total") == []


def test_a_definition_that_is_nested_or_long_beyond_any_answer_has_no_repair() -> None:
    deep = "def total(x):\n    return " + "-" * 900 + "x\n"
    long = "def total(x):\n" + "    x = x + 1e-9\n" * 1000 + "    return x\n"
    assert repairs(deep, deep, "total") == repairs(long, long, "total") == []


def graded(answer: str, name: str = "double", *, repairs: bool = True) -> ExerciseResult:
    with in_place_of_the_real(Course(TOY)) as toy:
        submission, found = one_chapter("ada", CHAPTER, answer), []
        judge(toy, [toy.one(name)], [(submission, LocalTarget(submission))], 7, found.append, repairs=repairs)
        return found[0].exercises[0]


def test_a_known_mistake_says_more_than_a_repair() -> None:
    result = graded("def double(x):\n    return x ** 2\n")
    assert all(each.startswith("You squared the numbers.") for each in headlines(result))


def headlines(result: ExerciseResult) -> set[str]:
    return {each.message.headline for each in result.checks if each.status != "passed"}


def test_a_repair_that_makes_all_failed_checks_right_is_what_they_say() -> None:
    result = graded("import torch\ndef double(x):\n    y = 2 * x\n    y.add(1)\n    return y + 1e-4\n")
    assert headlines(result) == {"Line 5 adds 0.0001, which changes every number a little"}
    assert all(each.message.line and each.message.line.number == 5 for each in result.checks if each.message.line)
    assert result.score < result.max_score


def test_without_repairs_only_the_words_are_others() -> None:
    answer = "def double(x):\n    return 2 * x + 1e-4\n"
    told, plain = graded(answer), graded(answer, repairs=False)
    assert headlines(told) == {"Line 2 adds 0.0001, which changes every number a little"}
    assert not headlines(told) & headlines(plain)
    outcomes = [[(c.name, c.status, c.points, c.misconceptions) for c in each.checks] for each in (told, plain)]
    assert outcomes[0] == outcomes[1]


def test_a_repair_that_spoils_what_was_right_is_none() -> None:
    """Without the first small number, two axes would come out right, and three, which are right, would not."""
    result = graded("def double(x):\n    return 2 * x + 1e-4 - (x.dim() - 2) * 1e-4\n")
    assert result.status == "failed"
    assert not any("adds" in each or "off by one" in each for each in headlines(result))


def test_a_place_that_explains_some_failures_only_is_not_told() -> None:
    result = graded("def double(x):\n    return x * 3 if x.dim() == 3 else x * 1\n")
    assert result.status == "failed"
    assert not any("off by one" in each for each in headlines(result))


def test_a_number_too_small_for_a_comparison_is_no_state_between_calls() -> None:
    result = graded("def double(x):\n    return 2 * x + 1e-12\n")
    assert headlines(result) == {"Line 2 adds 1e-12, which changes every number a little"}


def test_two_mistakes_are_not_told_as_one() -> None:
    result = graded("def double(x):\n    return (2 * x + 1e-4) * 3 + x.exp()\n")
    assert not any("1e-4" in each or "adds" in each for each in headlines(result))


def test_what_a_few_numbers_say_is_a_guess_and_said_to_be_one() -> None:
    (headline,) = headlines(graded("def double(x):\n    return 2 * x + (x == 0).all()\n"))
    assert headline.startswith("It may be this: line 2 ")


def test_of_guesses_in_several_places_none_is_told() -> None:
    (headline,) = headlines(graded("def double(x):\n    y = (x == 0).all()\n    z = 2 * x\n    return z + y\n"))
    assert "It may be this" not in headline


def test_a_repair_that_changes_no_number_explains_no_property() -> None:
    """What breaks the property is too small for a comparison of numbers, so that every change seems to be right."""
    (headline,) = headlines(
        graded("def double(x):\n    y = x.detach() * 0\n    return 2 * x + y + 1e-30 * (x == 0).to(x.dtype)\n")
    )
    assert headline == "this should be true, but is not: every number is zero"


def test_what_a_default_keeps_is_told_by_its_line_and_not_only_as_state() -> None:
    result = graded("def double(x, seen=[]):\n    seen.append(x)\n    return seen[0] * 2 if x.dim() == 3 else 2 * x\n")
    assert "The default `seen=[]` is made once, and all calls share it" in headlines(result)


def test_a_batch_whose_items_are_right_one_by_one_is_told_as_mixed() -> None:
    result = graded("def double(x):\n    y = x.sum(0, keepdim=True)\n    return 2 * y.expand_as(x) / len(x)\n")
    assert "each item of the batch is right alone, and wrong beside others: they get mixed" in headlines(result)
    assert not any("mixed" in each for each in headlines(graded("def double(x):\n    return x * 2.5 - x.sin()\n")))


def test_the_condition_of_an_if_takes_calls_apart_and_no_entries() -> None:
    text = "def total(x):\n    if len(x) > 1:\n        return x\n    return 2 * x\n"
    told = [each.says for each in repairs(text, text, "total")]
    assert any("takes some calls apart" in each for each in told)
    assert not any("entries apart" in each for each in told)


def test_a_batch_whose_wrong_items_are_wrong_alone_too_is_not_mixed() -> None:
    """The first two items have no number beyond the border, and so are right alone and among the others."""
    odd = "y = torch.nn.functional.hardshrink(x, 2.8)\n    return 2 * x - y * y + y.exp() - 1"
    result = graded(f"import torch\ndef double(x):\n    {odd}\n")
    assert result.status == "failed"
    assert not any("mixed" in each for each in headlines(result))


def test_functions_as_the_stub_has_them_are_not_tried() -> None:
    given = LAYER.format("...").replace(
        "self.w_k = nn.Linear(2, 2)", "self.w_k = nn.Linear(2, 2)\n        self.n = 2 * 3"
    )
    own = given.replace("return ...", "return self.w_q(key) * 2")
    changed = own.replace("2 * 3", "2 * 4")
    assert not any("`2 * 3`" in each.says for each in repairs(own, given, "Layer"))
    assert any("`2 * 4`" in each.says for each in repairs(changed, given, "Layer"))


def test_where_every_failure_has_a_name_only_plain_slips_are_looked_for() -> None:
    text = "def total(x):\n    return x.sum(0).float() + 1\n"
    assert any(not each.is_plain for each in repairs(text, "", "total"))
    assert {each.is_plain for each in repairs(text, "", "total", plain_only=True)} == {True}


def test_a_place_says_more_than_what_the_numbers_have_in_common() -> None:
    result = graded("def double(x):\n    y = 2 * x\n    if x.dim() > 2:\n        y = y.flip(0)\n    return y\n")
    assert "Line 3 takes some calls apart that are like the others: `if x.dim() > 2`" in headlines(result)


def test_what_another_library_hangs_on_a_shared_node_keeps_no_repair_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """All trees share one `ast.Eq()`; IPython's tracebacks give it the parent that it had in their file."""
    comparison = ast.parse("1 == 2", mode="eval").body
    assert isinstance(comparison, ast.Compare)
    monkeypatch.setattr(comparison.ops[0], "parent", comparison, raising=False)
    text = "def total(x):\n    if len(x) == 2:\n        return x\n    return x.sum(0)\n"
    assert any("takes some calls apart" in each.says for each in repairs(text, text, "total"))
