"""Find a forbidden ready-made function in a student's source, without running it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True)
class Use:
    """A forbidden name as it was written, and its line."""

    name: str
    line: int


def forbidden_use(source: str, exercise: str, forbidden: tuple[str, ...]) -> Use | None:
    """The first use of a forbidden library function in `exercise` or in the student's functions it calls.

    A student's own function may have a forbidden name: plain names count only where they were
    imported, attributes only where their base is not `self`.
    """
    if not forbidden:
        return None
    try:
        tree = _parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    own = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    imported = {local: name for local, name in _imports(tree) if local not in own}
    for node in _reached(exercise, own, set()):
        for inner in ast.walk(node):
            if used := _used(inner, imported, frozenset(forbidden)):
                return Use(used, inner.lineno)  # type: ignore[attr-defined]
    return None


@lru_cache(maxsize=32)
def _parse(source: str) -> ast.Module:
    return ast.parse(source)


def _imports(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Local name to original last name of everything imported with `from ... import`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield from ((alias.asname or alias.name, alias.name) for alias in node.names)


Definition = ast.FunctionDef | ast.ClassDef


def _reached(name: str, own: dict[str, Definition], seen: set[str]) -> Iterator[Definition]:
    """The definition of `name` and of every function of the same file it mentions."""
    if name in seen or name not in own:
        return
    seen.add(name)
    yield own[name]
    for node in ast.walk(own[name]):
        if isinstance(node, ast.Name):
            yield from _reached(node.id, own, seen)


def _used(node: ast.AST, imported: dict[str, str], forbidden: frozenset[str]) -> str | None:
    if isinstance(node, ast.Name) and imported.get(node.id) in forbidden:
        return imported[node.id]
    if isinstance(node, ast.Attribute) and node.attr in forbidden:
        base = node.value
        return None if isinstance(base, ast.Name) and base.id in ("self", "cls") else ast.unparse(node)
    return None
