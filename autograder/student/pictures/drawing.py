"""Drawings of cells, boxes, arrows and labels as self-contained SVG, readable on a light and a dark background."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from typing import Any, Self

import numpy as np

from autograder.compare.grid import span, written
from autograder.student.pictures.picture_svg import Colour, colour_of, hexadecimal
from autograder.student.pictures.plot_svg import PALETTE, frame, text
from autograder.student.pictures.plots import numbers

CELL = 38, 24  # width and height, which hold a number such as -0.25
TOP = 22  # where the parts begin below a title
HEAD = 5  # of an arrow
BESIDE = 5  # between a label and what it names
PALE = 'fill-opacity=".16"'


class Drawing:
    """A drawing of `width` x `height`, to which each method adds a part.

    Args:
        says: what it shows, for screen readers.
        title: a line at its top, if any; the parts begin at `TOP` then.
    """

    def __init__(self, says: str, width: float, height: float, title: str = "") -> None:
        self._says, self._size = says, (width, height)
        self._drawn = [text(title, 0, 13, 'font-weight="600"')] if title else []

    def svg(self) -> str:
        """Return the drawing as SVG."""
        return frame(*self._size, self._says, self._drawn)

    def label(self, words: str, x: float, y: float, anchor: str = "start", colour: int | None = None) -> Self:
        """Write words that start, end or have their middle at a point; `colour` is one of the palette's."""
        ink = "" if colour is None else f' fill="{PALETTE[colour]}" font-weight="600"'
        self._drawn.append(text(words, x, y, f'text-anchor="{anchor}"{ink}'))
        return self

    def grid(
        self,
        values: Any,
        x: float,
        y: float,
        rows: Sequence[object] = (),
        columns: Sequence[object] = (),
        cell: tuple[float, float] = CELL,
        *,
        numbered: bool = True,
        darkest: float = 0.0,
    ) -> Self:
        """Draw numbers (R, C) as cells, from white at 0 to a dark colour at `darkest`, else at the largest number.

        The names of rows are on the left of `x`, those of columns above `y`.
        """
        grid = numbers(values)
        low, high = span([grid])
        high = darkest or max(high, -low) or 1.0
        limits = (-high if low < 0 else 0.0, high)
        width, height = cell
        for place, name in enumerate(columns):
            self.label(str(name), x + width * (place + 0.5), y - BESIDE, "middle")
        for place, name in enumerate(rows):
            self.label(str(name), x - BESIDE, y + height * (place + 0.5) + 4, "end")
        cells = [(value, x + width * column, y + height * row) for (row, column), value in np.ndenumerate(grid)]
        colours = [colour_of(value, *limits) for value, _, _ in cells]
        size = f'width="{width * grid.shape[1] - 1:g}" height="{height * grid.shape[0] - 1:g}"'
        ground = f'<rect x="{x:g}" y="{y:g}" {size} fill="#fff"/>'  # or a dark page would show between the cells
        drawn = "".join(map(_filled, cells, colours, repeat(cell)))
        self._drawn.append(f'{ground}<g stroke="#8888">{drawn}</g>')
        for (value, left, top), colour in zip(cells, colours, strict=True):
            if numbered:
                ink = "#fff" if sum(colour) < 400 else "#111"
                middle = left + width / 2, top + height / 2 + 4
                self._drawn.append(text(written(value), *middle, f'text-anchor="middle" fill="{ink}"'))
        return self

    def tokens(
        self, words: Sequence[object], x: float, y: float, width: float = CELL[0], colours: Sequence[int | None] = ()
    ) -> Self:
        """Draw a row of cells with words in them, in the colours of the palette where one is given."""
        for place, word in enumerate(words):
            colour = colours[place] if colours else None
            self.box(str(word), x + width * place, y, width, CELL[1], colour)
        return self

    def box(self, words: str, x: float, y: float, width: float, height: float, colour: int | None = None) -> Self:
        """Draw a frame around words, filled with a pale colour of the palette if one is given."""
        fill = 'fill="none"' if colour is None else f'fill="{PALETTE[colour]}" {PALE}'
        stroke = 'stroke="currentColor" stroke-opacity=".45"'
        place = f'x="{x + 0.5:g}" y="{y + 0.5:g}" width="{width - 1:g}" height="{height - 1:g}" rx="2"'
        self._drawn.append(f"<rect {place} {fill} {stroke}/>")
        return self.label(words, x + width / 2, y + height / 2 + 4, "middle")

    def arrow(self, *points: tuple[float, float], colour: int | None = None) -> Self:
        """Draw a line through points, each right of, left of, above or below the one before, with a head at the end."""
        ink = "currentColor" if colour is None else PALETTE[colour]
        (x1, y1), (x2, y2) = points[-2:]
        right, down = (x2 > x1) - (x2 < x1), (y2 > y1) - (y2 < y1)
        back = (x2 - HEAD * right, y2 - HEAD * down)
        line = "L".join(f"{x:g} {y:g}" for x, y in (*points[:-1], back))
        aside = 0.7 * HEAD * down, 0.7 * HEAD * right
        head = [(x2, y2), *((back[0] + sign * aside[0], back[1] + sign * aside[1]) for sign in (-1, 1))]
        self._drawn.append(f'<path d="M{line}" fill="none" stroke="{ink}" stroke-width="1.3"/>')
        self._drawn.append(f'<path d="M{"L".join(f"{x:g} {y:g}" for x, y in head)}z" fill="{ink}"/>')
        return self

    def frame(self, x: float, y: float, width: float, height: float, colour: int = 1) -> Self:
        """Draw a frame around what is there already."""
        place = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="2"'
        self._drawn.append(f'<rect {place} fill="none" stroke="{PALETTE[colour]}" stroke-width="2"/>')
        return self

    def badge(self, words: str, x: float, y: float) -> Self:
        """Write words on a small white patch, where cells are behind them."""
        self._drawn.append(f'<rect x="{x:g}" y="{y:g}" width="16" height="17" rx="2" fill="#fff"/>')
        self._drawn.append(text(words, x + 8, y + 13, 'text-anchor="middle" fill="#111" font-weight="600"'))
        return self


def _filled(cell: tuple[float, float, float], colour: Colour, size: tuple[float, float]) -> str:
    """Return a cell as a path, which is half as long as a rectangle."""
    (_, x, y), (width, height) = cell, size
    return f'<path d="M{x:g} {y:g}h{width - 1:g}v{height - 1:g}h{1 - width:g}z" fill="{hexadecimal(colour)}"/>'
