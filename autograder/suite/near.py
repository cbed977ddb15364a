"""Compare numbers in suites, and describe how they differ."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import torch

from autograder.calls.records import Data, tensors
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


def near(a: torch.Tensor, b: torch.Tensor | float, tolerance: float = 1e-8) -> bool:
    """Return whether `a` equals `b` up to `tolerance`, after broadcasting `b` to the shape of `a`."""
    wanted = torch.as_tensor(b, dtype=a.dtype).expand_as(a)
    alike = torch.allclose(a, wanted, rtol=0, atol=tolerance)
    if not alike and _listening and not a.is_complex():
        _listening[-1].append(_apart(a, wanted, tolerance))
    return alike


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
    whole = any(tuple(leaf.shape) == found.shape for leaf in tensors(results))
    place = (names.of_result() if whole else Names()).index(found.index, found.shape)
    where = f" at {place}" if place else ""
    have, want = numbers(found.have, found.want)
    many = f"; {found.count} of {total} differ{'s' if found.count == 1 else ''}" if total > 1 else ""
    if len(results) > 1:
        return f"two of your own answers, compared with each other, give {have} and {want}{where}{many}"
    return f"NaN{where}" if math.isnan(found.have) else f"{have} instead of {want}{where}{many}"
