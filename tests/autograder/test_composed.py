"""Two mistakes at once, a mistake shared with another exercise, and a mistake in some of the calls only."""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from autograder.calls.records import Build, Call
from autograder.compare.composed import composed, condition, lowered
from autograder.compare.describe import Names
from autograder.compare.oracle import Oracle
from autograder.core.errors import CheckFailed
from autograder.core.records import CheckResult
from autograder.course.model import Misconception
from tests.autograder.exercise_doubles import F64, agreeing, refused

X = torch.tensor([[0.5, -1.5, 2.5], [1.0, 0.25, -3.0]], dtype=F64)
MASK = torch.tensor([[True, False, True], [True, True, False]])


def chapter(code: str) -> dict[str, Any]:
    """Functions that call one another by name, as those of a chapter do."""
    module = types.ModuleType("chapter")
    exec(code, module.__dict__)
    return module.__dict__


CHAPTER = chapter("""
def halved(x): return x / 2
def halved_not(x): return x
def both(x, shift=1.0): return halved(x) + shift * x.abs()
def both_unshifted(x, shift=1.0): return halved(x) + 0 * x.abs()
def both_doubled(x, shift=1.0): return both(x, 2 * shift)
def both_tripled(x, shift=1.0): return both(x, 3 * shift)
def both_squared(x, shift=1.0): return both(x * x, shift)
def inside(x): return [halved(each) for each in x]
""")


def mistake(name: str, exercise: str, says: str = "You forgot it.") -> Misconception:
    return Misconception(name, exercise, CHAPTER[name], says, f"Mend {name}.")


def test_a_mistake_of_an_exercise_that_is_called_is_found_in_the_caller() -> None:
    other = mistake("halved_not", "halved", "A half is forgotten.")
    (found,) = composed(CHAPTER["both"], "both", [], [other])
    assert torch.equal(found.function(X), X + X.abs())
    assert found.says == "`both` shares a mistake of `halved`: a half is forgotten."
    assert (found.exercise, found.identifier) == ("both", "halved_not")
    assert torch.equal(CHAPTER["both"](X), X / 2 + X.abs())  # the right one stays right
    (inside,) = composed(CHAPTER["inside"], "inside", [], [other])
    assert inside.function([2.0]) == [2.0]


def test_two_mistakes_of_one_exercise_are_made_together() -> None:
    own = [
        replace(mistake("both_doubled", "both", "Twice."), cure="Once is enough."),
        mistake("both_squared", "both", "Squared."),
    ]
    found = {each.identifier: each for each in composed(CHAPTER["both"], "both", own, [])}
    assert {*found} == {"both_doubled+both_squared", "both_squared+both_doubled"}
    pair = found["both_doubled+both_squared"]
    assert torch.equal(pair.function(X), X * X / 2 + 2 * X * X)
    assert pair.says == "Two mistakes at once. Twice. And: Squared."
    assert (pair.advice, pair.cure) == ("Mend both_doubled. Mend both_squared.", "Once is enough.")


def test_what_does_not_call_the_other_exercise_or_is_no_function_has_no_pair() -> None:
    other = mistake("halved_not", "halved")
    assert [*composed(CHAPTER["halved"], "halved", [], [replace(other, exercise="both")])] == []
    assert [*composed(torch.nn.Linear, "linear", [replace(other, function=torch.nn.Linear)], [other])] == []


@pytest.mark.parametrize(
    ("sentence", "lower"),
    [
        ("You forgot it.", "you forgot it."),
        ("A row is lost.", "a row is lost."),
        ("P does not divide.", "P does not divide."),
        ("ReLU comes last.", "ReLU comes last."),
        ("`x` is lost.", "`x` is lost."),
        ("", ""),
    ],
)
def test_only_a_word_is_written_small_after_a_colon(sentence: str, lower: str) -> None:
    assert lowered(sentence) == lower


def test_two_known_mistakes_at_once_are_named_without_a_known_pair() -> None:
    agree = agreeing_on_both(lambda x: X * X / 2 + 2 * X * X, "doubled", "squared")
    failed = refused(lambda: agree(X), "Two mistakes at once. ")
    assert {"doubled+squared", "squared+doubled"} & {*failed.misconceptions}


def test_a_mistake_that_shows_nothing_on_a_call_is_in_no_pair_there(monkeypatch: pytest.MonkeyPatch) -> None:
    for x, pairs in ((X, 6), (X * 0 + 1, 2)):  # a square of ones is no other number
        tried = tried_pairs(monkeypatch)
        agree = agreeing_on_both(lambda x: X.cos() + x, "doubled", "tripled", "squared")
        refused(lambda agree=agree, x=x: agree(x), "differ")
        assert [*map(len, tried)] == [pairs]
    assert set(tried[0]) == {"doubled+tripled", "tripled+doubled"}


def test_a_pair_that_an_earlier_failure_rules_out_is_not_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = tried_pairs(monkeypatch)
    agree = agreeing_on_both(lambda x: x.cos() + x, "doubled", "tripled", "squared")
    for x in (X, X + 1):
        refused(lambda x=x: agree(x), "differ")
    assert [*map(len, tried)] == [6, 6, 0]  # the first call, the first again from the second, and the second


def test_a_pair_that_explains_every_failure_is_found_at_each(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = tried_pairs(monkeypatch)
    agree = agreeing_on_both(lambda x: x * x / 2 + 2 * x * x, "doubled", "squared", "tripled")
    for x in (X, X + 1):
        refused(lambda x=x: agree(x), "Two mistakes at once. ")
    assert [*map(len, tried)] == [6, 6, 2]  # squared and doubled in either order


def tried_pairs(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The pairs that are tried on each call."""
    tried: list[list[str]] = []
    like = Oracle.like

    def watched(self, kind, known, *args, **kwargs):
        if kind == "composed":
            tried.append([each.identifier for each in known])
        return like(self, kind, known, *args, **kwargs)

    monkeypatch.setattr(Oracle, "like", watched)
    return tried


def agreeing_on_both(answer: Callable[..., Any], *mistakes: str) -> Any:
    """A check of `both`, with these of its known mistakes."""
    agree = agreeing(CHAPTER["both"], answer, **{name: CHAPTER[f"both_{name}"] for name in mistakes})
    for known in agree.evidence.known.singles:  # here the exercise is called "answer"
        scope = {**known.function.__globals__, "answer": CHAPTER["both"]}
        object.__setattr__(known, "function", types.FunctionType(renamed(known.function), scope, None, (1.0,)))
    return agree


def renamed(function: Callable[..., Any]) -> types.CodeType:
    code = function.__code__
    return code.replace(co_names=tuple("answer" if name == "both" else name for name in code.co_names))


def masked(x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
    return 2 * x if mask is None else torch.where(mask, 2 * x, -1)


def undoubled(x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
    return masked(x / 2, mask)


def test_a_mistake_in_some_calls_is_named_with_what_tells_them_apart() -> None:
    def answer(x, mask=None):
        return masked(x) if mask is None else undoubled(x, mask)

    agree = agreeing(masked, answer, undoubled=undoubled)
    agree(X)
    assert failed(agree, "one right call says little", X, MASK).misconceptions == ()
    agree(X + 1)
    refusal = refused(lambda: agree(X, MASK), "With a `mask`: undoubled")
    assert refusal.misconceptions == ("undoubled",)


def test_where_no_condition_separates_the_calls_there_is_no_name() -> None:
    def answer(x, mask=None):
        return masked(x, mask) if x[0, 0] > 0 else undoubled(x, mask)

    agree = agreeing(masked, answer, undoubled=undoubled)
    agree(X, MASK)
    assert refused(lambda: agree(-X, MASK), r"result\[").misconceptions == ()


def test_a_condition_holds_of_every_call_that_failed_in_that_way() -> None:
    def answer(x, mask=None):
        return masked(x, mask) if len(x) == 1 else undoubled(x, mask)

    agree = agreeing(masked, answer, undoubled=undoubled)
    agree(X[:1])
    agree(X[1:])
    first = failed(agree, "first", X, MASK)
    assert "With a `mask`" in first.message.headline  # all that is known so far
    second = failed(agree, "second", X)
    assert "Where `x` holds several items: undoubled" in second.message.headline
    assert "Where `x` holds several items: undoubled" in settled(agree, "first", first).message.headline


def failed(agree: Any, check: str, *given: Any) -> CheckFailed:
    other = agree.of(check)
    return refused(lambda: other(*given), ".")


def settled(agree: Any, check: str, seen: CheckFailed) -> CheckResult:
    result = CheckResult(check, "", "values", 0, 1, "failed", seen.message, seen.misconceptions)
    return agree.evidence.settled(result)


def test_a_name_that_another_failure_contradicts_is_withheld() -> None:
    """What an answer shows in one call may look like a mistake that its other wrong numbers speak against."""

    def answer(x):
        return x if len(x) == 2 else x.exp()

    agree = agreeing(lambda x: 2 * x, answer, undoubled=lambda x: x)
    first = failed(agree, "first", X)
    assert first.misconceptions == ("undoubled",)
    other = failed(agree, "second", torch.cat([X, X + 1]))
    assert other.misconceptions == ()
    assert settled(agree, "first", first).misconceptions == ()
    assert "undoubled" not in settled(agree, "first", first).message.text


def test_a_name_that_explains_more_failures_than_contradict_it_is_kept() -> None:
    agree = agreeing(lambda x: 2 * x, lambda x: x if len(x) < 4 else x.exp(), undoubled=lambda x: x)
    first = failed(agree, "first", X)
    failed(agree, "second", X[:, :2])
    failed(agree, "third", torch.cat([X, X + 1]))
    assert settled(agree, "first", first).misconceptions == ("undoubled",)


def test_calls_without_gradients_say_nothing_of_where_gradients_go_wrong() -> None:
    agree = agreeing(lambda x: x**2, lambda x: x.detach() * x if x.dim() == 2 else x * x)
    for given in (X[0], X[1], X[0] + 1):
        agree(given)
    first = refused(lambda: agree.of("first")(X, gradients=True), ".")
    assert "goes wrong" not in settled(agree, "first", first).message.text
    agree(X[0], gradients=True)
    agree(X[1], gradients=True)
    assert "of 3 calls, only the one where `x` has 2 axes goes wrong" in settled(agree, "first", first).message.text


def test_a_wrong_whole_number_is_not_named_after_a_float_that_equals_it() -> None:
    def rounded(n: int) -> int:
        return n - 1 if n > 9 else n

    agree = agreeing(lambda n: n, rounded, floated=lambda n: float(rounded(n)))
    agree(3)
    assert refused(lambda: agree(10), "the result is 9 instead of 10").misconceptions == ()


def test_a_failure_of_gradients_says_of_what_they_are() -> None:
    def half(x: torch.Tensor) -> torch.Tensor:
        return (x + x.detach()) / 2

    agree = agreeing(lambda x: x, half)
    assert "added up" in refused(lambda: agree(X, gradients=True), "gradient").message.called
    alone = refused(lambda: agree(X[0, 0], gradients=True), "gradient").message.called
    assert alone.endswith(" times its result")


def test_what_all_failed_calls_share_and_no_right_one_is_said_where_no_name_is() -> None:
    def doubled(x: torch.Tensor) -> torch.Tensor:
        return 2 * x

    agree = agreeing(doubled, lambda x: 2 * x if len(x) > 1 else x.tanh() + 3)
    agree(X)
    first = failed(agree, "first", X[:1])
    assert "goes wrong" not in settled(agree, "first", first).message.advice  # one right call says little
    agree(X + 1)
    headline = settled(agree, "first", first).message.headline
    assert headline.endswith("; of 3 calls, only the one where `x` holds one item goes wrong")
    failed(agree, "second", X[1:2])
    assert settled(agree, "first", first).message.headline.endswith("; it goes wrong only where `x` holds one item")
    agree.evidence.agreed.append(replace(agree.evidence.agreed[0], call=agree.evidence.failures["first"].seen.call))
    assert "goes wrong" not in settled(agree, "first", first).message.advice


def test_a_message_takes_no_condition_from_one_call_in_which_two_arguments_are_odd() -> None:
    agree = agreeing(lambda x, by: by * x, lambda x, by: by * x if by else x.tanh() + 3)
    agree(X, 2)
    agree(X + 1, 3)
    first = failed(agree, "first", X[:1], 0)
    assert "goes wrong" not in settled(agree, "first", first).message.text
    agree(X[:1], 2)
    assert "the one where `by` is 0 goes wrong" in settled(agree, "first", first).message.text


def test_only_calls_of_the_same_method_tell_what_a_failure_has_of_its_own() -> None:
    """That a call has a `mask` says nothing where every call of this method has one."""
    agree = agreeing(lambda x: 2 * x, lambda x: 2 * x if len(x) > 1 else x.tanh() + 3)
    agree(X)
    agree(X + 1)
    first = failed(agree, "first", X[:1])
    for number, seen in enumerate(agree.evidence.agreed):
        other = Build((), {}, {}, method="encode")
        agree.evidence.agreed[number] = replace(seen, call=replace(seen.call, build=other))
    assert "goes wrong" not in settled(agree, "first", first).message.text


def test_what_an_object_remembers_has_no_condition() -> None:
    agree = agreeing(lambda x: 2 * x, lambda x: 2 * x if len(x) > 1 else x.tanh() + 3)
    agree(X)
    agree(X + 1)
    first = failed(agree, "first", X[:1])
    assert "goes wrong" in settled(agree, "first", first).message.text
    agree.evidence.remembers.add("first")
    assert "goes wrong" not in settled(agree, "first", first).message.text


NAMES = Names(arguments=("x", "mask", "*more"), built=("width", "bias", "depth"))


def of(*args: Any, build: Build | None = None, **kwargs: Any) -> tuple[Call, Names]:
    return Call("f", args, kwargs, build), NAMES


ONE, MANY = torch.ones(1, 3), torch.ones(4, 3)
DEAD = torch.tensor([[True, True], [False, False]])

CONDITIONS: dict[str, tuple[Any, Any]] = {
    "with a `mask`": (of(MANY, DEAD), of(MANY)),
    "without a `mask`": (of(MANY), of(MANY, mask=DEAD)),
    "where `x` holds one item": (of(ONE), of(MANY)),
    "where `x` holds no item": (of(ONE[:0]), of(MANY)),
    "where `x` has 1 axis": (of(ONE[0]), of(MANY)),
    "where `x` has 0 axes": (of(torch.ones(())), of(MANY)),
    "where a row of `mask` has no True": (of(MANY, DEAD), of(MANY, ~DEAD | DEAD)),
    "where axis 1 of `x` has size 1": (of(MANY[:, :1]), of(MANY)),
    "where `x` is float64": (of(MANY.double()), of(MANY)),
    "where `x` has a negative number": (of(-MANY), of(MANY)),
    "where `x` and `mask` have the same shape": (of(MANY, MANY), of(MANY, MANY[:, :2])),
    "where `mask` holds one item": (of(MANY, ["a"]), of(MANY, ["a", "b"])),
    "in training": (of(MANY, build=Build(training=True)), of(MANY, build=Build())),
    "where `width` is 0": (of(MANY, build=Build((0,))), of(MANY, build=Build((3,)))),
    "where `width` is 1": (of(MANY, build=Build((1,))), of(MANY, build=Build((3,)))),
    "with `bias=False`": (of(MANY, build=Build((3,), {"bias": False})), of(MANY, build=Build((3,), {"bias": True}))),
    "where `mask` is 0": (of(MANY, 0.0), of(MANY, 2.0)),
}


@pytest.mark.parametrize("says", CONDITIONS)
def test_what_tells_two_calls_apart_is_said(says: str) -> None:
    these, those = CONDITIONS[says]
    assert condition([these], [those]) == says
    assert condition([these, those], [those]) == ""
    assert condition([these], [these]) == ""


SIZES: dict[str, tuple[Any, Any]] = {
    "where axes 0 and 1 of `x` have the same size": ((torch.ones(3, 3), 1), (torch.ones(3, 4), 1)),
    "where `x.shape[-1]` equals `mask.shape[-1]`": (
        (torch.ones(2, 5), torch.ones(5)),
        (torch.ones(2, 5), torch.ones(4)),
    ),
    "where `x.shape[-1]` is smaller than `mask.shape[-1]`": (
        (torch.ones(2), torch.ones(3, 5)),
        (torch.ones(6), torch.ones(3, 5)),
    ),
    "where `mask` is larger than `x.shape[0]`": ((torch.ones(3), 4), (torch.ones(6), 4)),
    "where the length of `x` is larger than the length of `mask`": (([1, 2, 3], [4, 5]), ([1, 2, 3], [4, 5, 6, 7])),
    "where `x` is larger than `mask`": ((3, 2), (3, 5)),
    "where `x` and `mask` differ": ((3, 2), (3, 3)),
    "where `x` equals `mask`": ((3, 3), (3, 2)),
}


@pytest.mark.parametrize("says", SIZES)
def test_sizes_tell_calls_apart_where_there_are_several_of_both_kinds(says: str) -> None:
    these, those = (of(*given) for given in SIZES[says])
    assert condition([these, these], [those, those]) == says
    assert condition([these], [those, those]) == condition([these, these], [those]) == ""
    assert condition([these, those], [those, those]) == ""


def test_what_a_call_is_given_is_said_before_what_its_object_was_built_with() -> None:
    wrong, right = of(ONE, build=Build((1,), {}, {})), of(MANY, build=Build((4,), {}, {}))
    assert condition([wrong], [right]) == "where `x` holds one item"
    assert condition([of(MANY, build=Build((1,), {}, {}))], [right]) == "where `width` is 1"


def test_of_one_call_in_which_two_arguments_are_odd_it_is_not_said_which_matters() -> None:
    odd, plain = of(MANY.double(), 0), of(MANY, 3)
    assert condition([odd], [plain, plain], is_sure=True) == ""
    assert condition([odd, of(MANY.double(), 2)], [plain, plain], is_sure=True) == "where `x` is float64"
    assert condition([odd, odd], [plain, plain], is_sure=True) == "where `x` is float64"  # two calls are enough


def test_of_how_many_axes_there_are_all_arguments_are_named() -> None:
    deep, flat = MANY[None], MANY
    assert condition([of(deep, deep)], [of(flat, flat)]) == "where `x` and `mask` have 3 axes"


def test_masks_and_flags_are_told_from_numbers_before_their_rows_are_looked_at() -> None:
    assert condition([of(DEAD)], [of(MANY)]) == "where `x` is bool"


@pytest.mark.parametrize("odd", [np.ones(3), "text", [X], None, 2**70, torch.ones(2, device="meta"), {"a": X}])
def test_odd_arguments_have_no_condition_that_fails(odd: Any) -> None:
    assert condition([of(odd)], [of(odd)]) == ""
    assert condition([of(MANY, odd, odd, odd)], [of(MANY, odd)]) == ""  # no argument is called "*more"
