"""What the pages' templates call: a message's labelled parts, and a piece of a wrong answer as two shaded tables."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from markupsafe import Markup, escape

from autograder.core.markup import with_code
from autograder.core.message import Message
from autograder.core.records import Patch

WORD = re.compile(r"[\w.+-]+|\s+|.", re.DOTALL)


def rows(message: Message) -> dict[str, Markup]:
    """Return the parts below the headline by label, with the difference between expected and got marked."""
    made = {label: with_code(text) if label == "try" else escape(text) for label, text in message.rows}
    if message.expected and message.got:
        made |= zip(("expected", "got"), _marked(message.expected, message.got), strict=True)
    return made


def _marked(expected: str, got: str) -> tuple[Markup, Markup]:
    """Mark in both texts the part between their common first words and their common last words."""
    one, other = WORD.findall(expected), WORD.findall(got)
    first = _equal(zip(one, other, strict=False))
    last = _equal(zip(reversed(one[first:]), reversed(other[first:]), strict=False))
    if 2 * (first + last) < max(len(one), len(other)):
        return escape(expected), escape(got)  # where most differs, marks would show nothing
    return _spans(one, first, last), _spans(other, first, last)


def _equal(pairs: Iterable[tuple[str, str]]) -> int:
    """Return the number of equal pairs before the first unequal one."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _spans(words: list[str], first: int, last: int) -> Markup:
    end = len(words) - last
    before, between, after = ("".join(part) for part in (words[:first], words[first:end], words[end:]))
    return escape(before) + (Markup("<mark>{}</mark>").format(between) if between else "") + escape(after)


@dataclass(frozen=True)
class HeatCell:
    """A number as text, its place between the smallest (0) and the largest (1), and whether it is wrong."""

    text: str
    share: float
    wrong: bool


@dataclass(frozen=True)
class Heat:
    """One of the two tables."""

    name: str
    rows: tuple[tuple[HeatCell, ...], ...]


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
) -> Iterator[tuple[HeatCell, ...]]:
    for row, marks in zip(rows, wrong, strict=True):
        yield tuple(HeatCell(text, _share(float(text), low, high), mark) for text, mark in zip(row, marks, strict=True))


def _share(number: float, low: float, high: float) -> float:
    if math.isnan(number) or low == high:
        return 0.0
    return min(1.0, max(0.0, (number - low) / (high - low)))
