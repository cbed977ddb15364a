"""Wrong numbers that are right but for a factor are told as that, and only where it is so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from autograder.compare.relations import common_relation, relation
from tests.autograder.exercise_doubles import agreeing, refused

ROWS = torch.tensor([2.0, -3.0, 5.0, 1.0], dtype=torch.float64)
X = torch.linspace(-3, 4, 12, dtype=torch.float64).reshape(4, 3).sin()

WRONG: dict[str, tuple[Any, Any]] = {
    "few-digits": (X, X + 1e-6 * X.cos()),
    "one-factor": (X, 1.3 * X),
    "row-factors": (X, X * ROWS[:, None]),
    "column-factors": (X, X * ROWS[:3]),
    "both-factors": (X, X * ROWS[:, None] * ROWS[:3]),
    "one-term": (X, X + 1),
    "row-terms": (X, X + ROWS[:, None]),
    "column-terms": (X, X + ROWS[:3]),
    "elsewhere": (X, X.T.reshape(4, 3)),
    "elsewhere of whole numbers": (torch.arange(12).reshape(4, 3), torch.arange(12).reshape(4, 3).flip(1)),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_relation_of_all_numbers_is_found(name: str) -> None:
    want, have = WRONG[name]
    found = relation("answer", want, have)
    assert found is not None
    assert found.identifier == name.split(" ")[0]
    pair = relation("answer", (want, want.numpy()), (have, have.numpy()))
    assert pair is not None
    assert pair.identifier == name.split(" ")[0]


CUBE = torch.arange(60, dtype=torch.float64).sin().reshape(3, 4, 5)
SQUARE = CUBE[:, :3, :3]
MOVED = {
    ": axes -2 and -1 are exchanged": (SQUARE, SQUARE.mT),
    ": in reverse along axis -2": (CUBE, CUBE.flip(1)),
    ": moved on by 1 along axis -1, the ends joined": (CUBE, CUBE.roll(1, 2)),
    ": moved back by 1 along axis -2, the ends joined": (CUBE, CUBE.roll(-1, 1)),
    ": as if axes -2 and -1 were exchanged and all was then cut into rows again": (CUBE, CUBE.mT.reshape(3, 4, 5)),
    ": along axis -2, whole slices are in another order": (CUBE, CUBE[:, [1, 0, 3, 2]]),
    "": (CUBE, CUBE.flatten()[torch.randperm(60, generator=torch.Generator().manual_seed(1))].reshape(3, 4, 5)),
}


@pytest.mark.parametrize("says", MOVED)
def test_where_right_numbers_have_gone_is_told_if_they_moved_together(says: str) -> None:
    found = relation("answer", *MOVED[says])
    assert found is not None
    assert found.says == f"Your numbers are the right ones, in other places{says}."
    both = common_relation("answer", [MOVED[says], (CUBE, CUBE.flip(0))])
    assert both is not None
    assert both.says == "Your numbers are the right ones, in other places."


@pytest.mark.parametrize("axis", [-1, -2])
def test_equal_numbers_that_are_wrong_alike_tell_of_no_factor_and_no_term(axis: int) -> None:
    """Of a row of equal numbers, any other row of equal numbers is a multiple, and a sum."""
    rows = X.clone()
    rows[2] = 0.5
    want, have = rows.clone(), rows.clone()
    have[2] = -1.25
    found = relation("answer", *(each if axis == -1 else each.mT.contiguous() for each in (want, have)))
    assert found is None


NONE: dict[str, Callable[[torch.Tensor], Any]] = {
    "one number more": lambda x: x + (torch.arange(12).reshape(4, 3) == 7),
    "another order, and one number twice": lambda x: torch.cat([x.flatten()[1:], x[0, 1:2]]).reshape(4, 3),
    "a sum here and there": lambda x: x + (x.abs() > 0.5) + (x > 0),
    "a part that counts for little": lambda x: x + 4e-5 * x.flip(0),
    "zeros elsewhere": lambda x: torch.where(x > 0, x, 0) * 2,
    "not finite": lambda x: x / 0,
    "another shape": lambda x: 2 * x[:2],
    "whole numbers": lambda x: x.round().long(),
}


@pytest.mark.parametrize("name", NONE)
def test_what_has_no_relation_has_no_name(name: str) -> None:
    assert relation("answer", X, NONE[name](X)) is None
    assert relation("answer", (X, 3), (2 * X, 4)) is None
    assert relation("answer", torch.ones(()), torch.ones(()) * 3) is None
    assert relation("answer", torch.ones(4, 3), torch.full((4, 3), 2.0)) is None  # all the same: nothing to tell by


E = (X - X.amax(-1, keepdim=True)).exp()
SUM = E.sum(-1, keepdim=True)

FEW: dict[str, tuple[torch.Tensor, torch.Tensor, str]] = {
    "an epsilon in the divisor": (E / SUM, E / (SUM + 1e-7), "You add a small number to what you divide by"),
    "an epsilon and a product after it": (E / SUM @ X.mT, E / (SUM + 1e-7) @ X.mT, "You add a small number to what"),
    "an epsilon that is lacking": (E / (SUM + 1e-7), E / SUM, "Your numbers are right, but"),
    "an epsilon inside a logarithm": ((E / SUM).log(), (E / SUM + 1e-7).log(), "Your numbers are right, but"),
    "a number added": (X, X + 1e-6, "You add a small number, about 1e-6, to the result."),
    "float32": (E / SUM, X.float().softmax(-1).double(), "You compute in float32 inside"),
    "float32 and an epsilon": (E / SUM, (E / (SUM + 2e-5)).float().double(), "Your numbers are right, but"),
    "a constant": (X / 2**0.5, X / 1.41421, "A constant is rounded: your numbers fit 1.41421 in place of √2."),
    "another factor": (X, X * (1 + 1e-6), "Your numbers are right, but"),
    "a rounded result": (X, X.mul(1e5).round().div(1e5), "You round the result to 5 decimals."),
}


@pytest.mark.parametrize("what", FEW)
def test_why_there_are_few_digits_is_told_only_where_the_numbers_say_it(what: str) -> None:
    want, have, says = FEW[what]
    found = relation("answer", want, have)
    assert found is not None
    assert found.identifier.startswith("few-digits")
    assert found.says.startswith(says)


def test_float32_is_ruled_out_or_told_where_it_was_looked_for() -> None:
    want, have, _ = FEW["an epsilon inside a logarithm"]
    advice = {seen: common_relation("answer", [(want, have)], seen) for seen in (None, True, False)}
    assert [each and each.advice.count("float32") for each in advice.values()] == [1, 2, 1]
    assert advice[False] is not None and advice[False].advice.endswith("what it holds is rounded, too.")  # noqa: PT018
    assert advice[True] is not None and advice[True].identifier == "few-digits-float32"  # noqa: PT018


def test_a_property_that_only_float32_breaks_is_told_as_float32() -> None:
    agree = agreeing(lambda x: x.softmax(-1), lambda x: x.float().softmax(-1).to(x.dtype))
    holds = lambda r: bool(((r.sum(-1) - 1).abs() < 1e-12).all())  # noqa: E731
    failed = refused(lambda: agree.satisfies("every row sums to 1", holds, X), "You compute in float32 inside")
    assert failed.misconceptions == ("few-digits-float32",)
    other = agreeing(lambda x: x.softmax(-1), lambda x: x.exp() / (x.exp().sum(-1, keepdim=True) + 1e-8))
    refused(
        lambda: other.satisfies("every row sums to 1", holds, X), "this should be true, but is not: every row sums to 1"
    )


def test_a_factor_is_said_where_no_mistake_is_known() -> None:
    agree = agreeing(lambda x: x.cumsum(0), lambda x: x.cumsum(0) / x.cumsum(0).norm(dim=1, keepdim=True))
    failed = refused(lambda: agree(X), "one factor in each row")
    assert failed.misconceptions == ("row-factors",)
    assert failed.message.advice.startswith("What do you divide or multiply by")


def test_a_relation_that_another_result_does_not_have_is_not_told() -> None:
    right = torch.arange(1.0, 7, dtype=torch.float64)
    twice, other = (right, 2 * right), (right, right.flip(0))
    found = common_relation("scores", [twice, twice])
    assert found is not None
    assert found.identifier == relation("scores", *twice).identifier  # type: ignore[union-attr]
    assert common_relation("scores", [twice, other]) is None
