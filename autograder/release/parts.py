"""The given parts of `reference.blocks` that some chapters build on, and no others: these answer other chapters."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from autograder.calls import PARTS
from autograder.course import Course
from autograder.release.cut import only
from autograder.release.place import Files
from autograder.release.uses import given_files, imported

NAMING = ("exercises", ".attend", "tests")
"""Folders of a release whose files name parts."""


def with_own_parts(course: Course, files: Files) -> Files:
    """`files` with those given parts alone that its stubs and suites name; of the others not even the name is left."""
    texts = [data.decode() for path, data in files.items() if path.suffix == ".py" and path.parts[0] in NAMING]
    wanted = {name for text in texts for name in _named(ast.parse(text))}
    given = {path: path.read_text(encoding="utf-8") for path in given_files(course)}
    modules = [text for path, text in given.items() if path.name != "__init__.py"]
    while more := {name for text in modules for name in _imported(ast.parse(only(text, wanted)))} - wanted:
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
    """What is wanted of a file; "" if that is nothing."""
    if not _is_of_parts(path):
        return text
    tree = ast.parse(text)
    if path.name == "__init__.py":
        return _package(tree, wanted)
    defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)} & wanted
    return only(text, defined) if defined else ""


def _package(tree: ast.Module, wanted: set[str]) -> str:
    lines = [f'"""{ast.get_docstring(tree)}"""', ""]
    for node in tree.body:
        names = [alias.name for alias in node.names if alias.name in wanted] if isinstance(node, ast.ImportFrom) else []
        if isinstance(node, ast.ImportFrom) and names:
            lines.append(f"from {node.module} import {', '.join(names)}")
    return "\n".join(lines) + "\n" if len(lines) > 2 else ""


def _named(tree: ast.Module) -> Iterator[str]:
    """What is imported of the given parts, or asked for by `part("Name")`."""
    yield from _imported(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "part" and node.args:
            name = node.args[0]
            if isinstance(name, ast.Constant) and isinstance(name.value, str):
                yield name.value


def _imported(tree: ast.Module) -> Iterator[str]:
    yield from (name.rpartition(".")[2] for _, name in imported(tree) if name.startswith(f"{PARTS}."))
