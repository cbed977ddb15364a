"""A picture as a PNG file."""

from __future__ import annotations

import io
import textwrap
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.compare.grid import Axis, Grid, Picture, span, written

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_LABELS, MOST_WRITTEN = 24, 8


def as_png(picture: Picture) -> bytes:
    """Return a PNG of the two panels, side by side.

    Raises:
        ModuleNotFoundError: matplotlib is not installed.
    """
    from matplotlib.figure import Figure

    grids = {"expected": picture.expected, "yours": picture.got}
    shown = {title: grid for title, grid in grids.items() if grid is not None}
    height = max(2.2, min(7.0, 0.32 * len(picture.expected))) + 1.4
    figure = Figure(figsize=(4.6 * len(shown) + 0.8, height), dpi=110, layout="constrained")
    panels = figure.subplots(1, len(shown), squeeze=False)[0]
    for panel, (title, grid) in zip(panels, shown.items(), strict=True):
        drawn = _draw(panel, picture, title, grid)
    if not picture.boolean:
        figure.colorbar(drawn, ax=list(panels), shrink=0.8)
    figure.suptitle("\n".join(map(_wrapped, (picture.title, *picture.verdict.splitlines()))), fontsize=10)
    return _bytes(figure)


def _bytes(figure: Figure) -> bytes:
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png")
    return buffer.getvalue()


def _draw(panel: Any, picture: Picture, title: str, grid: Grid) -> Any:
    low, high = (0.0, 1.6) if picture.boolean else span([picture.expected])
    high = high if high > low else low + 1
    if low < 0:  # white is zero, and the sign shows
        low, high = -max(-low, high), max(-low, high)
    shades = np.where(np.isfinite(grid), grid, np.nan)
    drawn = panel.imshow(shades, cmap="Blues" if low >= 0 else "PuOr", vmin=low, vmax=high, aspect="auto")
    panel.set_facecolor("0.85")
    panel.set_title(title, fontsize=10)
    rows, columns = picture.axes(grid)
    _label(panel.set_yticks, panel.set_ylabel, rows, grid.shape[0], 0)
    _label(panel.set_xticks, panel.set_xlabel, columns, grid.shape[1], 45 if columns.places else 0)
    if picture.boolean:
        _rule(panel, grid)
    elif grid.shape[1] <= MOST_WRITTEN and grid.shape[0] <= MOST_LABELS:
        _write(panel, grid, low, high)
    if title == "yours":
        _mark(panel, picture)
    return drawn


def _label(ticks: Any, name: Any, axis: Axis, length: int, turn: int) -> None:
    step = max(1, -(-length // MOST_LABELS))
    places = range(0, length, step)
    ticks(list(places), [axis.label(place) for place in places], fontsize=8, rotation=turn)
    name(axis.name, fontsize=9)


def _rule(panel: Any, grid: Grid) -> None:
    """Draw white lines between the cells."""
    panel.set_xticks(np.arange(grid.shape[1] + 1) - 0.5, minor=True)
    panel.set_yticks(np.arange(grid.shape[0] + 1) - 0.5, minor=True)
    panel.grid(which="minor", color="white", linewidth=1.5)
    panel.tick_params(which="minor", length=0)


def _write(panel: Any, grid: Grid, low: float, high: float) -> None:
    for (row, column), value in np.ndenumerate(grid):
        share = (value - low) / (high - low) if np.isfinite(value) else 0.5
        dark = abs(share - 0.5) > 0.28 if low < 0 else share > 0.6
        panel.text(
            column, row, written(value), ha="center", va="center", fontsize=7, color="white" if dark else "black"
        )


def _mark(panel: Any, picture: Picture) -> None:
    from matplotlib.patches import Rectangle

    for row, column in np.argwhere(picture.wrong):
        first = (int(row), int(column)) == picture.first_wrong
        if picture.crowded and not first:
            continue
        width, line = (2.5, "-") if first else (1.5, ":")
        frame = Rectangle((column - 0.47, row - 0.47), 0.94, 0.94, fill=False, edgecolor="red", lw=width, ls=line)
        panel.add_patch(frame)


def _wrapped(text: str, width: int = 90) -> str:
    return "\n".join(textwrap.wrap(text, width)[:3])
