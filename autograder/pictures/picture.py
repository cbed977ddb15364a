"""What there is to see: two grids of numbers, their axes, and the first cell that is wrong."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch

from autograder.calls import Data
from autograder.suite.compare import TOLERANCE

AS_EXPECTED = "as expected"
Grid = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Axis:
    """The name of an axis, and of each place on it if they have names."""

    name: str = ""
    places: tuple[str, ...] = ()

    def label(self, index: int) -> str:
        """The name of a place, its number if it has none."""
        return self.places[index] if index < len(self.places) else str(index)


@dataclass(frozen=True)
class Picture:
    """An answer beside what is expected.

    `says` is the first difference in one line, "" if there is none; `part` and `place` say what of a larger answer is
    shown. `got` is None where the answer cannot be drawn, and `wrong`, the cells that differ, is empty where the
    shapes do. `boolean` grids hold 0 and 1.
    """

    title: str
    says: str
    part: str
    expected: Grid
    got: Grid | None
    wrong: npt.NDArray[np.bool_]
    place: str
    rows: Axis
    columns: Axis
    boolean: bool = False

    @property
    def verdict(self) -> str:
        """What to say above the panels."""
        where = ", ".join(filter(None, (self.part, self.place)))
        return (self.says or AS_EXPECTED) + (f"\nshown: {where}" if where else "")

    @property
    def crowded(self) -> bool:
        """Whether most cells are wrong, so that marking them all would hide the picture."""
        return bool(self.wrong.mean() > 0.5)

    def axes(self, grid: Grid) -> tuple[Axis, Axis]:
        """The axes of one of the grids; if it has another shape than expected, its places have no names."""
        return (self.rows, self.columns) if grid.shape == self.expected.shape else (Axis(), Axis())

    @property
    def first_wrong(self) -> tuple[int, int] | None:
        """The first wrong cell in reading order."""
        places = np.argwhere(self.wrong)
        return (int(places[0][0]), int(places[0][1])) if len(places) else None


def written(value: float, ordinary: bool = True) -> str:
    """A whole number without a point (so that 0 is not .00), others with two places or, if so asked, an exponent."""
    if not np.isfinite(value) or (value == int(value) and abs(value) < 1e4):
        return f"{value:.0f}"
    if not ordinary or abs(value) >= 1e4:
        return f"{value:.1e}"
    return f"{value:.2f}".replace("0.", ".", 1) if abs(value) < 1 else f"{value:.2f}"


def span(grids: Sequence[Grid]) -> tuple[float, float]:
    """The smallest and the largest finite number."""
    finite = np.concatenate([grid[np.isfinite(grid)] for grid in grids])
    return (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)


def drawable(value: Data) -> torch.Tensor | None:
    """`value` as numbers with at least two axes; None if it is nothing to draw."""
    if isinstance(value, dict) and value and all(isinstance(item, int | float) for item in value.values()):
        value = torch.tensor([float(item) for item in value.values()], dtype=torch.float64)
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
        value = torch.from_numpy(np.array(value))
    if not isinstance(value, torch.Tensor) or value.is_meta or not value.numel() or value.is_complex():
        return None
    return value.detach().double().reshape((1,) * (2 - value.dim()) + value.shape)


def limit_of(value: Data) -> float:
    """How far numbers of an answer may lie apart."""
    return TOLERANCE.get(getattr(value, "dtype", torch.float64), TOLERANCE[torch.float64])


def cut(
    expected: torch.Tensor, got: torch.Tensor | None, limit: float
) -> tuple[Grid, Grid | None, npt.NDArray[np.bool_], str]:
    """The two-dimensional slice with the first difference: of both, its wrong cells, and which slice it is."""
    if got is None or got.shape != expected.shape:
        first = expected[(0,) * (expected.dim() - 2)]
        other = None if got is None else got[(0,) * (got.dim() - 2)].numpy()
        return first.numpy(), other, np.zeros(first.shape, dtype=bool), _place((0,) * (expected.dim() - 2), expected)
    differs = ~torch.isclose(got, expected, rtol=limit, atol=limit, equal_nan=True)
    places = differs.nonzero()
    index = tuple(places[0, :-2].tolist()) if len(places) else (0,) * (expected.dim() - 2)
    return expected[index].numpy(), got[index].numpy(), differs[index].numpy(), _place(index, expected)


def _place(index: tuple[int, ...], whole: torch.Tensor) -> str:
    """ "[0, 1] of 2 × 3" of a slice; nothing if there is only one."""
    sizes = whole.shape[:-2]
    if math.prod(sizes) == 1:
        return ""
    return f"[{', '.join(map(str, index))}] of {' × '.join(map(str, sizes))}"
