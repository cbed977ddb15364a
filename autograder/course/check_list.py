"""The checks of each suite, as `attend build` wrote them down, so that no command has to load a suite to count them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, get_args

from autograder.core.errors import UsageError

NAME: Final = "checks.json"
COLLECTING: Final = "autograder.suite.suites"
"""Loads a suite that has changed since: its `checks_in` is found by name, as the course knows nothing of pytest."""

Level = Literal["property", "values", "edges"]
LEVELS: tuple[Level, ...] = get_args(Level)


class ListedCheck(NamedTuple):
    """A check: its function and the line of that, its exercise, points and level."""

    function: str
    line: int
    exercise: str
    points: float
    level: str


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


def _known(row: Any, suite: Path) -> Sequence[ListedCheck] | None:
    """Return the checks of a row; None if it is not about this suite as it is now."""
    if not isinstance(row, dict) or row.get("suite") != _digest(suite.read_text(encoding="utf-8")):
        return None
    return [ListedCheck(*each) for each in row["checks"]]


def _digest(suite: str) -> str:
    """Return a digest of a suite's text, which was read as one with newlines, whatever ends its lines."""
    return hashlib.sha256(suite.encode()).hexdigest()[:16]


def _read(table: Path) -> dict[str, Any]:
    try:
        return _rows(table.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


@lru_cache(maxsize=4)
def _rows(written: str) -> dict[str, Any]:
    found = json.loads(written)
    return found if isinstance(found, dict) else {}
