"""The files of the engine that students' commands need; the others grade classes or make courses."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOTS = (
    *("autograder.__main__", "autograder.student.notebook.magics", "autograder.suite.plugin"),
    *("autograder.platforms.github.workflow", "autograder.platforms.nbgrader"),
    *("autograder.student.lesson_pieces", "autograder.student.mine"),
    *("autograder.student.pictures.plots", "autograder.student.pictures.drawing"),
    *("autograder.student.capstones.data", "autograder.student.capstones.imdb"),
)
"""The modules that a copy runs: commands, magics, plain pytest, GitHub's workflow, nbgrader's test cells, `mine`."""
APART = ("autograder.commands.instructor", "autograder.commands.author")
"""Commands that a copy does not have."""


@cache  # an engine does not change while it runs
def engine_files(engine: Path) -> tuple[Path, ...]:
    """Return the modules `ROOTS`, those that they import anywhere in their code, and the data files that these name.

    A data file comes with all other data files in its folder.

    Raises:
        LookupError: the engine has no module of a name in `ROOTS` or `APART`.
    """
    modules = {_name(engine, path): path for path in engine.rglob("*.py")}
    if gone := sorted({*ROOTS, *APART} - modules.keys()):
        raise LookupError(f"the engine has no {', '.join(gone)}: correct the names in {__name__}")
    found = {engine.name}
    ahead = {*ROOTS}
    texts: set[str] = set()
    while ahead:
        found |= ahead
        named = {text for name in ahead for text in _named(modules[name])}
        texts |= named
        within = {part for name in named for part in _with_parents(name)}
        ahead = (within & modules.keys()) - found - {*APART}
    data = [path for path in engine.rglob("*.*") if path.suffix not in (".py", ".pyc")]
    folders = {path.parent for path in data if path.name in texts}
    return tuple(sorted([*(modules[name] for name in found), *(path for path in data if path.parent in folders)]))


def _name(engine: Path, path: Path) -> str:
    parts = path.relative_to(engine.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _with_parents(name: str) -> Iterator[str]:
    parts = name.split(".")
    yield from (".".join(parts[:count]) for count in range(1, len(parts) + 1))


def _named(path: Path) -> Iterator[str]:
    """Yield the full names that a module imports, and its string constants, as `import_module` takes strings."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
