"""A picture of an answer as data: two grids of numbers, their axes, and the first cell that is wrong."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch

from autograder.calls.records import Data
from autograder.compare.compare import TOLERANCE
from autograder.compare.describe import numbers

AS_EXPECTED = "as expected"
Grid = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Axis:
    """The name of an axis, and of each place on it if the places have names."""

    name: str = ""
    places: tuple[str, ...] = ()

    def label(self, index: int) -> str:
        """Return the name of a place, or its number if it has none."""
        return self.places[index] if index < len(self.places) else str(index)


@dataclass(frozen=True)
class Picture:
    """An answer beside the expected one.

    `says` is the first difference in one line, "" if there is none. `part` is the part of the result that is shown,
    `index` the slice of it among `sizes`, and `differing` the number of wrong cells in all slices. `got` is None if the
    answer cannot be drawn. `wrong` marks the cells that differ, none if the shapes differ. `boolean` grids hold 0, 1.
    """

    title: str
    says: str
    part: str
    expected: Grid
    got: Grid | None
    wrong: npt.NDArray[np.bool_]
    index: tuple[int, ...]
    sizes: tuple[int, ...]
    differing: int
    rows: Axis
    columns: Axis
    boolean: bool = False

    @property
    def verdict(self) -> str:
        """The text above the panels, about the marked cell if there is one."""
        where = ", ".join(filter(None, (self.part, self.place)))
        return (self._marked() or self.says or AS_EXPECTED) + (f"\nshown: {where}" if where else "")

    @property
    def place(self) -> str:
        """The place of a slice, as in "[0, 1] of 2 × 3"; "" if there is only one."""
        if math.prod(self.sizes) == 1:
            return ""
        return f"[{', '.join(map(str, self.index))}] of {' × '.join(map(str, self.sizes))}"

    def _marked(self) -> str:
        if self.first_wrong is None or self.got is None:
            return ""
        where = ", ".join(map(str, (*self.index, *self.first_wrong)))
        one, other = (float(grid[self.first_wrong]) for grid in (self.got, self.expected))
        yours, right = (str(bool(one)), str(bool(other))) if self.boolean else numbers(one, other)
        total = self.expected.size * math.prod(self.sizes)
        differ = "differs" if self.differing == 1 else "differ"
        return f"[{where}] is {yours} instead of {right}; {self.differing} of {total} cells {differ}"

    @property
    def crowded(self) -> bool:
        """Whether most cells are wrong, so that marking them all would hide the picture."""
        return bool(self.wrong.mean() > 0.5)

    def axes(self, grid: Grid) -> tuple[Axis, Axis]:
        """Return the axes of a grid; without names if its shape is not the expected one."""
        return (self.rows, self.columns) if grid.shape == self.expected.shape else (Axis(), Axis())

    @property
    def first_wrong(self) -> tuple[int, int] | None:
        """The first wrong cell in reading order."""
        places = np.argwhere(self.wrong)
        return (int(places[0][0]), int(places[0][1])) if len(places) else None


def written(value: float, ordinary: bool = True) -> str:
    """Return a number with two decimals, or with an exponent if it is large or not `ordinary`; 2.0 becomes 2."""
    if not np.isfinite(value) or (value == int(value) and abs(value) < 1e4):
        return f"{value:.0f}"
    if not ordinary or abs(value) >= 1e4:
        return f"{value:.1e}"
    return f"{value:.2f}".replace("0.", ".", 1) if abs(value) < 1 else f"{value:.2f}"


def span(grids: Sequence[Grid]) -> tuple[float, float]:
    """Return the smallest and the largest finite number."""
    finite = np.concatenate([grid[np.isfinite(grid)] for grid in grids])
    return (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)


def window(length: int, most: int, around: int) -> range:
    """Return at most `most` places, `around` among them."""
    start = max(0, min(around - most // 2, length - most))
    return range(start, min(length, start + most))


def drawable(value: Data) -> torch.Tensor | None:
    """Return `value` as numbers with at least two axes; None if it cannot be drawn."""
    if isinstance(value, dict) and value and all(isinstance(item, int | float) for item in value.values()):
        value = torch.tensor([float(item) for item in value.values()], dtype=torch.float64)
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
        value = torch.from_numpy(np.array(value))
    if not isinstance(value, torch.Tensor) or value.is_meta or not value.numel() or value.is_complex():
        return None
    return value.detach().double().reshape((1,) * (2 - value.dim()) + value.shape)


def limit_of(value: Data) -> float:
    """Return the tolerance for the numbers of an answer."""
    return TOLERANCE.get(getattr(value, "dtype", torch.float64), TOLERANCE[torch.float64])


Cut = tuple[Grid, Grid | None, npt.NDArray[np.bool_], tuple[int, ...], tuple[int, ...], int]


def cut(expected: torch.Tensor, got: torch.Tensor | None, limit: float) -> Cut:
    """Return the two-dimensional slice with the first difference, of both sides, and the fields of `Picture` for it."""
    sizes = tuple(expected.shape[:-2])
    if got is None or got.shape != expected.shape:
        index = (0,) * len(sizes)
        other = None if got is None else got[(0,) * (got.dim() - 2)].numpy()
        first = expected[index].numpy()
        return first, other, np.zeros(first.shape, dtype=bool), index, sizes, 0
    differs = ~torch.isclose(got, expected, rtol=limit, atol=limit, equal_nan=True)
    places = differs.nonzero()
    index = tuple(places[0, :-2].tolist()) if len(places) else (0,) * len(sizes)
    return expected[index].numpy(), got[index].numpy(), differs[index].numpy(), index, sizes, len(places)
