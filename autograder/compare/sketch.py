"""A few numbers in the place of an answer: answers that are equal up to rounding have nearly the same ones."""

from __future__ import annotations

import math
import re
from functools import cache
from typing import TypeAlias

import torch

from autograder.calls.records import Data, Raised, leaves
from autograder.calls.values import written
from autograder.compare.compare import LARGEST, tensor

Sketch: TypeAlias = tuple[str, tuple[tuple[float, float], ...]]
"""The form of an answer, and for each of its arrays three weighted sums, each with the size of what was added."""

NEAR = 1e-6

_SIZES = re.compile(r"tensor a \((\d+)\) must match the size of tensor b \((\d+)\)")


def sketch(value: Data) -> Sketch:
    """Return the sketch of an answer."""
    forms, sums = [], list[tuple[float, float]]()
    for leaf in leaves(value):
        array = tensor(leaf)
        if array is not None and not array.is_meta:
            forms.append(f"{type(leaf).__name__} {leaf.dtype} {tuple(leaf.shape)}")
            sums += _sums(array)
        elif isinstance(leaf, float | int) and not isinstance(leaf, bool) and not abs(leaf) > LARGEST:
            sums.append((leaf, abs(leaf)))
        elif isinstance(leaf, complex):
            size = math.hypot(leaf.real, leaf.imag)  # inf where abs raises OverflowError
            sums += [(leaf.real, size), (leaf.imag, size)]
        elif isinstance(leaf, Raised):
            forms.append(f"{leaf.kind}: {without_order(leaf.message)}")
        else:
            forms.append(f"{type(leaf).__name__} {written(leaf)}"[:200])
    return " ".join(forms), tuple(sums)


def without_order(message: str) -> str:
    """Return an error's message with the two sizes that do not fit in ascending order: x * y fails like y * x."""
    return _SIZES.sub(lambda found: " and ".join(sorted(found.groups(), key=int)), message)


def _sums(array: torch.Tensor) -> list[tuple[float, float]]:
    array = array.detach()
    flat = (torch.view_as_real(array.resolve_conj()) if array.is_complex() else array).double().flatten()
    flat = torch.where(flat.isnan(), 0, flat)
    size = float(flat.abs().sum())
    waves = _waves((flat.numel() - 1).bit_length())[:, : flat.numel()]
    return [(each, size) for each in (waves @ flat).tolist()]


@cache
def _waves(bits: int) -> torch.Tensor:
    """Return the weights of sums of up to 2 ** bits numbers, (3, 2 ** bits)."""
    places = torch.arange(1, 2**bits + 1, dtype=torch.float64)
    return torch.stack([torch.ones_like(places), torch.sin(places), torch.cos(places * math.e)])


def near(one: Sketch, other: Sketch, limit: float = NEAR) -> bool:
    """Return whether two answers may be equal up to a share of `limit`."""
    alike = one[0] == other[0] and len(one[1]) == len(other[1])
    return alike and all(_close(a, b, limit * (1 + size)) for (a, size), (b, _) in zip(one[1], other[1], strict=True))


def _close(one: float, other: float, limit: float) -> bool:
    return one == other or abs(one - other) <= limit or (one != one and other != other)
