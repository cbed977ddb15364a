"""The data of plots: numbers, and the names beside them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from autograder.compare.grid import Grid


@dataclass(frozen=True, eq=False, repr=False)
class Titled:
    """The base of all plots; the title may be ""."""

    title: str


@dataclass(frozen=True, eq=False, repr=False)
class HeatmapData(Titled):
    """A grid of numbers (R, C), with a name for each row and each column."""

    values: Grid
    rows: tuple[str, ...]
    columns: tuple[str, ...]


@dataclass(frozen=True, eq=False, repr=False)
class CurveData(Titled):
    """Named series of points (N, 2), in the order of x; `missing` counts the points of each that are not finite."""

    lines: Mapping[str, Grid]
    x: str
    y: str
    missing: Mapping[str, int]

    @property
    def points(self) -> Grid:
        """All points (N, 2)."""
        return np.concatenate([np.empty((0, 2)), *self.lines.values()])

    @property
    def note(self) -> str:
        """A sentence on the points that are not drawn; "" if there are none."""
        missing = [f"{count} of {name}" for name, count in self.missing.items() if count]
        return f"not drawn, because not a finite number: {', '.join(missing)}" if missing else ""


@dataclass(frozen=True, eq=False, repr=False)
class BarsData(Titled):
    """A number for each label."""

    values: Mapping[str, float]


@dataclass(frozen=True, eq=False, repr=False)
class LinesData(Titled):
    """The weight of each of T words for each other word, in each head: (H, T, T)."""

    weights: Grid
    words: tuple[str, ...]
