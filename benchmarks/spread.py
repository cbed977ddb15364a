"""Several values as one figure with its spread."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import NamedTuple


class Spread(NamedTuple):
    """The median of `size` values, between the smallest and the largest."""

    median: float
    low: float
    high: float
    size: int

    def __str__(self) -> str:
        if self.size == 1:
            return figure(self.median)
        return f"{figure(self.median)} ({figure(self.low)} to {figure(self.high)})"


class Ratio(NamedTuple):
    """A ratio, described by `what`, and the value that it should have, if there is an `aim`."""

    what: str
    times: Spread
    aim: str = ""


def spread(values: Sequence[float]) -> Spread:
    """Return the spread of at least one value."""
    return Spread(statistics.median(values), min(values), max(values), len(values))


def ratios(over: Sequence[float], under: Sequence[float]) -> Spread:
    """Return the spread of the ratios of values measured in turns; those without a partner are left out."""
    return spread([a / b for a, b in zip(over, under, strict=False)])


def figure(value: float) -> str:
    """Return a number with three significant digits, or more if it is a larger whole number."""
    if value == 0:
        return "0"
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:#.3g}" if abs(value) >= 0.001 else f"{value:.1e}"


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table: words to the left, figures to the right."""
    line = ["---", *("---:" for _ in header[1:])]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (header, line, *rows))
