"""Compare two values of the same structure: shape, dtype and device, NaN, numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from autograder.calls.records import Data
from autograder.compare.difference import Difference

TOLERANCE = {torch.float64: 1e-9, torch.float32: 1e-4}

LENIENT = 1e-4
"""A larger difference rules a known mistake out: no rounding explains it, not even float32's in a plain number."""

PLAIN = 1e-3
"""A mistake that is off by more than this is recognised in rounded answers, too."""

Compare = Callable[[Data, Data, float | None], Difference | None]


def tensor(value: Data) -> torch.Tensor | None:
    """Return a tensor of the value's numbers; None where it is no array."""
    if isinstance(value, np.ndarray):
        return torch.from_numpy(np.array(value, dtype=_known(value.dtype))) if value.dtype.kind in "biuf" else None
    return value if isinstance(value, torch.Tensor) else None


def _known(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the dtype nearest to a number's that torch knows."""
    return np.dtype(np.float64) if dtype.itemsize > np.dtype(np.float64).itemsize else dtype.newbyteorder("=")


def shape(want: Data, have: Data, _: float | None) -> Difference | None:
    if not hasattr(want, "shape") or tuple(want.shape) == tuple(have.shape):
        return None
    return Difference("shape", "shape", want, have)


def dtype(want: Data, have: Data, _: float | None) -> Difference | None:
    if not hasattr(want, "dtype"):
        return None
    if want.dtype != have.dtype:
        return Difference("dtype", "dtype", want, have)
    return None if device(want) == device(have) else Difference("dtype", "device", want, have)


def device(value: Data) -> str:
    """Return the type of the device that a value lies on."""
    return value.device.type if isinstance(value, torch.Tensor) else "cpu"


def nan(want: Data, have: Data, _: float | None) -> Difference | None:
    wanted, got = tensor(want), tensor(have)
    if isinstance(want, float) and want == want and have != have:
        return Difference("nan", "nan", want, have)
    if wanted is None or got is None or got.is_meta or not got.is_floating_point():
        return None
    return Difference("nan", "nan", wanted, got) if bool(astray(wanted, got).any()) else None


def astray(want: torch.Tensor, have: torch.Tensor) -> torch.Tensor:
    """Return where there is a NaN instead of a number."""
    return have.isnan() & ~want.isnan()


def values(want: Data, have: Data, tolerance: float | None) -> Difference | None:
    wanted, got = tensor(want), tensor(have)
    if wanted is None or got is None:
        return None if _same(want, have, tolerance) else Difference("values", "plain", want, have, tolerance=tolerance)
    if got.is_meta or torch.equal(wanted, got) or not bool(apart(wanted, got, tolerance).any()):
        return None
    return Difference("values", "numbers", wanted, got, tolerance=tolerance)


LEAF: tuple[tuple[str, Compare], ...] = (("shape", shape), ("dtype", dtype), ("nan", nan), ("values", values))
"""The comparisons of two leaves, in the order of their stages."""


def apart(want: torch.Tensor, have: torch.Tensor, tolerance: float | None) -> torch.Tensor:
    """Return where two tensors differ by more than the tolerance, or than what their dtype allows."""
    if not want.is_floating_point():
        return want != have
    limit = tolerance or TOLERANCE.get(want.dtype, 1e-2)
    return ~torch.isclose(have, want, rtol=limit, atol=limit, equal_nan=True)


def _same(want: Data, have: Data, tolerance: float | None) -> bool:
    if isinstance(want, float):
        limit = tolerance or TOLERANCE[torch.float64]
        near = math.isfinite(want) and abs(want - have) <= limit * (1 + abs(want))
        return want == have or near or (want != want and have != have)
    if isinstance(want, np.ndarray):
        return bool(np.array_equal(want, have))
    return bool(want == have)
