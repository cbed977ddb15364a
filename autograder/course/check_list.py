"""The checks of each suite, as `attend build` wrote them down, so that no command has to load a suite to count them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Annotated, Final, Literal, NamedTuple, get_args

import msgspec

from autograder.core.errors import UsageError
from autograder.core.reading import Identifier, contents, decoded, text
from autograder.core.text import one_line

NAME: Final = "checks.json"
COLLECTING: Final = "autograder.suite.suites"
"""Loads a suite that has changed since: its `checks_in` is found by name, as the course knows nothing of pytest."""

Level = Literal["property", "values", "edges"]
LEVELS: tuple[Level, ...] = get_args(Level)
MOST_POINTS: Final = 1e6


class ListedCheck(NamedTuple):
    """A check: its function and the line of that, its exercise, points and level."""

    function: Identifier
    line: int
    exercise: Identifier
    points: Annotated[float, msgspec.Meta(ge=0, le=MOST_POINTS)]
    level: Identifier


class _Row(msgspec.Struct, frozen=True):
    """What the table says of a suite: a digest of its text, and its checks."""

    suite: str
    checks: list[ListedCheck]


def listed(
    root: Path, table: Path, suites: Mapping[str, Path], why_not_run: str = ""
) -> dict[str, Sequence[ListedCheck]]:
    """Return the checks of some chapters, in order.

    Args:
        root: the folder of the course.
        table: what `attend build` wrote.
        suites: the suite of each chapter; one that has changed since is loaded.
        why_not_run: ends the sentence "SUITE ..." where it may not be loaded.

    Raises:
        UsageError: a suite that must be loaded cannot be, or may not be.
    """
    known = _read(table)
    found = {stem: _known(known.get(stem), suite) for stem, suite in suites.items()}
    if changed := {stem: suite for stem, suite in suites.items() if found[stem] is None}:
        if why_not_run:
            raise UsageError(f"{next(iter(changed.values()))} {why_not_run}")
        found.update(import_module(COLLECTING).checks_in(root, changed))
    return {stem: checks or () for stem, checks in found.items()}


def table_of(suites: Mapping[str, str], checks: Mapping[str, Sequence[ListedCheck]]) -> str:
    """Return the table of the checks of some chapters, given the texts of their suites."""
    rows = (_row(stem, text, checks[stem]) for stem, text in suites.items())
    return "{\n" + ",\n".join(rows) + "\n}\n"


def _row(stem: str, suite: str, checks: Sequence[ListedCheck]) -> str:
    listed = ",\n".join(json.dumps(each) for each in checks)
    return f'{json.dumps(stem)}: {{"suite": {json.dumps(_digest(suite))}, "checks": [\n{listed}\n]}}'


def _known(row: _Row | None, suite: Path) -> Sequence[ListedCheck] | None:
    """Return the checks of a row; None if it is not about this suite as it is now.

    Raises:
        UsageError: the suite cannot be read.
    """
    try:
        is_as_listed = row is not None and row.suite == _digest(text(suite))
    except (OSError, ValueError) as error:
        raise UsageError(f"{suite} cannot be read ({one_line(str(error))}); restore it from the course") from error
    return row.checks if row is not None and is_as_listed else None


def _digest(suite: str) -> str:
    """Return a digest of a suite's text, which was read as one with newlines, whatever ends its lines."""
    return hashlib.sha256(suite.encode()).hexdigest()[:16]


def _read(table: Path) -> dict[str, _Row]:
    try:
        return _rows(contents(table))
    except (OSError, ValueError):
        return {}


@lru_cache(maxsize=4)
def _rows(written: bytes) -> dict[str, _Row]:
    return decoded(written, dict[str, _Row])
