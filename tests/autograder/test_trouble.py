"""What an error, a wrong dtype or kind, or a changed argument says in plain words, and advice that is sure to help."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from tests.autograder.exercise_doubles import F32, F64, agreeing, refused

X = torch.arange(6, dtype=F64).reshape(2, 3)
IDS = torch.tensor([2, 0, 1])


def double(x: torch.Tensor) -> torch.Tensor:
    return 2 * x


def pair(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    return 2 * x, x


def opened(x: torch.Tensor) -> Any:
    return np.load(Path("weights") / "of_mine.npy")


ERRORS: dict[str, tuple[Callable[..., Any], str, str]] = {
    "a pair for a tensor": (lambda x: torch.softmax(pair(x), -1), "a tuple where a tensor", "`output, weights = ...`"),  # type: ignore[call-overload]
    "a pair added": (lambda x: x + pair(x), "a tuple where a tensor", "taken apart first"),
    "a pair in a list": (lambda x: torch.cat([x, pair(x)]), "a tuple where a tensor", "taken apart first"),  # type: ignore[list-item]
    "the pair of max": (lambda x: torch.softmax(x.max(-1), -1), "the pair that `max`", "`.values`"),  # type: ignore[call-overload]
    "1 - mask": (lambda x: 1 - (x > 0), "takes `-` of booleans", "`~x` exchanges True and False"),
    "mask - mask": (lambda x: (x > 1) - (x > 0), "takes `-` of booleans", "makes numbers of them, 1 for True"),
    "-mask": (lambda x: -(x > 0), "takes `-` of booleans", "makes numbers of them, 1 for True"),
    "bmm of a matrix": (lambda x: torch.bmm(x, x), "its `bmm` gets a tensor that has not three", "`squeeze()`"),
    "a view of a transpose": (lambda x: x.T.view(-1), "do not lie in that order in memory", "`reshape` takes any"),
    "a parameter changed": (lambda x: nn.Parameter(x).mul_(2), "changes a parameter in place", "`torch.no_grad()`"),
    "no gradient": (lambda x: x.detach().sum().backward(), "the gradient of something that no", "was it detached"),
    "NumPy with gradients": (lambda x: nn.Parameter(x).numpy(), "makes a NumPy array of a tensor", "stay in torch"),
    "item of many": (lambda x: x.item(), "makes one plain number of several", "sum, average or index first"),
    "float of many": (lambda x: float(x.numpy()), "makes one plain number of several", "sum, average or index first"),
    "if of many": (lambda x: x if x > 0 else -x, "asks one yes or no of several", "`.all()` or `.any()`"),
    "if of an array": (lambda x: x if x.numpy() > 0 else -x, "asks one yes or no of several", "`np.where` and masks"),
    "division by zero": (lambda x: 1 / (len(x) - 2), "divides by 0", "what should the result be there"),
    "past the end": (lambda x: [1, 2][len(x)], "takes an item that is not there", "shortest input"),
    "pop": (lambda x: [].pop(), "takes an item that is not there", "shortest input"),
    "cat of nothing": (lambda x: torch.cat([]), "joins an empty list", "think of the empty input"),
    "stack of nothing": (lambda x: torch.stack([]), "joins an empty list", "think of the empty input"),
    "arrays of nothing": (lambda x: np.stack([]), "joins an empty list of arrays", "think of the empty input"),
    "a file": (opened, "opens a file, and where answers are graded there is none of yours", "its arguments alone"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_an_error_of_the_library_is_told_in_plain_words(name: str) -> None:
    answer, says, advice = ERRORS[name]
    failed = refused(lambda: agreeing(double, answer)(X), says)
    first, *rest = failed.message.text.splitlines()
    assert "(it raised " in first
    assert ":" not in first  # the library's own words stand below, and are not told twice
    assert advice in rest[-1]
    assert "Error: " in failed.message.text
    assert failed.status == "error"


class Scaled(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.ones(width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.scale


class NoInit(Scaled):
    def __init__(self, width: int) -> None:
        self.scale = nn.Parameter(torch.ones(width))


class NoLayer(Scaled):
    def __init__(self, width: int) -> None:
        self.width = width


class NoModule(Scaled):
    def __init__(self, width: int) -> None:
        self.layer = nn.Linear(width, width)


@pytest.mark.parametrize("answer", [NoInit, NoLayer, NoModule])
def test_a_module_that_does_not_call_super_is_told_so(answer: type[nn.Module]) -> None:
    failed = refused(lambda: agreeing(Scaled, answer)(X, build=(3,)), r"`super\(\).__init__\(\)` is missing")
    assert "let `super().__init__()` be the first line of `__init__`" in failed.message.text


def test_an_error_nobody_knows_is_told_as_it_is() -> None:
    def lost(x: torch.Tensor) -> torch.Tensor:
        raise FileExistsError("no file at all: 'x'")

    refused(lambda: agreeing(double, lost)(X), "it raised FileExistsError: no file at all")


def advice(right: Callable[..., Any], answer: Callable[..., Any], *args: Any, **options: Any) -> str:
    """What is to be tried."""
    failed = refused(lambda: agreeing(right, answer)(*args, **options), ".")
    return failed.message.text.splitlines()[-1].removeprefix("  try").strip()


def padded(rows: list[list[int]]) -> torch.Tensor:
    return torch.tensor(rows)


def test_whole_numbers_are_told_to_be_int64() -> None:
    whole = "these are whole numbers: torch.zeros(3, dtype=torch.int64"
    assert advice(padded, lambda rows: torch.tensor(rows, dtype=F64), [[1, 2]]) == f"{whole})"
    assert advice(torch.clone, lambda ids: ids.double(), IDS) == f"{whole}, device=x.device)"


def test_where_no_argument_is_a_tensor_torchs_default_is_wanted() -> None:
    default = advice(torch.ones, lambda count: torch.ones(count, dtype=F32), 4)
    assert default == "no argument is a tensor, so take torch's default: dtype=torch.get_default_dtype()"
    failed = refused(lambda: agreeing(torch.ones, lambda n: torch.ones(n, device="cpu")).on_meta(4), "cpu instead")
    assert "so take torch's default device" in failed.message.text
    here = lambda n: torch.ones(n) + torch.ones(n, 1, device="cpu")[:, 0]  # noqa: E731
    failed = refused(lambda: agreeing(torch.ones, here).on_meta(4), "is not on torch's default device")
    assert "so take torch's default device" in failed.message.text


class Looked(nn.Embedding):
    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        return super().forward(ids) * 2


class Single(nn.Embedding):
    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        return (super().forward(ids) * 2).float()


def test_the_dtype_is_taken_from_where_it_is() -> None:
    assert "what was given: torch.zeros(3, dtype=x.dtype" in advice(double, lambda x: (2 * x).float(), X)
    assert advice(Looked, Single, IDS, build=(5, 4)).startswith("give it the dtype of the parameters")
    ones = lambda ids: torch.ones(len(ids))  # noqa: E731
    assert advice(ones, lambda ids: ones(ids).double(), IDS) == "make it with dtype=torch.float32"
    fixed = lambda x: torch.zeros(x.shape, dtype=x.dtype, device="cpu")  # noqa: E731
    failed = refused(lambda: agreeing(torch.zeros_like, fixed).on_meta(IDS), "on device cpu instead of meta")
    assert "the device of what was given: torch.zeros(3, device=x.device)" in failed.message.text


def rows_of_ones(tokens: list[str]) -> Any:
    return np.ones((len(tokens), 2))


def test_an_array_of_another_dtype_is_no_matter_of_torchs() -> None:
    said = advice(rows_of_ones, lambda tokens: rows_of_ones(tokens).astype(int), ["a", "b"])
    assert said == 'make it with this dtype: np.zeros(3, dtype="float64")'


KINDS: list[tuple[Callable[..., Any], Callable[..., Any], Any, str]] = [
    (double, lambda x: (2 * x).numpy(), X, "return a tensor: compute with torch's functions, not with NumPy's"),
    (double, lambda x: [*(2 * x)], X, "return a tensor: torch.stack or torch.cat makes one of tensors"),
    (rows_of_ones, lambda tokens: torch.ones(len(tokens), 2), ["a"], "return a NumPy array: compute with NumPy's"),
    (rows_of_ones, lambda tokens: [[1.0, 1.0]], ["a"], "return a NumPy array: np.array makes one of a list"),
]


@pytest.mark.parametrize(("right", "answer", "given", "says"), KINDS)
def test_another_kind_of_answer_is_told_how_to_become_the_right_one(
    right: Callable[..., Any], answer: Callable[..., Any], given: Any, says: str
) -> None:
    assert advice(right, answer, given).startswith(says)


def test_of_other_kinds_no_more_is_said_than_is_sure() -> None:
    for other in (1.0, array("d", [1.0])):  # an array, and not NumPy's
        assert advice(double, lambda x, other=other: other, X) == "`attend hint answer`"


def shifted(x: Any) -> float:
    x -= 1
    return 0.0


def sorted_in_place(x: Any) -> float:
    x.sort()
    return 0.0


def cleared(x: Any) -> float:
    x.clear()
    return 0.0


CHANGED: list[tuple[Callable[..., float], Any, str]] = [
    (shifted, X, "make new tensors (`x - m`, `masked_fill`, `where`, `x.clone()`) instead of `-=`"),
    (lambda x: shifted(x[0]), [X], "make new tensors"),
    (shifted, np.ones(3), "make new arrays"),
    (sorted_in_place, [2, 1], "make new lists"),
    (cleared, {"a": 1}, "make a new dict"),
]


@pytest.mark.parametrize(("answer", "given", "says"), CHANGED)
def test_who_changes_an_argument_is_told_to_make_something_new(
    answer: Callable[..., float], given: Any, says: str
) -> None:
    failed = refused(lambda: agreeing(lambda x: 0.0, lambda x: answer(x))(given), "it changed its argument x")
    assert says in failed.message.text.splitlines()[-1]
