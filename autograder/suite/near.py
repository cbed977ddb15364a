"""Compare numbers in suites, and describe how they differ."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from autograder.calls.as_data import as_data
from autograder.calls.records import Data, leaves
from autograder.compare.compare import kind_of, tensor
from autograder.compare.describe import Names, numbers

_listening: list[list[Apart]] = []


@dataclass(frozen=True)
class Apart:
    """Two tensors that should have been near: both numbers where they differ most, and how many numbers differ."""

    have: float
    want: float
    index: tuple[int, ...]
    shape: tuple[int, ...]
    count: int


def near(a: Any, b: Any, tolerance: float = 1e-8) -> bool:
    """Return whether `a` equals `b` up to `tolerance`, after broadcasting `b` to the shape of `a`.

    Both may be tensors, arrays, numbers, lists of numbers, pandas frames, or dicts of such.

    Raises:
        TypeError: one of them has no numbers.
    """
    have, want = _data(a), _data(b)
    if isinstance(have, dict):
        return have.keys() == want.keys() and all(near(item, want[key], tolerance) for key, item in have.items())
    return _are_near(_floats(have), _floats(want), tolerance)


def _data(value: Any) -> Data:
    """Return a value as data; the tensors of a predicate are on the CPU, wherever the calls were made."""
    if isinstance(value, torch.Tensor):
        return value.detach()
    return {key: _data(item) for key, item in value.items()} if isinstance(value, dict) else as_data(value)


def _are_near(have: torch.Tensor, want: torch.Tensor, tolerance: float) -> bool:
    wanted = want.to(have.dtype if have.is_complex() or not want.is_complex() else want.dtype).expand_as(have)
    alike = torch.allclose(have.to(wanted.dtype), wanted, rtol=0, atol=tolerance)
    if not alike and _listening and not wanted.is_complex():
        _listening[-1].append(_apart(have, wanted, tolerance))
    return alike


def _floats(value: Data) -> torch.Tensor:
    """Return the numbers of a value; whole ones as float64, so that none is rounded to another."""
    numbers = value if isinstance(value, torch.Tensor) else tensor(np.asarray(value))
    if numbers is None:
        raise TypeError(f"near compares numbers, and a {kind_of(value)} like {value!r:.60} has none")
    return numbers if numbers.is_floating_point() or numbers.is_complex() else numbers.double()


@contextmanager
def listening() -> Iterator[list[Apart]]:
    """Yield a list, to which `near` adds every comparison that fails meanwhile."""
    _listening.append([])
    try:
        yield _listening[-1]
    finally:
        _listening.pop()


def _apart(a: torch.Tensor, b: torch.Tensor, tolerance: float) -> Apart:
    gap = (a.double() - b.double()).abs().nan_to_num(nan=torch.inf).masked_fill(a == b, 0)
    place = torch.unravel_index(gap.argmax(), gap.shape)
    index = tuple(int(part) for part in place)
    return Apart(a[index].item(), b[index].item(), index, tuple(a.shape), int((gap > tolerance).sum()))


def describe_apart(apart: Sequence[Apart], results: Sequence[Data], names: Names) -> str:
    """Describe the one comparison that failed; return "" if none did, or if several did and any may have decided.

    Args:
        results: the student's answers. If a whole answer was compared, axes have their names.
    """
    if len(apart) != 1:
        return ""
    (found,) = apart
    total = math.prod(found.shape)
    whole = any(tuple(getattr(leaf, "shape", ())) == found.shape for leaf in leaves(results))
    place = (names.of_result() if whole else Names()).index(found.index, found.shape)
    where = f" at {place}" if place else ""
    have, want = numbers(found.have, found.want)
    many = f"; {found.count} of {total} differ{'s' if found.count == 1 else ''}" if total > 1 else ""
    if len(results) > 1:
        return f"two of your own answers, compared with each other, give {have} and {want}{where}{many}"
    return f"NaN{where}" if math.isnan(found.have) else f"{have} instead of {want}{where}{many}"
