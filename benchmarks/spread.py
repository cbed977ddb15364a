"""A few values as one figure with its spread, for people."""

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
    """How many times `what` is as large; `aim` is what it should be, if anything was promised."""

    what: str
    times: Spread
    aim: str = ""


def spread(values: Sequence[float]) -> Spread:
    """Of at least one value."""
    return Spread(statistics.median(values), min(values), max(values), len(values))


def ratios(over: Sequence[float], under: Sequence[float]) -> Spread:
    """Of values measured side by side: each divided by its neighbour; those without one do not count."""
    return spread([a / b for a, b in zip(over, under, strict=False)])


def figure(value: float) -> str:
    """Three digits that count, and never fewer than a whole number has."""
    if value == 0:
        return "0"
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:#.3g}" if abs(value) >= 0.001 else f"{value:.1e}"


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table: words to the left, figures to the right."""
    line = ["---", *("---:" for _ in header[1:])]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (header, line, *rows))
