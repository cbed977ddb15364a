"""The checks of a suite, read from their markers without importing the suite (and torch)."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from autograder.core.errors import UsageError

Level = Literal["property", "values", "edges"]
LEVELS: tuple[Level, ...] = get_args(Level)
_MARK = re.compile(r"^@(exercise\(.*?\))(?:\s|#[^\n]*)*^(?:@|def (\w+))", re.DOTALL | re.MULTILINE)
_USUAL = re.compile(r'exercise\("(\w+)", points=(\d+(?:\.\d+)?), level="(\w+)"\)')
"""How a marker is nearly always written: read at once, as every command reads all markers."""
_DEFINITION = re.compile(r"^def (\w+)", re.MULTILINE)


class Mark(NamedTuple):
    """A check: its exercise and its points."""

    exercise: str
    points: float


class _Suite(NamedTuple):
    """The text of a suite, and its name in messages."""

    text: str
    origin: str

    def line(self, place: int) -> int:
        """Return the number of the line at `place`; only errors need it."""
        return self.text.count("\n", 0, place) + 1

    def refused(self, place: int, why: str) -> UsageError:
        """Return the error about `place`."""
        return UsageError(f"{self.origin}:{self.line(place)}: {why}")


def marks(path: Path) -> list[Mark]:
    """Return every check of a suite, in order.

    Raises:
        UsageError: a marker is malformed, or pytest would skip a check; the message names file and line.
    """
    suite = _Suite(path.read_text(encoding="utf-8"), f"tests/exercises/{path.name}")
    _refuse_two_of_one_name(suite)
    return [_read(suite, mark) for mark in _MARK.finditer(suite.text)]


def _read(suite: _Suite, mark: re.Match[str]) -> Mark:
    try:
        name, points, level = usual.groups() if (usual := _USUAL.fullmatch(mark[1])) else _parsed(mark[1])
        points = float(points)
    except (SyntaxError, ValueError, TypeError, LookupError) as error:
        write = '@exercise("NAME", points=NUMBER, level="values")'
        raise suite.refused(mark.start(), f"write {write} instead of @{mark[1]}") from error
    if level not in LEVELS:
        raise suite.refused(mark.start(), f"there is no level {level!r}; write one of {', '.join(LEVELS)}")
    if not points > 0:
        raise suite.refused(mark.start(), f"points={points:g} is worth nothing; give the check more, or take it out")
    _refuse_name(suite, mark)
    return Mark(str(name), points)


def _parsed(marker: str) -> tuple[Any, Any, Any]:
    """Return the name, the points and the level of a marker that is a call, however it is written."""
    call = ast.parse(marker, mode="eval").body
    assert isinstance(call, ast.Call)
    options = {keyword.arg: ast.literal_eval(keyword.value) for keyword in call.keywords}
    return ast.literal_eval(call.args[0]), options["points"], options["level"]


def _refuse_name(suite: _Suite, mark: re.Match[str]) -> None:
    """Raise a UsageError if pytest does not take the marked function for a test."""
    below = None if (mark[2] or "").startswith("test") else _DEFINITION.search(suite.text, mark.end(1))
    if below and not below[1].startswith("test"):
        why = f"pytest runs no check that is called {below[1]}; call it test_{below[1]}"
        raise suite.refused(below.start(), why)


def _refuse_two_of_one_name(suite: _Suite) -> None:
    """Raise a UsageError if a later check of the same name replaces one."""
    first: dict[str, int] = {}
    for definition in _DEFINITION.finditer(suite.text):
        name, place = definition[1], definition.start()
        if name.startswith("test") and name in first:
            why = f"{name} takes the place of the check of that name in line {suite.line(first[name])}; rename one"
            raise suite.refused(place, why)
        first[name] = place
