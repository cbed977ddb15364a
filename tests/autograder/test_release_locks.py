"""What opens the record of a known mistake: its own wrong answer, up to rounding, and nothing that is readable."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import torch
from hypothesis import given, settings

from autograder.calls.records import Observation, Raised
from autograder.compare.locks import PARTS, Features, Lock, Mark, lock, sealed, unsealed
from tests.autograder.test_hostile_answers import GOT

KEY, SALT = b"k" * 32, b"ch01_toy/double"
RECORD = sealed(KEY, b"You squared the numbers.")
X = torch.linspace(-3, 3, 40, dtype=torch.float64).reshape(8, 5)
TINY = torch.zeros_like(X).index_fill(0, torch.tensor([7]), 1.2e-8)  # just more than their tolerance
GRADIENT = {"argument 0": torch.full((8, 5), 2.0, dtype=torch.float64)}


def seen(result: object, **more: object) -> Observation:
    return Observation(result, **{"again": result, "arguments": (X,), "gradients": GRADIENT} | more)  # type: ignore[arg-type]


def error(text: str) -> Observation:
    return Observation(Raised("ValueError", ("ValueError", "Exception"), text))


RIGHT = seen(2 * X)
WRONG = {
    "numbers": seen(X * X),
    "float32": seen(X.float() * X.float()),
    "few numbers": seen(7.25),
    "tiny": seen(2 * X + TINY),
    "not a number": seen(torch.where(X > 0, torch.nan, X)),
    "a mask": seen(X > 0),
    "words": seen(["a", "b"]),
    "an error": error("x is squared"),
    "another shape": seen((X * X).T),
    "two parts": seen((X * X, [1, 2.5])),
    "gradients": seen(2 * X, gradients={"argument 0": GRADIENT["argument 0"] * 2}),
    "no gradient": seen(2 * X, gradients={"argument 0": None}),
    "an argument": seen(2 * X, arguments=(X + 1,)),
    "what changed": seen(2 * X, changed=("weight",)),
    "the second time": seen(2 * X, again=3 * X),
}


def made(wrong: Observation, *, single: bool = True) -> Lock:
    found = lock(RIGHT, wrong, 0, KEY, SALT, RECORD, single=single)
    assert found is not None
    return found


def opens(lock: Lock, answer: Observation, salt: bytes = SALT) -> bool:
    key = lock.opened(Features.of(answer, lock.part), salt, RECORD)
    return key is not None and unsealed(key, RECORD) == b"You squared the numbers."


def moved(answer: Observation, by: float) -> Observation:
    """The same in the numbers of its first tensor, but for an error that grows with them."""

    def near(value: torch.Tensor) -> torch.Tensor:
        return value + by * (1 + value.abs()) if value.is_floating_point() else value

    result = near(answer.result) if isinstance(answer.result, torch.Tensor) else answer.result
    return replace(answer, result=result, again=result if answer.again is answer.result else answer.again)


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_answer_opens_its_own_lock_and_neither_the_right_one_nor_another_does(name: str) -> None:
    own = made(WRONG[name])
    assert opens(own, WRONG[name])
    assert not opens(own, RIGHT)
    assert not opens(own, WRONG[name], b"ch01_toy/other")
    assert [other for other in WRONG if other != name and opens(own, WRONG[other])] == []


@pytest.mark.parametrize("by", [1e-12, -1e-12, 9e-10, -9e-10, 9e-5, -9e-5])
def test_rounding_opens_the_lock_of_a_single_mistake_and_its_mark_tells_how_rounded(by: float) -> None:
    answer = moved(WRONG["numbers"], by)
    assert opens(made(WRONG["numbers"]), answer)
    assert opens(made(WRONG["numbers"], single=False), answer) == (abs(by) < 1e-8)
    mark, features = Mark.of(WRONG["numbers"]), Features.of(answer, "gradients", "arguments", "again")
    assert mark.fits(features, rounded=True)
    assert mark.fits(features, rounded=False) == (abs(by) < 1e-8)


def test_a_record_shows_nothing_without_its_key() -> None:
    assert b"squared" not in RECORD
    assert unsealed(KEY, RECORD) == b"You squared the numbers."
    assert unsealed(b"K" + KEY[1:], RECORD) is None
    assert unsealed(KEY, RECORD[:-1] + b"?") is None


def test_what_is_as_good_as_right_has_no_lock() -> None:
    assert lock(RIGHT, moved(RIGHT, 1e-12), 0, KEY, SALT, RECORD, single=True) is None


def test_an_answer_that_could_be_guessed_costs_time_and_one_of_many_numbers_does_not() -> None:
    assert {name for name, wrong in WRONG.items() if not made(wrong).slow} == {
        *("numbers", "float32", "another shape", "two parts", "not a number", "an argument", "the second time")
    }


def test_a_lock_shows_one_bit_of_each_number() -> None:
    assert len(made(WRONG["numbers"]).bits) == X.numel() // 8


ODD = [
    10**5000,
    -(10**400),
    "\ud800",
    X.to_sparse(),
    X[:0],
    X * torch.nan,
    X * 1j,
    X.to(torch.bfloat16),
    {"learning": [], "w": X},
]


@pytest.mark.parametrize("result", ODD, ids=lambda odd: type(odd).__name__)
def test_an_odd_answer_opens_nothing_and_stops_nothing(result: object) -> None:
    assert not opens(made(WRONG["numbers"]), seen(result))
    Features.of(seen(result), *PARTS)


@settings(max_examples=250, deadline=None, database=None)
@given(GOT)
def test_whatever_is_answered_has_features(got: Observation) -> None:
    assert not Mark.of(WRONG["numbers"]).fits(Features.of(got, *PARTS), rounded=True)


PLAIN = [{1: {2.5}}, {"a", 1}, 1 + 2j, Decimal("1.5"), Fraction(1, 3), b"x", np.array(["a"]), np.array([1j]), 10**40]


@pytest.mark.parametrize("result", PLAIN, ids=lambda plain: type(plain).__name__)
def test_a_wrong_value_of_any_kind_opens_its_own_lock_and_no_other(result: object) -> None:
    assert opens(made(seen(result)), seen(deepcopy(result)))
    assert not any(opens(made(seen(result)), seen(other)) for other in PLAIN if other is not result)
