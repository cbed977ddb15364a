"""The names of the capstones, without loading them and torch: a typo is told at once."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from autograder.core import reading
from autograder.core.errors import UsageError
from autograder.core.text import join_names
from autograder.course.course import Course
from autograder.course.folders import require_copy

_NAMED = r'^class {}\b(?:(?!^class ).)*?^    {} = "([\w-]+)"'


def require_known(course: Course, name: str) -> None:
    """Refuse what is no working copy, and a name that begins none of its capstones; "" stands for all.

    What the files do not say in plain words is left to those who load them.

    Raises:
        UsageError: it is refused.
    """
    require_copy(course)
    exercises = {each.name for each in course.exercises}
    found = [*_capstones(course.home / "reference" / "capstones")]
    if name and all(each for each, _ in found):
        names = [each for each, exercise in found if exercise in exercises]
        one_named(names or [name.lower()], name)


def one_named(names: Sequence[str], name: str) -> str:
    """Return the one of `names` that begins with `name`.

    Raises:
        UsageError: none does, or more than one.
    """
    near = [each for each in names if name and each.startswith(name.lower())]
    if len(near) != 1:
        raise UsageError(f"there is no capstone '{name}'; there is {join_names(names, limit=12, last='and')}")
    return near[0]


def _capstones(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield name and exercise of each capstone in their order; an empty pair where its file does not say them."""
    place = folder / "__init__.py"
    tree = ast.parse(reading.text(place)) if place.is_file() else ast.Module([], [])
    homes: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            homes |= {each.asname or each.name: str(node.module).rpartition(".")[2] for each in node.names}
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple):
            for each in node.value.elts:
                yield _said(folder, homes.get(each.id, ""), each.id) if isinstance(each, ast.Name) else ("", "")


def _said(folder: Path, home: str, kind: str) -> tuple[str, str]:
    path = folder / f"{home}.py"
    text = reading.text(path) if path.is_file() else ""
    name, exercise = (re.search(_NAMED.format(kind, what), text, re.M | re.S) for what in ("name", "exercise"))
    return (name[1], exercise[1]) if name and exercise else ("", "")
