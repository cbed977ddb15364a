"""Changes of a result: a sign, an axis, a step too many at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
import torch

from autograder.compare.compare import tensor

ArrayChange = Callable[[torch.Tensor], torch.Tensor]

LARGEST = torch.iinfo(torch.int64).max

LAST_STEPS: tuple[tuple[str, str, ArrayChange], ...] = (
    ("exp", "the exponential", torch.exp),
    ("log", "the logarithm", torch.log),
    ("sqrt", "the square root", torch.sqrt),
    ("square", "the square", torch.square),
    ("inverse", "the inverse (1 / x)", torch.reciprocal),
    ("absolute", "the absolute value", torch.abs),
    ("relu", "the ReLU", torch.relu),
    ("gelu", "the GELU", torch.nn.functional.gelu),
    ("tanh", "the tanh", torch.tanh),
    ("sigmoid", "the sigmoid", torch.sigmoid),
    ("softmax", "the softmax (over the last axis)", partial(torch.softmax, dim=-1)),
    ("log-softmax", "the log-softmax (over the last axis)", partial(torch.log_softmax, dim=-1)),
    ("complement", "1 minus the value", lambda x: 1 - x),
    ("rounded", "the rounded value", torch.round),
    ("floor", "the whole part", torch.floor),
)


def result_changes(value: Any, what: str) -> Iterator[tuple[str, str, str, ArrayChange]]:
    """Yield ids, sentences, advice and changes for a right result; `what` names it."""
    right = as_tensor(value)
    if right is None:
        return
    capital = what[0].upper() + what[1:]
    if right.is_floating_point():
        advice = "Look for a difference taken the wrong way round, or for a minus that is missing or one too many."
        yield "negative", f"{capital} has the opposite sign.", advice, torch.neg
        for identifier, words, step in LAST_STEPS:
            advice = "Look at the last step: is there one too many, or one missing?"
            yield f"last-{identifier}", f"{capital} is {words} of what is expected.", advice, step
    if right.dtype == torch.bool:
        yield "opposite", f"True and False are exchanged in {what}.", "Turn the condition round.", torch.logical_not
    yield from _axis_changes(right, what, capital)


def _axis_changes(right: torch.Tensor, what: str, capital: str) -> Iterator[tuple[str, str, str, ArrayChange]]:
    if 1 in right.shape:
        advice = "`squeeze()` drops every axis of size 1, that of a single item too: name the axis, or use an index."
        yield "squeezed", f"{capital} has lost its axes of size 1.", advice, torch.squeeze
    for axis in (axis for axis, size in enumerate(right.shape) if size == 1 and tuple(right.shape).count(1) > 1):
        advice = f"`squeeze({axis})` drops it where its size is 1: use an index, and only where it is always 1."
        yield f"squeezed-{axis}", f"{capital} has lost axis {axis}.", advice, partial(torch.squeeze, dim=axis)
    if right.dim() > 1:
        advice = "Look for an index 0 that should be a slice, or for something that is computed once for all items."
        yield "first-for-all", f"Each item of {what} is the first one's.", advice, lambda x: x[:1].expand_as(x)
    for one, other in combinations(range(right.dim()), 2):
        advice = "Write down the shape after each step, axis by axis."
        says = f"Axes {one} and {other} of {what} are swapped."
        yield f"axes-{one}-{other}", says, advice, partial(torch.Tensor.transpose, dim0=one, dim1=other)
    for identifier, words, step in rearrangements(right.dim()):
        yield identifier, f"{capital} is {words}.", "Where does it begin, and which way does it run?", step


def rearrangements(axes: int) -> Iterator[tuple[str, str, ArrayChange]]:
    """Yield ids, words and changes that put the entries of an array in another order along one of its `axes`."""
    for axis in range(axes):
        which = f" along axis {axis}" if axes > 1 else ""
        yield f"reversed-{axis}", f"in reverse order{which}", partial(torch.flip, dims=(axis,))
        for shift, way, where in (1, "back", "end"), (-1, "forward", "start"):
            words = f"shifted one place towards its {where}{which}, what falls off coming in at the other end"
            yield f"rolled-{axis}-{way}", words, partial(torch.roll, shifts=shift, dims=axis)


def as_tensor(value: Any) -> torch.Tensor | None:
    """Return numbers, or truths, as a tensor; None for anything else."""
    if isinstance(value, torch.Tensor | np.ndarray):
        known = tensor(value)
        return None if known is None or known.is_meta else known
    if isinstance(value, int) and abs(value) > LARGEST:
        return None
    if isinstance(value, bool | int | float):
        return torch.tensor(value, dtype=torch.float64 if isinstance(value, float) else None)
    return None


def on_part(result: Any, index: int | None, step: ArrayChange) -> Any:
    """Return the result with `step` applied to the part `index`, or to all of it (None)."""
    if index is None:
        return _stepped(result, step)
    return tuple(_stepped(each, step) if number == index else each for number, each in enumerate(result))


def _stepped(value: Any, step: ArrayChange) -> Any:
    if isinstance(value, torch.Tensor):
        return step(value)
    known = as_tensor(value)
    if known is None:
        return value
    made = step(known)
    return made.numpy() if isinstance(value, np.ndarray) else type(value)(made.item())
