"""What a line does that fails: provoked from the libraries installed, and told with the names that stand in it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from autograder.calls.records import Raised
from autograder.compare.line_errors import line_trouble
from tests.autograder.exercise_doubles import F64, agreeing, refused

KNOWN = {
    "torch": torch,
    "nn": nn,
    "np": np,
    "x": torch.ones(2, 3, dtype=F64),
    "p": torch.ones(2, 3, requires_grad=True),
    "labels": torch.tensor([True, False]),
    "chosen": np.array([True, False]),
    "given": torch.ones(2, 3, device="meta"),
    "device": torch.device("cpu"),
    "own": torch.zeros(2, 3),
}


def told(line: str, *, of_object: bool = False) -> tuple[str, str] | None:
    """What is said of the error that a line raises."""
    with pytest.raises(Exception) as caught:  # noqa: PT011 - each library has its own
        exec(line, {**KNOWN})
    error = caught.value
    raised = Raised(type(error).__name__, (), str(error), 1, line)
    return line_trouble(raised, of_object=of_object)


TOLD = {
    "own.to('nowhere_cuda'.split('_')[1])": ("a device that this machine does not have", "device=x.device"),
    "given.to(device)": ("moves a tensor to a device of its own choice", "leave what is given where it is"),
    "given.cpu()": ("moves a tensor to a device of its own choice", "leave what is given where it is"),
    "own[0] = given[0]": ("copies into a tensor on another device", "device=x.device"),
    "np.tanh(p)": ("calls NumPy's `tanh` on a tensor", "so that gradients can pass: `torch.tanh`"),
    "np.concatenate([p, p])": ("calls NumPy's `concatenate` on a tensor", "`torch.cat`"),
    "np.tanh(given)": ("calls NumPy's `tanh` on a tensor", "`torch.tanh`"),
    "np.max(x, axis=-1)": ("calls NumPy's `max` on a tensor", "`torch.amax`, with `dim=` and `keepdim=`"),
    "p.numpy()": ("makes a NumPy array of a tensor", "no `.numpy()`"),
    "nn.Linear(3, 4)(x)": ("makes a new layer, `nn.Linear`, each time", "among the arguments"),
    "nn.LayerNorm(3)(x)": ("makes a new layer, `nn.LayerNorm`, each time", "among the arguments"),
    "x @ torch.ones(3, 4)": ("two tensors that meet are not of one dtype", "is like x"),
    "1 - labels": ("takes `-` of booleans, which torch refuses", "`~labels` exchanges True and False"),
    "1.0 - labels": ("takes `-` of booleans, which torch refuses", "`labels.to(y.dtype)` makes numbers"),
    "-chosen": ("takes `-` of booleans, which NumPy refuses", "`x.astype(float)`"),
}


@pytest.mark.parametrize("line", TOLD)
def test_an_error_is_told_with_what_its_line_does(line: str) -> None:
    says, advice = TOLD[line]
    found = told(line)
    assert found
    assert says in found[0]
    assert advice in found[1]
    assert "mask" not in found[1]


@pytest.mark.parametrize("line", ["nn.Linear(3, 4)(x)", "nn.LayerNorm(3)(x)"])
def test_of_an_object_it_is_said_where_layers_are_made(line: str) -> None:
    found = told(line, of_object=True)
    assert found
    assert "make layers in `__init__`" in found[1]


def test_an_attribute_that_nothing_has_set_is_told_and_one_of_another_object_is_not() -> None:
    line = "self.mask + 1"
    raised = Raised("AttributeError", (), "'Layer' object has no attribute 'mask'", 1, line)
    found = line_trouble(raised, of_object=True)
    assert found
    assert found[0] == "it uses `self.mask`, which nothing has set before this call"
    assert line_trouble(replace(raised, source="x.mask + 1"), of_object=True) is None


def test_of_numbers_that_are_looked_at_no_device_is_blamed() -> None:
    for line in (
        "given.tolist()",
        "torch.tensor(given.tolist()).to(given.device)",
        "given[0, 0].item()",
        "1 if given[0, 0] > 0 else 2",
    ):
        assert told(line) is None


class Scaled(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.ones(3))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.tanh(self.scale * x)


class Fresh(Scaled):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        layer = nn.Linear(3, 3)
        made: torch.Tensor = layer(x)
        return made


class Through(Scaled):
    def forward(self, x: torch.Tensor) -> Any:
        return np.tanh(self.scale.detach() * x)


def test_a_layer_made_in_forward_is_not_told_to_be_cast() -> None:
    said = refused(lambda: agreeing(Scaled, Fresh)(torch.ones(2, 3, dtype=F64), build=()), "mixes dtypes").message
    assert "layers are made in `__init__`" in said.advice
    assert "a.to(b.dtype)" not in said.advice


def test_where_numpy_cuts_the_gradient_off_its_own_advice_to_cut_it_is_not_shown() -> None:
    x = torch.ones(2, 3, dtype=F64)
    said = refused(lambda: agreeing(Scaled, Through)(x, build=(), gradients=True), "no gradient can pass").message
    assert "detach" not in said.text
    assert "stay in torch" in said.advice
