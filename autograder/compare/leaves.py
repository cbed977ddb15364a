"""Two values that are built alike, held against each other: shape, dtype and device, NaN, numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch

from autograder.calls.records import Data
from autograder.compare.describe import Names, describe, number, numbers, short

Stage = Literal["outcome", "structure", "shape", "dtype", "nan", "values", "gradients", "arguments", "again"]
STAGES: tuple[Stage, ...] = (
    "outcome", "structure", "shape", "dtype", "nan", "values", "gradients", "arguments", "again"
)  # fmt: skip
FEW = 6  # entries of a list that are shown all
TOLERANCE = {torch.float64: 1e-9, torch.float32: 1e-4}

LENIENT = 1e-4
"""What speaks against a name is a difference that no rounding explains, not even float32's in a plain number."""

PLAIN = 1e-3
"""A mistake that is off by more than this is known by what rounding left of it, too."""


@dataclass(frozen=True)
class Difference:
    """Where two observations part: the stage, one line on it, both sides in words, and what is sure to help."""

    stage: Stage
    headline: str
    expected: str
    got: str
    advice: str = ""


def _tensor(value: Data) -> torch.Tensor | None:
    if isinstance(value, np.ndarray):
        return torch.from_numpy(np.array(value)) if value.dtype.kind in "biuf" else None
    return value if isinstance(value, torch.Tensor) else None


def shape(place: str, want: Data, have: Data, names: Names, _: float | None) -> Difference | None:
    if not hasattr(want, "shape") or tuple(want.shape) == tuple(have.shape):
        return None
    wanted, got = names.shape(want.shape), names.shape(have.shape)
    return Difference("shape", f"{place} has shape {got} instead of {wanted}", f"shape {wanted}", f"shape {got}")


def dtype(place: str, want: Data, have: Data, _names: Names, _: float | None) -> Difference | None:
    if not hasattr(want, "dtype"):
        return None
    if want.dtype != have.dtype:
        a, b = str(want.dtype).removeprefix("torch."), str(have.dtype).removeprefix("torch.")
        advice = f'make it with this dtype: np.zeros(3, dtype="{a}")' if isinstance(want, np.ndarray) else ""
        return Difference("dtype", f"{place} is {b} instead of {a}", a, b, advice)
    wanted, got = _device(want), _device(have)
    if wanted != got:
        headline = f"{place} is on device {got} instead of {wanted}"
        return Difference("dtype", headline, _meaning(wanted), _meaning(got))
    return None


def _meaning(device: str) -> str:
    return "device meta (tensors without data, in the place of a GPU's)" if device == "meta" else f"device {device}"


def _device(value: Data) -> str:
    return value.device.type if isinstance(value, torch.Tensor) else "cpu"


def nan(place: str, want: Data, have: Data, names: Names, _: float | None) -> Difference | None:
    wanted, got = _tensor(want), _tensor(have)
    if isinstance(want, float) and want == want and have != have:
        return Difference("nan", f"{place} is NaN", number(want), "NaN")
    if wanted is None or got is None or got.is_meta or not got.is_floating_point():
        return None
    bad = got.isnan()
    if not bool(bad.any()):
        return None
    bad &= ~wanted.isnan()
    if not bool(bad.any()):
        return None
    index = bad.nonzero()[0].tolist()
    where = f"{place}{names.index(index, bad.shape)}"
    count = int(bad.sum())
    are = f"; {_count(count, bad.numel())} {'is' if count == 1 else 'are'}" if bad.numel() > 1 else ""
    right = number(wanted[tuple(index)].item())
    return Difference("nan", f"{where} is NaN{are}", f"{where} = {right}", f"{where} = NaN")


def values(place: str, want: Data, have: Data, names: Names, tolerance: float | None) -> Difference | None:
    wanted, got = _tensor(want), _tensor(have)
    if wanted is None or got is None:
        return None if _same(want, have, tolerance) else _plain_difference(place, want, have, names)
    if got.is_meta or torch.equal(wanted, got):
        return None
    bad = ~_close(wanted, got, tolerance)
    if not bool(bad.any()):
        return None
    index = _worst(wanted, got, bad)
    a, b = numbers(wanted[tuple(index)].item(), got[tuple(index)].item())
    where = f"{place}{names.index(index, bad.shape)}"
    count = int(bad.sum())
    others = f"; {_count(count, bad.numel())} {'differs' if count == 1 else 'differ'}" if bad.numel() > 1 else ""
    headline = f"{where} is {b} instead of {a}{others}"
    return Difference("values", headline, f"{where} = {a}", f"{where} = {b}")


def _worst(want: torch.Tensor, have: torch.Tensor, bad: torch.Tensor) -> list[int]:
    """Where numbers are farthest apart; of ids and booleans, which are not near or far, the first that differs."""
    if not want.is_floating_point():
        first: list[int] = bad.nonzero()[0].tolist()
        return first
    gap = (want.double() - have.double()).abs().nan_to_num(nan=torch.inf).masked_fill(~bad, -1)
    return [int(part) for part in np.unravel_index(int(gap.argmax()), gap.shape)]


def _count(bad: int, total: int) -> str:
    return "all entries" if bad == total else f"{bad} of {total} entries"


def _close(want: torch.Tensor, have: torch.Tensor, tolerance: float | None) -> torch.Tensor:
    if not want.is_floating_point():
        return want == have
    limit = tolerance or TOLERANCE.get(want.dtype, 1e-2)
    return torch.isclose(have, want, rtol=limit, atol=limit, equal_nan=True)


def _same(want: Data, have: Data, tolerance: float | None) -> bool:
    if isinstance(want, float):
        limit = tolerance or TOLERANCE[torch.float64]
        near = math.isfinite(want) and abs(want - have) <= limit * (1 + abs(want))
        return want == have or near or (want != want and have != have)
    if isinstance(want, np.ndarray):
        return bool(np.array_equal(want, have))
    return bool(want == have)


def _plain_difference(place: str, want: Data, have: Data, names: Names) -> Difference:
    if isinstance(want, float) and isinstance(have, float):
        a, b = numbers(want, have)
        return Difference("values", f"{place} is {b} instead of {a}", a, b)
    if isinstance(want, list | tuple) and isinstance(have, list | tuple) and max(len(want), len(have)) > FEW:
        return _list_difference(place, want, have)
    inner = Names(names.axes)  # the names of parts are those of the whole result
    a, b = describe(want, inner), describe(have, inner)
    if a == b:
        a, b = short(repr(want)), short(repr(have))
    return Difference("values", f"{place} is {b} instead of {a}", a, b)


def _list_difference(place: str, want: Sequence[Data], have: Sequence[Data]) -> Difference:
    """Where two long lists of plain values part, with a little of what stands around it."""
    pairs = enumerate(zip(want, have, strict=False))
    at = next((number for number, (one, other) in pairs if one != other), None)
    if at is None:
        at = min(len(want), len(have))
        headline = f"{place} has {len(have)} entries instead of {len(want)}"
    else:
        headline = f"{place}[{at}] is {short(repr(have[at]))} instead of {short(repr(want[at]))}"
    a, b = (_around(items, at, tell_length=len(want) != len(have)) for items in (want, have))
    return Difference("values", headline, a, b)


def _around(items: Sequence[Data], at: int, *, tell_length: bool) -> str:
    first, last = max(0, at - 2), min(len(items), at + 3)
    inner = ", ".join(short(repr(item)) for item in items[first:last])
    length = f" ({len(items)} entries)" if tell_length else ""
    return f"[{'…, ' if first else ''}{inner}{', …' if last < len(items) else ''}]{length}"
