"""What plots show: numbers, and the names beside them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from autograder.compare.grid import Grid


@dataclass(frozen=True, eq=False, repr=False)
class Titled:
    """What has a title, or "" for none."""

    title: str


@dataclass(frozen=True, eq=False, repr=False)
class Heatmap(Titled):
    """A grid of numbers (R, C), with a name for each row and each column."""

    values: Grid
    rows: tuple[str, ...]
    columns: tuple[str, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Curve(Titled):
    """Named series of points (N, 2), in the order of x; `missing` counts what of each is no number to draw."""

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
        """What is not drawn, in words; "" if everything is."""
        told = [f"{count} of {name}" for name, count in self.missing.items() if count]
        return f"not drawn, because not a finite number: {', '.join(told)}" if told else ""


@dataclass(frozen=True, eq=False, repr=False)
class Bars(Titled):
    """A number for each label."""

    values: Mapping[str, float]


@dataclass(frozen=True, eq=False, repr=False)
class Lines(Titled):
    """How much each word (T) looks at each word, in each head: weights (H, T, T)."""

    weights: Grid
    words: tuple[str, ...]
