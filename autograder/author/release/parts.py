"""Keep only the given parts of `reference.blocks` that the released chapters need: the others answer other chapters."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from autograder.author.release.cut import bound, only
from autograder.author.release.place import Files
from autograder.author.release.uses import given_files, imported
from autograder.calls.records import PARTS
from autograder.course.course import Course
from autograder.source.parsing import syntax_tree

IMPORTS = ast.Import | ast.ImportFrom
NAMING = ("exercises", ".attend", "tests")
"""The folders of a release whose files name given parts."""


def with_own_parts(course: Course, files: Files) -> Files:
    """Return `files` with only the given parts that its stubs and suites need; not even the others' names are left."""
    texts = [data.decode() for path, data in files.items() if path.suffix == ".py" and path.parts[0] in NAMING]
    wanted = {name for text in texts for name in _named(syntax_tree(text))}
    given = {path: path.read_text(encoding="utf-8") for path in given_files(course)}
    modules = [text for path, text in given.items() if path.name != "__init__.py"]
    while more := {name for text in modules for name in _needed(text, wanted)} - wanted:
        wanted |= more
    kept = dict(files)
    for path, text in given.items():
        place = PurePosixPath(path.relative_to(course.home).as_posix())
        kept[place] = _cut(path, text, wanted).encode()
        if not kept[place] and _is_of_parts(path):
            del kept[place]
    return kept


def _is_of_parts(path: Path) -> bool:
    return "blocks" in (path.stem, path.parent.name)


def _cut(path: Path, text: str, wanted: set[str]) -> str:
    """Return what is wanted of a file's text; "" if nothing is."""
    if not _is_of_parts(path):
        return text
    tree = syntax_tree(text)
    if path.name == "__init__.py":
        return _package(tree, wanted)
    defined = {name for node in tree.body if not isinstance(node, IMPORTS) for name in bound(node)} & wanted
    return only(text, defined) if defined else ""


def _needed(text: str, wanted: set[str]) -> Iterator[str]:
    """Yield the parts that a file imports for those of its own parts that are wanted."""
    kept = _cut(Path("blocks", "x.py"), text, wanted)
    yield from _imported(syntax_tree(kept))


def _package(tree: ast.Module, wanted: set[str]) -> str:
    lines = [f'"""{ast.get_docstring(tree)}"""', ""]
    for node in tree.body:
        names = [alias.name for alias in node.names if alias.name in wanted] if isinstance(node, ast.ImportFrom) else []
        if isinstance(node, ast.ImportFrom) and names:
            lines.append(f"from {node.module} import {', '.join(names)}")
    return "\n".join(lines) + "\n" if len(lines) > 2 else ""


def _named(tree: ast.Module) -> Iterator[str]:
    """Yield the given parts that a module imports, or asks for by `part("Name")` or `mine.Name`.

    `mine.Name` under `if __name__ == "__main__"` does not count: the demonstration there waits for the student's
    own answers.
    """
    yield from _imported(tree)
    for statement in (each for each in tree.body if not isinstance(each, ast.If)):
        yield from (
            each.attr for each in ast.walk(statement) if isinstance(each, ast.Attribute) and _is_mine(each.value)
        )
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "part" and node.args:
            name = node.args[0]
            if isinstance(name, ast.Constant) and isinstance(name.value, str):
                yield name.value


def _is_mine(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "mine"


def _imported(tree: ast.Module) -> Iterator[str]:
    yield from (name.rpartition(".")[2] for _, name in imported(tree) if name.startswith(f"{PARTS}."))
