"""Errors of torch and NumPy about sizes, provoked from the libraries installed, are told in the names of the axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from autograder.compare.describe import Names
from autograder.compare.size_errors import size_trouble
from tests.autograder.exercise_doubles import F64, agreeing, refused

NAMES = Names({2: "B", 3: "T", 5: "D", 7: "V"})


def told(run: Callable[[], Any], names: Names = NAMES) -> tuple[str, str]:
    """What is said of the error that `run` raises."""
    with pytest.raises(Exception) as caught:  # noqa: PT011 - each library has its own
        run()
    found = size_trouble(str(caught.value), names)
    assert found, caught.value
    return found


X = torch.zeros(2, 3, 5)
NOTHING: Any = None

TOLD: dict[str, tuple[Callable[[], Any], str]] = {
    "view": (lambda: X.view(2, 7), "it reshapes 30 numbers (B·T·D = 2·3·5) to (B=2, V=7), and they do not fit"),
    "reshape": (lambda: X.reshape(-1, 7), "it reshapes 30 numbers (B·T·D = 2·3·5) to (-1, V=7), and they do not fit"),
    "view of no product": (lambda: torch.zeros(2, 5, 10).view(3, 7), "it reshapes 100 numbers to (T=3, V=7), and"),
    "reshape to nothing": (lambda: X.reshape(()), "it reshapes 30 numbers (B·T·D = 2·3·5) to (), and they do not fit"),
    "add": (lambda: X + torch.zeros(2, 7, 5), "do not fit: T=3 meets V=7 at axis 1"),
    "add another size": (lambda: X + torch.zeros(4, 5), "do not fit: T=3 meets 4 at axis 1"),
    "matmul": (lambda: torch.zeros(3, 5) @ torch.zeros(7, 2), "inner sizes differ: 3×D=5 and V=7×2"),
    "linear": (lambda: torch.nn.functional.linear(X, torch.zeros(5, 7)), "inner sizes differ: 6×D=5 and V=7×5"),
    "axis from the left": (lambda: X.sum(3), "it asks for axis 3, where only -3 to 2 will do"),
    "axis from the right": (lambda: X.sum(-4), "it asks for axis -4, where only -3 to 2 will do"),
    "einsum": (lambda: torch.einsum("ij->i", X), "its einsum is written for 2 axes, and this tensor has 3"),
    "embedding": (
        lambda: torch.nn.functional.embedding(torch.tensor([7]), torch.zeros(7, 5)),
        "it looks up a number that the table has no row for",
    ),
    "expand": (lambda: X.expand(2, 7, 5), "it puts T=3 entries into V=7 places, along axis 1"),
    "row 2 of 2": (lambda: X[2], "it asks for entry 2 along axis 0, whose size is 2"),
    "column of an array": (lambda: np.zeros((2, 3))[0, 3], "it asks for entry 3 along axis 1, whose size is 3"),
    "arrays added": (lambda: np.zeros((3, 5)) + np.zeros(3), "sizes do not fit: (T=3, D=5) and (T=3,)"),
    "arrays @": (lambda: np.zeros((3, 5)) @ np.zeros((7, 2)), "inner sizes differ: V=7 and D=5"),
    "arrays dot": (lambda: np.dot(np.zeros((3, 5)), np.zeros((7, 2))), "inner sizes differ: D=5 and V=7"),
    "array reshaped": (lambda: np.zeros((2, 3)).reshape(5), "it reshapes 6 numbers to (D=5,), and they do not fit"),
    "axis of an array": (lambda: np.zeros(3).sum(axis=1), "it asks for axis 1 of an array with 1 axis"),
    "None + tensor": (lambda: NOTHING + X, "it computes with None"),
    "None[0]": (lambda: NOTHING[0], "it computes with None"),
    "None.shape": (lambda: NOTHING.shape, "it computes with None"),
    "max of an empty list": (lambda: max([]), "the largest or smallest of nothing"),
    "min of an empty generator": (lambda: min(each for each in ()), "the largest or smallest of nothing"),
    "max of an empty array": (lambda: np.zeros(0).max(), "the largest or smallest of nothing"),
}


@pytest.mark.parametrize("name", TOLD)
def test_an_error_about_sizes_is_told_in_the_names_of_the_axes(name: str) -> None:
    run, says = TOLD[name]
    headline, advice = told(run)
    assert says in headline
    assert advice


@pytest.mark.parametrize("run", [lambda: X.unsqueeze(5), lambda: torch.stack([X], 5), lambda: torch.zeros(()).sum(3)])
def test_of_an_axis_too_far_no_more_is_said_than_the_library_knows(run: Callable[[], Any]) -> None:
    with pytest.raises(IndexError) as caught:
        run()
    lowest, highest = str(caught.value).partition("[")[2].partition("]")[0].split(", ")
    assert f"only {lowest} to {highest} will do" in told(run)[0]  # a new axis may be one further


def test_a_number_of_entries_that_may_be_several_products_is_told_as_none() -> None:
    twice = Names({2: "B", 6: "T", 4: "D", 3: "H"})
    assert "72 numbers to" in told(lambda: torch.zeros(2, 6, 6).view(5, 11), twice)[0]  # 2·6·6 is 6·4·3, too
    alone = Names({2: "B", 3: "T", 6: "D"})
    assert "6 numbers to" in told(lambda: torch.zeros(6).view(5), alone)[0]  # D, and not B·T
    assert "11 numbers to" in told(lambda: torch.zeros(11).view(5), alone)[0]


def test_sizes_without_names_are_told_as_numbers() -> None:
    assert "30 numbers to (2, 7)" in told(lambda: X.view(2, 7), Names())[0]
    assert "inner sizes differ: 3×5 and 7×2" in told(lambda: torch.zeros(3, 5) @ torch.zeros(7, 2), Names())[0]


def test_other_errors_are_left_as_they_are() -> None:
    others: list[Callable[[], Any]] = [
        lambda: [1, 2][5],
        lambda: {}["a"],
        lambda: X.gather(0, torch.zeros(1, 1, 1)),
        lambda: int("x"),
        lambda: torch.zeros(3).foo,  # type: ignore[attr-defined]
    ]
    for run in others:
        with pytest.raises(Exception) as caught:  # noqa: PT011
            run()
        assert size_trouble(str(caught.value), NAMES) is None


def test_a_student_reads_it_above_the_librarys_own_words() -> None:
    agree = agreeing(lambda x: x.sum(-1), lambda x: x.view(2, 8).sum(-1))
    x = agree._draw("B T", dtype=F64)
    said = refused(lambda: agree(x), "it reshapes .* numbers").message
    assert f"(B·T = {len(x)}·{x.shape[1]})" in said.headline
    assert "(it raised RuntimeError)" in said.headline
    assert "is invalid for input of size" in said.got
    assert "which of these sizes is wrong?" in said.advice
