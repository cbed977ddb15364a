"""Axes: the place of a number, and the round numbers to write beside an axis."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size

from autograder.compare.grid import Grid


@dataclass(frozen=True)
class Scale:
    """An axis from `low` to `high`."""

    low: float
    high: float

    @classmethod
    def of(cls, values: Grid) -> Scale:
        """Return an axis that holds all `values`, with room on both sides of a single one."""
        if not values.size:
            return cls(0.0, 1.0)
        low, high = float(values.min()), float(values.max())
        if high - low > 1e-9 * max(abs(low), abs(high)):
            return cls(low, high)
        room = 0.1 * abs(high) or 0.5
        return cls(low - room, high + room)

    def share(self, value: float) -> float:
        """Return the place of `value`: 0 at the low end, 1 at the high end."""
        return (value - self.low) / (self.high - self.low)

    def shares(self, values: Grid) -> Grid:
        """Return the place of each of `values`."""
        return (values - self.low) / (self.high - self.low)

    def ticks(self, most: int, *, whole: bool = False) -> list[tuple[float, str]]:
        """Return up to `most` round numbers on the axis, each with its text; `whole`: no fractions."""
        step = max(_round_up((self.high - self.low) / most), 1.0 * whole)
        places = max(0, -math.floor(math.log10(step) + 1e-9))
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        values = [round(number * step, places) + 0.0 for number in range(first, last + 1)][:most]
        return [(value, short(value, places)) for value in values]


def from_zero(values: Iterable[float]) -> Scale:
    """Return an axis that holds zero and all finite `values`."""
    finite = [0.0, *(value for value in values if math.isfinite(value))]
    low, high = min(finite), max(finite)
    return Scale(low, high if high > low else 1.0)


def short(value: float, places: int = 3) -> str:
    """Return a number as text for an axis."""
    size = abs(value)
    if value and (size >= 1e6 or size < 1e-4):
        return f"{value:.3g}"
    return f"{value:.{min(places, 6)}f}"


def cut(word: str, width: int) -> str:
    """Return `word` cut to `width` columns of a terminal, where some letters take two."""
    if cell_len(word) <= width:
        return word
    return set_cell_size(word, width - 1).rstrip() + "…" if width > 1 else "…"[:width]


def cut_apart(words: Sequence[str], width: int) -> list[str]:
    """Return each of `words` cut to `width` columns, with their ends where different ones would look alike."""
    count = Counter(cut(word, width) for word in {*words})
    return [cut(word, width) if count[cut(word, width)] == 1 else _with_end(word, width) for word in words]


def _with_end(word: str, width: int) -> str:
    end = word[-(width // 2) :] if width > 1 else ""
    while cell_len(end) > width // 2:
        end = end[1:]
    return cut(word, width - cell_len(end)) + end


def printable(line: str) -> str:
    """Return a line with � for control characters."""
    return "".join(letter if letter.isprintable() else "�" for letter in line)


def _round_up(step: float) -> float:
    """Return the next of 1, 2, 5, 10 and so on."""
    size = 10.0 ** math.floor(math.log10(step))
    return next((size * factor for factor in (1, 2, 5) if size * factor >= step * (1 - 1e-9)), size * 10)
