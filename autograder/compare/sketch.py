"""A few numbers in the place of an answer: answers that are equal up to rounding have nearly the same ones."""

from __future__ import annotations

import math
from typing import TypeAlias

import torch

from autograder.calls.records import Data
from autograder.calls.tree import leaves
from autograder.compare.leaves import tensor

Sketch: TypeAlias = tuple[str, tuple[float, ...]]
"""The form of an answer, and for each of its arrays three weighted sums."""

NEAR = 1e-6


def sketch(value: Data) -> Sketch:
    """Return the sketch of an answer."""
    forms, sums = [], []
    for leaf in leaves(value):
        array = tensor(leaf)
        if array is not None and not array.is_meta and not array.is_complex():
            forms.append(f"{type(leaf).__name__} {leaf.dtype} {tuple(leaf.shape)}")
            sums += _sums(array)
        elif isinstance(leaf, float):
            sums.append(leaf)
        else:
            forms.append(f"{type(leaf).__name__} {leaf!r}"[:200])
    return " ".join(forms), tuple(sums)


def _sums(array: torch.Tensor) -> list[float]:
    flat = array.detach().double().flatten()
    places = torch.arange(1, flat.numel() + 1, dtype=torch.float64)
    waves = [torch.ones_like(places), torch.sin(places), torch.cos(places * math.e)]
    return [float((flat * wave).nansum()) for wave in waves]


def near(one: Sketch, other: Sketch) -> bool:
    """Return whether two answers may be equal up to rounding."""
    return one[0] == other[0] and len(one[1]) == len(other[1]) and all(map(_close, one[1], other[1]))


def _close(one: float, other: float) -> bool:
    return one == other or math.isclose(one, other, rel_tol=NEAR, abs_tol=NEAR) or (one != one and other != other)
