"""Packages that the files of a course import, and that nobody has who only installs what Attend itself needs."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from importlib.metadata import packages_distributions, version

from autograder.source.parsing import syntax_tree

OURS = frozenset({"autograder", "reference"})


def further(texts: Iterable[str], project: str) -> dict[str, str]:
    """Return the packages that Python texts import, and `pyproject.toml` does not list: the versions here, by name.

    What is not installed here, or belongs to no package, is left out: `attend build` refuses it.
    """
    listed = {_plain(re.split(r"[^\w.-]", each)[0]) for each in tomllib.loads(project)["project"]["dependencies"]}
    foreign = {name for text in texts for name in _imported(text)} - OURS - sys.stdlib_module_names
    unlisted = sorted(name for name in foreign if _plain(name) not in listed)
    known = packages_distributions() if unlisted else {}  # which reads a file of every package
    found = (known[name][0] for name in unlisted if name in known and listed.isdisjoint(map(_plain, known[name])))
    return {name: version(name).partition("+")[0] for name in found}


def with_packages(project: str, constraints: str, packages: dict[str, str]) -> tuple[str, str]:
    """Return `pyproject.toml` and `constraints.txt` with further packages."""
    pinned = {_plain(line.partition("==")[0]) for line in constraints.splitlines()}
    pins = "".join(f"{name}=={which}\n" for name, which in packages.items() if _plain(name) not in pinned)
    return with_entries(project, "dependencies", *packages), constraints + pins


def with_entries(text: str, key: str, *entries: str) -> str:
    """Return the text with `entries` at the beginning of the first list that is called `key`."""
    lines = "".join(f'    "{entry}",\n' for entry in entries)
    return re.sub(rf"^{key} = \[\n", lambda found: found[0] + lines, text, count=1, flags=re.MULTILINE)


def _imported(text: str) -> Iterator[str]:
    """Yield the first names of the modules that a text imports."""
    for node in ast.walk(syntax_tree(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def _plain(name: str) -> str:
    """Return a package's name as all its spellings have it."""
    return re.sub(r"[-_.]+", "-", name).lower()
