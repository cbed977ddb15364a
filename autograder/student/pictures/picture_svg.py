"""A picture as HTML: a heat map of each answer, as self-contained SVG."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from html import escape

import numpy as np

from autograder.compare.grid import Axis, Grid, Picture, span, window, written
from autograder.student.pictures.picture_text import panels_of

MOST_ROWS, MOST_COLUMNS, MOST_WRITTEN, MOST_LETTERS = 24, 32, 8, 12
HEIGHT, WIDE, NARROW, LETTER, MARGIN = 22, 44, 22, 6.5, 4
Colour = tuple[int, int, int]
WHITE: Colour = (255, 255, 255)
HIGH: Colour = (33, 97, 165)
LOW: Colour = (190, 92, 0)
NO_NUMBER: Colour = (190, 190, 190)
STYLE = """\
.attend-map { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; margin: 0.5rem 0 0; }
.attend-map figure { margin: 0; min-width: 0; }
.attend-map figcaption { font-weight: 600; }
.attend-map svg { display: block; max-width: 100%; height: auto; }
.attend-map svg text { font: 11px system-ui, sans-serif; }
.attend-map .label { fill: currentColor; }
.attend-map .cell { stroke: #8886; stroke-width: 0.5; }
.attend-map .first, .attend-map .other { fill: none; stroke: #d0021b; }
.attend-map .first { stroke-width: 3; }
.attend-map .other { stroke-width: 1.5; stroke-dasharray: 2 2; }
.attend-scale { display: inline-block; height: 0.8em; border: 1px solid #8888; vertical-align: -0.1em; }
"""


def as_html(picture: Picture) -> str:
    """Return the panels side by side, with a legend of colours and frames; the page needs `STYLE`."""
    scale = _scale(picture)
    panels = "".join(_Panel(picture, title, grid, scale).html() for title, grid in panels_of(picture).items())
    return f'<div class="attend-map">{panels}</div>\n<p class="attend-legend">{_legend(picture, *scale)}</p>'


def _scale(picture: Picture) -> tuple[float, float]:
    """Return the numbers of the darkest colours; white is zero if there are negative numbers."""
    low, high = (0.0, 1.0) if picture.boolean else span([picture.expected])
    if low < 0:
        return -max(-low, high), max(-low, high)
    return low, high if high > low else low + 1


@dataclass(frozen=True)
class _Panel:
    """One of the two grids, cut to the part around the first wrong cell."""

    picture: Picture
    title: str
    grid: Grid
    scale: tuple[float, float]

    def html(self) -> str:
        width = self.left + self.step * len(self.columns) + MARGIN
        height = self.top + HEIGHT * len(self.rows) + MARGIN
        words = escape(" ".join(f"{self.title}, {self.size}: {self.picture.verdict}".split()))
        drawn = "".join((*self._labels(), self._ground(), *self._cells(), *self._frames()))
        caption = f"<figcaption>{self.title} <small>{self.size}</small></figcaption>"
        frame = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
        return f'<figure>{caption}<svg role="img" aria-label="{words}" {frame}>{drawn}</svg></figure>'

    @property
    def size(self) -> str:
        """The size, such as "3 × 4", and the part that is shown."""
        rows, columns = self.rows, self.columns
        hidden = len(rows) < len(self.grid) or len(columns) < self.grid.shape[1]
        part = f", rows {rows[0]} to {rows[-1]}, columns {columns[0]} to {columns[-1]}" if hidden else ""
        return f"{self.grid.shape[0]} × {self.grid.shape[1]}{part}"

    @cached_property
    def rows(self) -> range:
        return window(self.grid.shape[0], MOST_ROWS, (self.picture.first_wrong or (0, 0))[0])

    @cached_property
    def columns(self) -> range:
        return window(self.grid.shape[1], MOST_COLUMNS, (self.picture.first_wrong or (0, 0))[1])

    @property
    def down(self) -> Axis:
        return self.picture.axes(self.grid)[0]

    @property
    def across(self) -> Axis:
        return self.picture.axes(self.grid)[1]

    @property
    def written(self) -> bool:
        """Whether the cells show numbers."""
        return not self.picture.boolean and len(self.columns) <= MOST_WRITTEN

    @property
    def step(self) -> int:
        return WIDE if self.written else NARROW

    @cached_property
    def left(self) -> float:
        return LETTER * max(len(_short(self.down.label(row))) for row in self.rows) + 8

    @cached_property
    def top(self) -> float:
        return (LETTER * self.longest if self.turned else 14) + 4

    @cached_property
    def longest(self) -> int:
        """The number of letters of the longest column name."""
        return max(len(_short(self.across.label(column))) for column in self.columns)

    @property
    def turned(self) -> bool:
        return self.longest * LETTER > self.step

    def place(self, row: int, column: int) -> tuple[float, float]:
        """Return the upper left corner of a cell."""
        return self.left + self.step * (column - self.columns[0]), self.top + HEIGHT * (row - self.rows[0])

    def _labels(self) -> Iterator[str]:
        for row in self.rows:
            x, y = self.left - 4, self.place(row, self.columns[0])[1] + 15
            yield _text(self.down.label(row), f'text-anchor="end" x="{x:g}" y="{y:g}"')
        for column in self.columns:
            x, y = self.place(self.rows[0], column)[0] + self.step / 2, self.top - 4
            turn = f'transform="translate({x + 4:g} {y:g}) rotate(-90)"'
            yield _text(self.across.label(column), turn if self.turned else f'text-anchor="middle" x="{x:g}" y="{y:g}"')

    def _ground(self) -> str:
        """Return what lies below the cells, or a dark page would show between them."""
        size = f'width="{self.step * len(self.columns) - 1}" height="{HEIGHT * len(self.rows) - 1}"'
        return f'<rect x="{self.left:g}" y="{self.top:g}" {size} fill="#fff"/>'

    def _cells(self) -> Iterator[str]:
        for row in self.rows:
            for column in self.columns:
                value = float(self.grid[row, column])
                colour = colour_of(value, *self.scale)
                label = str(bool(value)) if self.picture.boolean else f"{value:.6g}"
                yield self._rect(
                    row, column, f'class="cell" fill="{hexadecimal(colour)}"', f"[{row}, {column}] {label}"
                )
                if self.written:
                    x, y = self.place(row, column)
                    ink = "#fff" if sum(colour) < 400 else "#111"
                    place = f'x="{x + self.step / 2:g}" y="{y + 15:g}" fill="{ink}"'
                    yield f'<text text-anchor="middle" pointer-events="none" {place}>{written(value)}</text>'

    def _frames(self) -> Iterator[str]:
        """Yield the frames of the wrong cells, which go on top."""
        picture = self.picture
        if self.title != "yours" or picture.first_wrong is None:
            return
        for row, column in ((row, column) for row in self.rows for column in self.columns):
            if (row, column) == picture.first_wrong:
                yield self._rect(row, column, 'class="first"')
            elif picture.wrong[row, column] and not picture.crowded:
                yield self._rect(row, column, 'class="other"')

    def _rect(self, row: int, column: int, look: str, title: str = "") -> str:
        x, y = self.place(row, column)
        tooltip = f"<title>{escape(title)}</title>" if title else ""
        return f'<rect x="{x:g}" y="{y:g}" width="{self.step - 1}" height="{HEIGHT - 1}" {look}>{tooltip}</rect>'


def _text(label: str, place: str) -> str:
    return f'<text class="label" {place}>{escape(_short(label))}</text>'


def _short(label: str) -> str:
    return label if len(label) <= MOST_LETTERS else label[: MOST_LETTERS - 1] + "…"


def colour_of(value: float, low: float, high: float) -> Colour:
    """Return white at zero, or at the lowest number if none is negative, and darker colours further away."""
    if not np.isfinite(value):
        return NO_NUMBER
    white = max(low, 0.0)
    weight = (value - white) / (high - white)
    end, share = (HIGH if weight >= 0 else LOW), min(abs(weight), 1.0)
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(WHITE, end, strict=True))
    return red, green, blue


def hexadecimal(colour: Colour) -> str:
    """Return a colour as CSS writes it, such as "#2161a5"."""
    return "#{:02x}{:02x}{:02x}".format(*colour)


def _legend(picture: Picture, low: float, high: float) -> str:
    if picture.boolean:
        parts = [f"{_swatch(WHITE)} False, {_swatch(HIGH)} True"]
    else:
        shades = (colour_of(low, low, high), *([WHITE] if low < 0 else []), colour_of(high, low, high))
        parts = [f"{written(low)} {_swatch(*shades)} {written(high)}"]
    if count := int(picture.wrong.sum()):
        others = "" if count == 1 or picture.crowded else ", dotted frames: the others"
        parts.append(
            f"red frame: the first of {count} wrong cells{others}" if count > 1 else "red frame: the wrong cell"
        )
    axes = ((picture.rows, "down"), (picture.columns, "across"))
    names = ", ".join(f"{escape(axis.name)} {way}" for axis, way in axes if axis.name)
    return "; ".join([*([names] if names else []), *parts])


def _swatch(*colours: Colour) -> str:
    """Return a patch of one colour, or a strip from one to the next."""
    width = "5rem" if len(colours) > 1 else "0.9em"
    shades = ", ".join(map(hexadecimal, colours if len(colours) > 1 else colours * 2))
    return f'<span class="attend-scale" style="width: {width}; background: linear-gradient(to right, {shades})"></span>'
