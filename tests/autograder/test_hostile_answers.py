"""Whatever a worker answers is compared without an exception, and nothing but a right answer is right."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.calls.records import Observation, Opaque, Raised
from autograder.compare.compare import difference
from autograder.compare.describe import Names, describe
from autograder.compare.words import words
from tests.autograder.crossing import data, tensors

WORDS = st.text(max_size=5) | st.sampled_from(["tensor", "array", "list", "float", "None", "MemoryError"])
TWO = torch.ones(2, 1, dtype=torch.float64)
EXPECTED = (
    TWO,
    (TWO, 3),
    [1, "two"],
    {"a": 1.5, "b": [TWO]},
    np.ones((2, 1)),
    None,
    True,
    Raised("ValueError", ("ValueError",), ""),
)
GOT = st.builds(
    lambda result, again, arguments, gradients, changed: Observation(result, again, arguments, gradients, changed),
    st.sampled_from(EXPECTED) | data | st.builds(Opaque, WORDS) | st.builds(Raised, WORDS, st.just(()), WORDS),
    st.sampled_from(EXPECTED) | data,
    st.lists(data | st.sampled_from(EXPECTED), max_size=2).map(tuple),
    st.none()
    | st.builds(Raised, WORDS, st.just(()), WORDS)
    | st.dictionaries(st.sampled_from(["argument 0", "x"]), st.none() | tensors, max_size=2),
    st.lists(WORDS, max_size=2).map(tuple),
)


@settings(max_examples=250, deadline=None, database=None)
@given(st.sampled_from(EXPECTED), GOT)
def test_whatever_a_worker_answers_is_compared_without_an_exception(expected: Any, got: Observation) -> None:
    again = None if isinstance(expected, Raised) else expected
    for gradients in ({"argument 0": TWO, "x": None}, None):
        right = Observation(expected, again, (TWO, {"mode": "kept", "a": TWO}), gradients)
        found = difference(right, got)
        assert found is None or words(found, Names()).headline
    describe(got.result, Names())


@pytest.mark.parametrize("device", ["cpu", "meta"])
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.int64, torch.bool])
def test_a_gradient_counts_only_with_the_dtype_and_the_device_of_its_input(dtype: torch.dtype, device: str) -> None:
    right = Observation(TWO, TWO, gradients={"x": TWO})
    got = Observation(TWO, TWO, gradients={"x": TWO.to(dtype).to(device)})
    assert (difference(right, got) is None) is (dtype is torch.float64 and device == "cpu")


@pytest.mark.parametrize(("got", "right"), [(torch.inf, True), (-torch.inf, False), (3.0, False), (10**18, False)])
def test_an_infinite_number_is_expected_only_of_itself(got: float, right: bool) -> None:
    assert (difference(Observation(torch.inf), Observation(got)) is None) is right


@pytest.mark.parametrize("item", [torch.tensor([1, 2]), np.array([1, 2]), [1], Opaque("int"), {}], ids=str)
def test_where_a_list_of_numbers_is_wanted_nothing_else_is_one(item: Any) -> None:
    found = difference(Observation([1, 2]), Observation([item, 2]))
    assert found
    assert "result[0] should be an int, not" in words(found, Names()).headline
