"""An answer that is the right one but for one change is told as that change, and for no other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from autograder.calls.records import Call
from autograder.compare.changes import changed
from autograder.compare.result_changes import result_changes
from autograder.suite import module
from tests.autograder.exercise_doubles import F64, Judging, agreeing, refused

X = torch.tensor([[0.3, -1.2, 2.5], [1.7, 0.4, -0.6]], dtype=F64)
MASK = torch.tensor([[True, False, True], [False, True, True]])


def right(x: Any, y: Any, mask: Any = None, scale: float = 0.5, count: int = 2) -> torch.Tensor:
    weighed = scale * x + y**count
    return weighed if mask is None else torch.where(mask, weighed, 0)


ANSWERS: dict[str, tuple[Callable[..., Any], str]] = {
    "ignores-mask": (lambda x, y, mask, scale, count: right(x, y, None, scale, count), "`mask` had not been given"),
    "inverts-mask": (lambda x, y, mask, *rest: right(x, y, ~mask, *rest), "True and False were exchanged in `mask`"),
    "exchanges-x-y": (lambda x, y, *rest: right(y, x, *rest), "`x` and `y` had been exchanged"),
    "y-for-x": (lambda x, y, *rest: right(y, y, *rest), "`y` had been given as `x` too"),
    "inverse-scale": (lambda x, y, mask, scale, count: right(x, y, mask, 1 / scale, count), "`scale` were 1 / `scale`"),
    "one-more-count": (lambda x, y, mask, scale, count: right(x, y, mask, scale, count + 1), "`count` were one larger"),
    "twice-y": (lambda x, y, *rest: right(x, 2 * y, *rest), "`y` were multiplied by 2"),
    "by-root-1-y": (lambda x, y, *rest: right(x, y / 3**0.5, *rest), "divided by the square root of `y.shape[1]`"),
    "by-root-0-for-last-y": (lambda x, y, *rest: right(x, y * 1.5**0.5, *rest), "`y.shape[0]` instead of the square"),
    "no-last-1-x": (lambda x, *rest: right(x * torch.tensor([1, 1, 0]), *rest), "last of `x` along axis 1 were 0"),
    "adds-x": (lambda x, *rest: right(x, *rest) + x, "what is expected plus `x`"),
    "returns-y": (lambda x, y, *rest: y, "Your result is `y` as it was given"),
    "negative": (lambda *given: -right(*given), "has the opposite sign"),
    "last-tanh": (lambda *given: right(*given).tanh(), "is the tanh of what is expected"),
    "axes-0-1": (lambda *given: right(*given).T, "Axes 0 and 1 of your result are swapped"),
    "rolled-1-forward": (lambda *given: right(*given).roll(-1, 1), "shifted one place towards its start along axis 1"),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_one_change_of_the_right_answer_is_named(name: str) -> None:
    answer, says = ANSWERS[name]
    failed = refused(lambda: agreeing(right, answer)(X, X.flip(1) + 1, MASK, 0.3, 2), ".")
    assert failed.misconceptions[0] == name
    assert says in failed.message.headline


def test_a_part_of_a_pair_and_an_array_are_changed_as_well() -> None:
    pair = agreeing(lambda x: (x, 2 * x), lambda x: (x, -2 * x))
    assert refused(lambda: pair(X), "Part 2 of your result has the opposite sign").misconceptions == ("negative-2",)
    agree = agreeing(lambda x: torch.tensor(2 * x + 1), lambda x: torch.tensor(2 * abs(x) + 1))
    failed = refused(lambda: agree(X.numpy()), "`x` had no negative numbers")
    assert failed.misconceptions == ("positive-x",)


def test_a_change_that_an_answer_before_or_after_disproves_is_not_named() -> None:
    def answer(x: torch.Tensor) -> torch.Tensor:
        return -x if len(x) == 2 else x

    before = agreeing(torch.clone, answer)
    before(torch.cat([X, X]))
    assert refused(lambda: before(X), r"result\[").misconceptions == ("one-factor",)
    alone = agreeing(torch.clone, answer)
    assert refused(lambda: alone(X), "opposite sign").misconceptions == ("negative",)


def test_where_many_changes_explain_an_answer_none_is_named() -> None:
    agree = agreeing(lambda x: x, lambda x: x.flip(0))
    palindrome = torch.tensor([1.0, 2.0, 3.0], dtype=F64)
    assert len(refused(lambda: agree(palindrome), ".").misconceptions) <= 3
    many = agreeing(lambda a, b, c, d: a + 0 * (b + c + d), lambda a, b, c, d: b)
    same = X.exp()
    assert refused(lambda: many(X, same, same.clone(), same.clone()), r"result\[").misconceptions == ()


class Two(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.query, self.key = nn.Linear(width, width), nn.Linear(width, width)

    def forward(self, query: torch.Tensor, key: torch.Tensor) -> torch.Tensor:
        return self.query(query) + self.key(key).tanh()

    def twice(self, query: torch.Tensor, key: torch.Tensor) -> torch.Tensor:
        return self(self(query, key), key)


class Exchanged(Two):
    def forward(self, query: torch.Tensor, key: torch.Tensor) -> torch.Tensor:
        return self.key(query) + self.query(key).tanh()


class Turned(Two):
    def forward(self, query: torch.Tensor, key: torch.Tensor) -> torch.Tensor:
        return query @ self.query.weight + self.query.bias + self.key(key).tanh()


class Unbiased(Two):
    def forward(self, query: torch.Tensor, key: torch.Tensor) -> torch.Tensor:
        return query @ self.query.weight.T + self.key(key).tanh()


class Backwards(Two):
    def forward(self, query: torch.Tensor, key: torch.Tensor) -> torch.Tensor:
        return super().forward(key, query)


@pytest.mark.parametrize(
    ("answer", "name", "says"),
    [
        (Exchanged, "exchanges-parameters-query-key", "`query` and `key` were exchanged"),
        (Turned, "without-query.weight", "`query.weight` were transposed"),
        (Unbiased, "without-query.bias", "`query.bias` were 0"),
    ],
)
def test_a_change_of_the_parameters_is_named(answer: type[Two], name: str, says: str) -> None:
    failed = refused(lambda: agreeing(Two, answer)(X, X + 1, build=(3,)), says)
    assert failed.misconceptions == (name,)


def test_arguments_and_parameters_of_the_same_names_are_not_mixed_up() -> None:
    agree = agreeing(Two, Backwards)
    failed = refused(lambda: agree(X, X + 1, build=(3,)), "`query` and `key` had been exchanged")
    assert failed.misconceptions == ("exchanges-query-key",)
    again = agreeing(Two, Exchanged)
    again.grading.oracle, again.evidence.oracle = agree.grading.oracle, agree.grading.oracle
    assert refused(lambda: again(X, X + 1, build=(3,)), "exchanged").misconceptions == (
        "exchanges-parameters-query-key",
    )


class Three(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.blocks = nn.ModuleList(nn.Linear(width, width) for _ in range(3))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for block in self.blocks:
            x = block(x).tanh()
        return x


class OneForAll(Three):
    def __init__(self, width: int) -> None:
        super().__init__(width)
        self.blocks = nn.ModuleList([self.blocks[0]] * 3)


def test_one_block_in_the_place_of_all_is_named() -> None:
    failed = refused(
        lambda: agreeing(Three, OneForAll)(X, build=(3,), gradients=True), "All places of `blocks` hold one"
    )
    assert failed.misconceptions == ("one-for-all-blocks",)


class Late(Two):
    def twice(self, query: torch.Tensor, key: torch.Tensor) -> torch.Tensor:
        return self(self(key, query), query)


def test_a_change_of_another_method_is_named() -> None:
    agree = agreeing(Two, Late)
    failed = refused(lambda: agree(X, X + 1, build=module(3, method="twice")), "`query` and `key` had been exchanged")
    assert failed.misconceptions == ("exchanges-query-key",)


def test_looking_for_changes_leaves_the_call_and_torchs_settings_alone() -> None:
    given = (X.clone(), X.flip(1) + 1, MASK.clone(), 0.3, 2)
    agree = agreeing(right, lambda *args: right(*args) + 7)
    refused(lambda: agree(*given), r"result\[")
    assert torch.equal(given[0], X)
    assert torch.equal(given[2], MASK)
    assert torch.get_default_dtype() == torch.float32
    assert torch.is_grad_enabled()


ODD: list[Any] = [
    ("text", None, [X, "b"], {"a": 1}),
    (torch.zeros(0, 3), torch.zeros(()), torch.ones(2, device="meta"), torch.ones(3, dtype=torch.complex64)),
    (2**70, float("inf"), float("nan"), True, torch.ones(2, dtype=torch.uint8)),
]


@pytest.mark.parametrize("value", ODD, ids=["texts", "tensors", "numbers"])
def test_odd_values_cost_no_more_than_a_change(value: tuple[Any, ...]) -> None:
    agree = agreeing(lambda x, odd: (2 * x, np.ones(2)), lambda x, odd: (7 * x + 1, odd))
    named = agreeing(lambda x, odd: (2 * x, 2**70), lambda x, odd: (7 * x + 1, 2**70))
    for odd in value:
        assert refused(lambda odd=odd: agree(X, odd), ".").status == "failed"
        assert refused(lambda odd=odd: named(X, odd), r"result\[0\]").misconceptions == ()


def test_an_array_that_torch_does_not_know_is_an_answer_like_any_other() -> None:
    def agree(dtype: Any) -> Judging:
        return agreeing(lambda x: (2 * x, np.ones(2)), lambda x: (2 * x, np.ones(2, dtype=dtype)))

    long = agree(np.longdouble)
    assert refused(lambda: long(X), "should be a NumPy array, not an ndarray of float|instead of").status == "failed"
    agree(">f8")(X)  # the same numbers, in another order of bytes


def test_a_change_is_made_of_what_a_value_allows() -> None:
    kinds = {identifier for identifier, *_ in result_changes(torch.tensor([True, False]), "it")}
    assert "opposite" in kinds
    assert not {"negative", "last-exp"} & kinds
    assert [*result_changes("text", "it")] == []
    assert [*changed(lambda *xs: xs, Call("f", (X,)), "text")] == []
    assert [*changed(right, Call("f", ((X,), (X,)), turns=(-1, 0)), [X, X])] == []
