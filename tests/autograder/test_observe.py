"""Observing a call: what is recorded, and that the arguments given stay untouched."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from autograder.observe import Absent, Build, Call, Opaque, Raised, observe

X = torch.arange(6, dtype=torch.float64).reshape(2, 3)


class Linear(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.w = nn.Linear(width, width, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.w(x)


def seen(function: Any, *args: Any, **options: Any) -> Any:
    return observe({"f": function}, Call("f", args, **options))


def test_what_a_student_does_to_an_argument_stays_in_his_copy() -> None:
    x = X.clone()
    record = seen(lambda x: x.zero_(), x)
    assert torch.equal(x, X)
    assert torch.equal(record.arguments[0], torch.zeros_like(X))


def test_one_object_passed_twice_stays_one_object() -> None:
    assert seen(lambda a, b: a is b, X, X).result is True
    assert seen(lambda a, b: a is b, X, X.clone()).result is False


def test_strides_of_an_argument_are_kept() -> None:
    assert seen(lambda x: x.is_contiguous(), X.T).result is False


@pytest.mark.parametrize("missing", [None, 3])
def test_a_name_that_is_no_function_is_absent(missing: Any) -> None:
    assert isinstance(seen(missing).result, Absent)


@pytest.mark.parametrize("error", [ValueError("no"), SystemExit(0), RecursionError(), GeneratorExit()])
def test_any_exception_is_recorded(error: BaseException) -> None:
    def fail() -> None:
        raise error

    result = seen(fail).result
    assert isinstance(result, Raised)
    assert result.kind == type(error).__name__


def test_an_exception_that_cannot_be_printed_is_recorded_too() -> None:
    class Odd(Exception):
        def __str__(self) -> str:
            raise ValueError

    def fail() -> None:
        raise Odd

    assert seen(fail).result.kind == "Odd"


def test_what_is_no_data_becomes_opaque() -> None:
    assert seen(lambda: object()).result == Opaque("object")
    assert seen(lambda: {1: 2}).result == Opaque("dict")
    assert seen(lambda: [np.float64(1.5)]).result == [1.5]


def test_a_lying_tensor_subclass_is_reduced_to_its_numbers() -> None:
    class Liar(torch.Tensor):
        def __eq__(self, other: object) -> bool:  # type: ignore[override]
            return True

    result = seen(lambda: torch.ones(2).as_subclass(Liar)).result
    assert type(result) is torch.Tensor


def test_gradients_of_arguments_and_parameters_are_recorded() -> None:
    state = {"w.weight": torch.eye(3, dtype=torch.float64) * 2}
    call = Call("f", (X,), build=Build((3,), state=state), cotangents=(torch.ones(2, 3, dtype=torch.float64),))
    record = observe({"f": Linear}, call)
    assert torch.equal(record.result, 2 * X)
    assert torch.equal(record.gradients["argument 0"], torch.full((2, 3), 2.0, dtype=torch.float64))
    assert record.gradients["parameter w.weight"].shape == (3, 3)


def test_a_detached_result_has_no_gradient_and_no_error() -> None:
    record = seen(lambda x: 2 * x.detach(), X, cotangents=(torch.ones_like(X),))
    assert record.gradients == {"argument 0": None}


@pytest.mark.parametrize(
    ("state", "says"),
    [
        ({"v.weight": torch.ones(3, 3)}, "v.weight is missing; w.weight is not one of them"),
        ({"w.weight": torch.ones(4, 3)}, r"w.weight has shape (3, 3) instead of (4, 3)"),
    ],
)
def test_other_parameters_than_the_chapters_are_named(state: dict[str, torch.Tensor], says: str) -> None:
    result = seen(Linear, X.float(), build=Build((3,), state=state)).result
    assert result.kind == "StateMismatchError"
    assert says in result.message


def test_evaluation_and_training_mode_are_set() -> None:
    class Mode(nn.Module):
        def forward(self) -> bool:
            return self.training

    assert seen(Mode, build=Build()).result is False
    assert seen(Mode, build=Build(training=True)).result is True
