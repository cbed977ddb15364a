"""Unused imports of libraries that are not installed: a module runs just as well without them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from importlib.util import find_spec

from autograder.source.text import segment, syntax_tree

_FIRST = re.compile(r"^(?:import|from)[ \t]+(\w+)", re.MULTILINE)


def without_absent(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the module without such imports, its other lines in place, and the libraries' names.

    Args:
        text: a module that compiles.
    """
    if all(map(_is_here, _FIRST.findall(text))):
        return text, ()
    body = syntax_tree(text).body
    lines = text.split("\n")
    left_out: list[str] = []
    used = _used(body)
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom) and (names := _absent(node)) and not _bound(node) & used:
            first, last = node.lineno - 1, node.end_lineno or node.lineno
            if "\n".join(lines[first:last]).partition("#")[0].strip() == segment(node, lines):
                lines[first:last] = [""] * (last - first)
                left_out += names
    return "\n".join(lines), tuple(dict.fromkeys(left_out))


def _absent(node: ast.Import | ast.ImportFrom) -> list[str]:
    """Return the libraries that an import needs, if none of them is installed."""
    named = [node.module or "."] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
    roots = [name.split(".")[0] for name in named]
    if isinstance(node, ast.ImportFrom) and (node.level or node.names[0].name == "*"):
        return []
    return roots if not any(map(_is_here, roots)) else []


@lru_cache(maxsize=1024)
def _is_here(root: str) -> bool:
    try:
        return find_spec(root) is not None
    except (ImportError, ValueError):
        return True  # installed in an unusual way


def _bound(node: ast.Import | ast.ImportFrom) -> set[str]:
    return {(alias.asname or alias.name).split(".")[0] for alias in node.names}


def _used(body: list[ast.stmt]) -> set[str]:
    """Return the names that are used, or stand in quotes."""
    return {name for statement in body for node in ast.walk(statement) for name in _names(node)}


def _names(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield from node.value.replace("[", " ").replace(".", " ").split()  # an annotation in quotes, or __all__
