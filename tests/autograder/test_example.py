"""The smallest example of a wrong answer: small, still wrong, true to the input, and cheap to find."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from autograder.calls.observe import observe
from autograder.calls.records import Build, Call, Observation, Part
from autograder.compare.compare import apart
from autograder.compare.describe import Names
from autograder.compare.example import MOST_CALLS, Examples, in_full, written
from autograder.core.errors import CheckFailed
from autograder.core.message import Example
from autograder.suite import Agree
from tests.autograder.exercise_doubles import F64, agreeing, refused

X = torch.linspace(-7.3, 9.1, 72, dtype=F64).reshape(8, 9)
"""Too many numbers for an example."""


class Counting:
    """An answer in this process; it counts the calls that are made of it, and may lose those that `loses` names."""

    name = "here"

    def __init__(self, answer: Callable[..., Any], loses: Callable[[Call], bool] = lambda _: False) -> None:
        self.answer, self.loses, self.calls, self.lost = answer, loses, 0, 0

    def observe(self, chapter: str, call: Call) -> Observation:
        self.calls += 1
        if self.loses(call):
            self.lost += 1
            raise CheckFailed("timeout", "too slow")
        return observe({"answer": self.answer}, call)

    def close(self) -> None:
        pass


def counted(
    right: Callable[..., Any],
    answer: Callable[..., Any],
    loses: Callable[[Call], bool] = lambda _: False,
    **known: Callable[..., Any],
) -> tuple[Agree, Counting]:
    agree, target = agreeing(right, answer, **known), Counting(answer, loses)
    agree.grading.target = target
    return agree, target


def example(run: Callable[[], object], says: str = ".") -> Example | None:
    return refused(run, says).message.example


def found(run: Callable[[], object], says: str = ".") -> Example:
    small = example(run, says)
    assert small
    return small


def mean(x: torch.Tensor) -> torch.Tensor:
    return x.mean(-1)


def total(x: torch.Tensor) -> torch.Tensor:
    return x.sum(-1)


def test_a_named_mistake_has_an_example_for_one_call_of_the_students_code() -> None:
    agree, target = counted(mean, total, total=total)
    small = found(lambda: agree(X), "total")
    assert [*map(len, small.given)] == [2]
    assert len(small.given[0][1]) < 12  # such as [[2, 0]]
    assert small.expected != small.got
    assert target.calls == 2  # the check's own, and one


def test_without_a_name_it_takes_no_more_than_the_calls_allowed() -> None:
    agree, target = counted(mean, lambda x: x.sum(-1) ** 3 + 1 / x[:, 1])
    found(lambda: agree(X), r"result\[")
    assert 2 < target.calls <= 1 + MOST_CALLS
    never, target = counted(mean, lambda x: x.sum(-1) ** 3 + x[:, 0] if x.shape == X.shape else x.mean(-1))
    assert example(lambda: never(X), r"result\[") is None
    assert target.calls == 1 + MOST_CALLS


def test_the_example_is_of_the_answer_that_was_handed_in() -> None:
    def answer(x: torch.Tensor) -> torch.Tensor:
        return total(x) if x.shape == X.shape else total(x) + 9

    agree, _ = counted(mean, answer, total=total)
    assert example(lambda: agree(X), "total") is None  # on the small call it does not make the mistake named


def test_in_the_search_a_call_of_the_students_code_is_made_once_and_not_watched() -> None:
    asked: list[Call] = []
    agree, _ = counted(mean, total, lambda call: bool(asked.append(call)))
    found(lambda: agree(X))
    assert len(asked) > 2
    assert not asked[0].once
    assert all(call.once and not call.forbidden for call in asked[1:])


def test_a_call_that_is_lost_ends_the_search_and_costs_nothing() -> None:
    agree, target = counted(mean, lambda x: x.sum(-1) ** 3, loses=lambda call: call.args[0].shape != X.shape)
    assert example(lambda: agree(X), r"result\[") is None
    assert target.lost == 1
    assert target.calls < MOST_CALLS
    assert not agree.grading.losses


def test_a_lost_call_is_not_taken_for_an_error() -> None:
    def answer(x: torch.Tensor) -> torch.Tensor:
        raise ValueError("no")

    agree, target = counted(mean, answer, loses=lambda call: call.args[0].shape != X.shape)
    assert example(lambda: agree(X), "it raised ValueError") is None
    assert target.lost == 1


def test_another_error_is_another_fault() -> None:
    def answer(x: torch.Tensor) -> torch.Tensor:
        if x.numel() > 3:
            raise ValueError("too large")
        raise KeyError("too small")

    agree, _ = counted(mean, answer)
    small = found(lambda: agree(X), "it raised ValueError")
    assert small.got.startswith("ValueError")


def test_a_difference_that_the_check_allows_is_no_example() -> None:
    def about(x: torch.Tensor) -> torch.Tensor:
        return x.mean(-1) + 1e-3 + 5 * (x[:, 0] > 5)

    for right, answer in ((mean, about), (lambda x: float(mean(x)[0]), lambda x: float(about(x)[0]))):
        agree, _ = counted(right, answer)
        small = found(lambda agree=agree: agree(X.flip(0), tolerance=1e-2), "instead of")
        assert abs(float(small.got.strip("[]")) - float(small.expected.strip("[]"))) > 4


def test_an_example_on_which_nothing_is_seen_is_not_shown() -> None:
    rounded, _ = counted(lambda x: x / 3, lambda x: (x.float() / 3).double())
    assert example(lambda: rounded(X), r"result\[") is None  # the digits shown are the same
    listed, _ = counted(lambda x: 2 * x, lambda x: (2 * x).tolist())
    assert example(lambda: listed(X), "not a list") is None
    nothing, target = counted(mean, 3)  # type: ignore[arg-type]
    assert example(lambda: nothing(X), "under this name") is None
    assert target.calls == 1


def test_an_example_has_no_nan_for_a_right_answer() -> None:
    def chosen(x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        return x[mask].mean()

    agree, _ = counted(chosen, lambda x, mask: x.mean() * 0 + len(x))
    mask = torch.tensor(4 * [False, True])
    small = found(lambda: agree(X[:, 0], mask), "result is")
    assert "NaN" not in small.expected


def test_rows_of_weights_still_sum_to_one_and_a_mask_still_allows_something() -> None:
    def weighed(weights: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        return weights.masked_fill(~mask, 0)

    agree, _ = counted(weighed, lambda weights, mask: weights.masked_fill(mask, 0) + 1)
    small = found(lambda: agree(X.softmax(-1), X.mean(-1, keepdim=True) < X), r"result\[")
    weights, mask = (eval(text, {"True": True, "False": False}) for _, text in small.given)
    assert all(abs(sum(row) - 1) < 1e-5 for row in weights)
    assert all(map(any, mask))


class Scaled(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(width)), nn.Parameter(torch.zeros(width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.weight * x + self.bias


class Unscaled(Scaled):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.bias


def test_of_an_object_the_parameters_are_shown_that_are_not_zero() -> None:
    agree, _ = counted(Scaled, Unscaled, unscaled=Unscaled)
    small = found(lambda: agree(X, build=(9,)), "unscaled")
    assert small.given[0] == ("width", "1")
    assert small.given[1] == ("all parameters", "0")


def test_an_exercise_has_one_example() -> None:
    agree, target = counted(mean, total, total=total)
    found(lambda: agree(X), "total")
    other = agree.of("other")
    assert example(lambda: other(X + 1), "total") is None
    assert target.calls == 3


def test_properties_turns_and_sealed_courses_have_none() -> None:
    agree, _ = counted(mean, total)
    assert example(lambda: agree.satisfies("small", lambda y: bool((y.abs() < 10).all()), X), "small") is None
    turns, _ = counted(lambda x: (x, x), lambda x: (x + 1, x))
    assert example(lambda: turns.in_turns((X,), (X,), after=(-1, -1)), r"\[") is None
    sealed, target = counted(mean, total, total=total)
    sealed.evidence.reference = None
    assert example(lambda: sealed(X), "total") is None
    assert target.calls == 1


def test_the_examples_of_known_mistakes_are_made_once_for_a_class() -> None:
    made: list[int] = []

    def slow(x: torch.Tensor) -> torch.Tensor:
        made.append(1)
        return total(x)

    first, _ = counted(mean, total, total=slow)
    found(lambda: first(X), "total")
    once = len(made)
    second, _ = counted(mean, total, total=slow)
    second.grading.examples, second.grading.oracle = first.grading.examples, first.grading.oracle
    found(lambda: second(X), "total")
    assert len(made) - once < once / 2


def test_what_is_right_on_smaller_calls_is_computed_once_for_a_class() -> None:
    made: list[int] = []

    def slow(x: torch.Tensor) -> torch.Tensor:
        made.append(1)
        return mean(x)

    call, examples = Call("answer", (X,)), Examples()
    wrong = apart(mean(X), total(X), None)
    assert wrong
    for _ in range(2):
        assert examples.of(slow, call, b"", wrong, None, partial(observe, {"answer": total}))
        made.append(0)
    first = made.index(0)
    assert first > 2
    assert made[first + 1 :] == [0]


def test_the_search_leaves_torchs_settings_alone() -> None:
    def careless(x: torch.Tensor) -> torch.Tensor:
        if x.shape != X.shape:
            torch.set_default_dtype(torch.float16)
            torch.set_grad_enabled(False)
        return total(x)

    agree, _ = counted(mean, careless)
    before = X.clone()
    found(lambda: agree(X), r"result\[")
    assert torch.get_default_dtype() == torch.float32
    assert torch.is_grad_enabled()
    assert torch.equal(X, before)


VALUES: list[tuple[Any, str]] = [
    (torch.tensor([[1.0, -0.0], [2.5, 1 / 3]]), "[[1, 0], [2.5, 0.333333]]"),
    (torch.tensor([True, False]), "[True, False]"),
    (torch.tensor(3), "3"),
    (torch.zeros(0, 3), "float32 (0, 3) []"),
    (torch.ones(2, device="meta"), "float32 (2,) on meta"),
    (torch.tensor([1 + 2j]), "[1+2j]"),
    (np.array(["a", "b"]), "['a', 'b']"),
    ((1, [2.0, None], {"a": "x"}), "(1, [2, None], {'a': 'x'})"),
    ((True,), "(True,)"),
    (Part("Inner", (3, torch.ones(2)), {"rate": 0.5}), "Inner(3, [1, 1], rate=0.5)"),
]


@pytest.mark.parametrize(("value", "text"), VALUES)
def test_a_value_is_written_with_all_its_numbers(value: Any, text: str) -> None:
    assert in_full(value) == text


def test_an_example_with_too_many_numbers_is_none() -> None:
    wide, names = torch.ones(61), Names(arguments=("x",))
    assert written(Call("f", (wide,)), 0, 1, names) is None
    assert written(Call("f", (Part("Inner", (wide,)),)), 0, 1, names) is None
    assert written(Call("f", (1,)), wide, 1, names) is None
    built = Build((2,), state={"weight": torch.ones(2), "bias": torch.zeros(2)})
    shown = written(Call("f", (wide[:2], 5), {"rate": 0.5}, built), 0, 1, Names(arguments=("x",), built=("width",)))
    assert shown
    assert [name for name, _ in shown.given] == ["width", "weight", "all other parameters", "x", "argument 2", "rate"]
