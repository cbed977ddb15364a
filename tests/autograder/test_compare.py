"""The comparison: its order of stages, its words, and what it must not complain about."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from autograder.calls.records import Absent, Observation, Opaque, Raised
from autograder.compare.compare import difference
from autograder.compare.describe import Names
from autograder.compare.difference import Difference
from autograder.compare.words import words

X = torch.arange(6, dtype=torch.float64).reshape(2, 3)
NAMES = Names({2: "B", 3: "T"}, ("output", "weights"), ("q", "k"))
NAN = float("nan")


def between(want: Any, have: Any) -> Difference | None:
    return difference(Observation(want, want), Observation(have, have))


def headline(found: Difference | None) -> str:
    assert found
    return words(found, NAMES).headline


def stage(want: Any, have: Any) -> str | None:
    found = between(want, have)
    return found.stage if found else None


@pytest.mark.parametrize(
    ("want", "have", "expected"),
    [
        (X, Absent("nothing"), "outcome"),
        (X, Raised("ValueError", ("ValueError", "Exception"), "no"), "outcome"),
        (X, None, "outcome"),
        (X, X.tolist(), "structure"),
        (X, X.numpy(), "structure"),
        (X, Opaque("Thing"), "structure"),
        ((X, X), (X,), "structure"),
        ((X, X), [X, X], "structure"),
        ({"a": 1.0}, {"b": 1.0}, "structure"),
        (True, 1, "structure"),
        (1, 1.0, "structure"),
        (X, X.T, "shape"),
        (X, X.float(), "dtype"),
        (X, X.to("meta"), "dtype"),
        (X, X.masked_fill(X == 3, NAN), "nan"),
        (X, X.masked_fill(X == 3, torch.inf), "values"),
        (X, X + 1e-6, "values"),
        (1.0, NAN, "nan"),
        (1.0, 1.1, "values"),
        ("a", "b", "values"),
        (["a", "b"], ["b", "a"], "values"),
        (np.eye(3), np.eye(3) * 2, "values"),
        (np.eye(3), np.eye(3).astype(int), "dtype"),
    ],
)
def test_the_first_stage_that_differs_is_named(want: Any, have: Any, expected: str) -> None:
    assert stage(want, have) == expected


@pytest.mark.parametrize(
    ("want", "have"),
    [
        (X, X + 1e-12),
        (X, X.T.contiguous().T),
        (X.masked_fill(X == 3, NAN), X.masked_fill(X == 3, NAN)),
        (X.masked_fill(X == 3, -torch.inf), X.masked_fill(X == 3, -torch.inf)),
        (X.float(), X.float() + 1e-6),
        (1.0, 1),
        (None, None),
        (["a"], ["a"]),
        ((X, {"a": [X]}), (X, {"a": [X]})),
        (np.eye(3), np.eye(3).T),
    ],
)
def test_equal_answers_do_not_differ(want: Any, have: Any) -> None:
    assert between(want, have) is None


def test_shape_goes_before_dtype_and_dtype_before_values_over_all_parts() -> None:
    wrong = ((X + 1).float(), X.T)
    assert headline(between((X, X), wrong)) == "weights has shape (T=3, B=2) instead of (B=2, T=3)"
    assert stage((X, X), (X + 1, X.float())) == "dtype"


def test_a_missing_gradient_counts_as_zero() -> None:
    zero = {"argument 0": torch.zeros_like(X)}
    assert difference(Observation(X, X, (), zero), Observation(X, X, (), {"argument 0": None})) is None
    real = Observation(X, X, (), {"argument 0": X})
    found = difference(real, Observation(X, X, (), {"argument 0": None}))
    assert (found.stage, headline(found)) == ("gradients", "no gradient reaches q")


def test_two_refusals_agree_by_type() -> None:
    want = Raised("ValueError", ("ValueError",), "")
    assert between(want, Raised("MyError", ("MyError", "ValueError"), "sizes")) is None
    assert stage(want, Raised("TypeError", ("TypeError",), "sizes")) == "outcome"
    assert stage(want, X) == "outcome"
