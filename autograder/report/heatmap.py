"""A piece of a wrong answer as two small tables whose cells are shaded by their numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from autograder.core.records import Patch


@dataclass(frozen=True)
class Cell:
    """A number as text, its place between the smallest (0) and the largest (1), and whether it is wrong."""

    text: str
    share: float
    wrong: bool


@dataclass(frozen=True)
class Heat:
    """One of the two tables."""

    name: str
    rows: tuple[tuple[Cell, ...], ...]


def is_crowded(patch: Patch) -> bool:
    """Return whether most cells are wrong, so that marking them would hide the numbers."""
    marks = "".join(patch.wrong)
    return marks.count("1") > len(marks) / 2


def heat_of(patch: Patch) -> tuple[Heat, Heat]:
    """Return the expected table and the student's, on one scale."""
    expected, got = ([row.split() for row in rows] for rows in (patch.expected, patch.got))
    numbers = [float(text) for row in (*expected, *got) for text in row]
    finite = [number for number in numbers if math.isfinite(number)]
    low, high = (min(finite), max(finite)) if finite else (0.0, 1.0)
    rights = [[False] * len(row) for row in expected]
    marked = "" if is_crowded(patch) else "1"
    wrongs = [[mark == marked for mark in row] for row in patch.wrong]
    return (
        Heat("expected", tuple(_cells(expected, rights, low, high))),
        Heat("got", tuple(_cells(got, wrongs, low, high))),
    )


def _cells(
    rows: Sequence[Sequence[str]], wrong: Sequence[Sequence[bool]], low: float, high: float
) -> Iterator[tuple[Cell, ...]]:
    for row, marks in zip(rows, wrong, strict=True):
        yield tuple(Cell(text, _share(float(text), low, high), mark) for text, mark in zip(row, marks, strict=True))


def _share(number: float, low: float, high: float) -> float:
    if math.isnan(number) or low == high:
        return 0.0
    return min(1.0, max(0.0, (number - low) / (high - low)))
