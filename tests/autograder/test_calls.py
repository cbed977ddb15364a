"""When two answers are the same."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from autograder.calls.records import identical

ANSWERS = [
    torch.ones(2),
    torch.ones(2, dtype=torch.float64),
    torch.ones(2, device="meta"),
    np.ones(2),
    np.ones(2, dtype=np.float32),
    [1, 2],
    (1, 2),
    {"a": 1, "b": 2},
    {"b": 2, "a": 1},
    True,
    1,
    1.0,
    "1",
    None,
]


@pytest.mark.parametrize("first", range(len(ANSWERS)))
def test_answers_of_different_kinds_are_never_taken_for_the_same(first: int) -> None:
    found = [identical(ANSWERS[first], other) for other in ANSWERS]
    known = isinstance(ANSWERS[first], torch.Tensor) and ANSWERS[first].is_meta  # without numbers nobody can tell
    assert found == [number == first and not known for number in range(len(ANSWERS))]


def test_a_nan_is_not_taken_for_the_same_as_another() -> None:
    assert not identical([torch.tensor([1.0, float("nan")])], [torch.tensor([1.0, float("nan")])])
    assert identical([torch.tensor([1.0, 2.0])], [torch.tensor([1.0, 2.0])])
    assert not identical([torch.tensor([1.0, 2.0])], [torch.tensor([1.0, 2.5])])
