"""Plots: a heat map, curves, bars, and lines from word to word; as text in a terminal, as SVG in a notebook.

    heatmap(weights, rows=words, columns=words).show()

Values may be tensors, arrays or lists. Values that are not finite are left out, with a note.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from rich.console import Console
from rich.text import Text

from autograder.compare.grid import Grid
from autograder.core.text import PLAINLY
from autograder.student.pictures import plot_data, plot_svg, plot_text

LARGEST = 1e100  # larger numbers count as infinite


@dataclass(frozen=True, eq=False)
class Plot(ABC):
    """The base of plots that can be drawn as text and as SVG."""

    title: str

    @abstractmethod
    def text(self, width: int) -> str:
        """Return the drawing as text of at most `width` columns."""

    @abstractmethod
    def svg(self) -> str:
        """Return the drawing as self-contained SVG, in the text colour of its surroundings."""

    def show(self) -> None:
        """Display it in a notebook, else print it."""
        shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
        if hasattr(shell, "kernel"):
            from IPython.display import display

            display(self)
            return
        console = Console(highlight=False)
        drawn = self.text(console.width).encode(console.encoding, PLAINLY).decode(console.encoding)
        console.print(Text(drawn), no_wrap=True, overflow="ignore", crop=False)

    def _repr_html_(self) -> str:
        return f"<div>{self.svg()}</div>"

    def __repr__(self) -> str:
        return f"<{type(self).__name__}{f' “{self.title}”' if self.title else ''}: .show() draws it>"


class Heatmap(plot_data.HeatmapData, Plot):
    """A grid of numbers (R, C), with a name for each row and each column."""

    def text(self, width: int) -> str:
        return plot_text.heatmap(self, width)

    def svg(self) -> str:
        return plot_svg.heatmap(self)


class Curve(plot_data.CurveData, Plot):
    """Named series of points (N, 2), in the order of x; `missing` counts the points of each that are not finite."""

    def text(self, width: int) -> str:
        return plot_text.curve(self, width)

    def svg(self) -> str:
        return plot_svg.curve(self)


class Bars(plot_data.BarsData, Plot):
    """A number for each label."""

    def text(self, width: int) -> str:
        return plot_text.bars(self, width)

    def svg(self) -> str:
        return plot_svg.bars(self)


class Lines(plot_data.LinesData, Plot):
    """The weight of each of T words for each other word, in each head: (H, T, T)."""

    def text(self, width: int) -> str:
        return plot_text.lines(self, width)

    def svg(self) -> str:
        return plot_svg.lines(self)


def heatmap(values: Any, rows: Sequence[object], columns: Sequence[object], title: str = "") -> Heatmap:
    """Return a heat map of `values` (R, C); without names, rows and columns are numbered.

    Raises:
        ValueError: `values` has not two dimensions, or the names do not fit its rows or columns.
    """
    grid = numbers(values)
    if grid.ndim != 2:
        raise ValueError(f"heatmap: values have shape {grid.shape}; give one grid of rows and columns")
    for names, length, what in ((rows, grid.shape[0], "rows"), (columns, grid.shape[1], "columns")):
        if len(names) not in (0, length):
            raise ValueError(f"heatmap: {length} {what} of values have {len(names)} names; give as many names")
    return Heatmap(title, grid, _named(rows, grid.shape[0]), _named(columns, grid.shape[1]))


def curve(lines: Mapping[str, Any], x: str = "", y: str = "", title: str = "") -> Curve:
    """Return curves by name, each the values of y at 0, 1, 2, ..., or pairs (x, y).

    Raises:
        ValueError: a curve is neither.
    """
    points = {str(name): _points(name, numbers(values)) for name, values in lines.items()}
    drawn = {name: (np.abs(each) < LARGEST).all(1) for name, each in points.items()}  # nan is not below it either
    kept = {name: each[drawn[name]] for name, each in points.items()}
    ordered = {name: each[np.argsort(each[:, 0], kind="stable")] for name, each in kept.items()}
    return Curve(title, ordered, x, y, {name: int((~each).sum()) for name, each in drawn.items()})


def bars(values: Mapping[str, Any], title: str = "") -> Bars:
    """Return a bar for each label."""
    return Bars(title, {str(label): float(value) for label, value in values.items()})


def lines(weights: Any, words: Sequence[object], title: str = "") -> Lines:
    """Return lines from word to word, as dark as their `weights` (T, T) or (H, T, T).

    Raises:
        ValueError: the weights have another shape, or T is not the number of words.
    """
    grid, count = numbers(weights), len(words)
    if grid.ndim not in (2, 3) or grid.shape[-2:] != (count, count):
        raise ValueError(
            f"lines: weights have shape {grid.shape}; for {count} words give (T, T) or (H, T, T), T = {count}"
        )
    return Lines(title, grid.reshape(-1, count, count) if count else grid.reshape(1, 0, 0), _named(words, count))


def numbers(values: Any) -> Grid:
    """Return a tensor, an array, a number, or a list of these, as one array."""
    if hasattr(values, "detach"):
        values = values.detach().cpu().double().numpy()
    if isinstance(values, list | tuple):
        values = [numbers(each) for each in values]
    return np.asarray(values, dtype=np.float64)


def _points(name: object, values: Grid) -> Grid:
    if values.ndim == 1:
        return np.stack([np.arange(len(values), dtype=np.float64), values], axis=1)
    if values.ndim != 2 or values.shape[1] != 2:
        raise ValueError(f"curve: '{name}' has shape {values.shape}; give a list of y, or a list of pairs (x, y)")
    return values


def _named(names: Sequence[object], count: int) -> tuple[str, ...]:
    """Return the names, each on one line; numbers if there are none."""
    return tuple(" ".join(str(name).split()) or "␣" for name in (names or range(count)))
