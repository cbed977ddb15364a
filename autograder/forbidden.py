"""Find a forbidden ready-made function in a student's source, without running it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

Definition = (ast.FunctionDef, ast.ClassDef)


@dataclass(frozen=True)
class Use:
    """A forbidden name as it was written, and its line."""

    name: str
    line: int


def forbidden_use(source: str, exercise: str, forbidden: tuple[str, ...]) -> Use | None:
    """The first use of a forbidden library function in `exercise` or in the student's functions it calls.

    A student's own function, method or variable may have a forbidden name. What the text leaves open is left to
    the watch that runs with the code (`guard`).
    """
    if not forbidden:
        return None
    try:
        tree = _parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    own = {node.name: node for node in tree.body if isinstance(node, Definition)}
    methods = {inner.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for inner in _functions(node)}
    shared = dict(_imports(node for node in tree.body if not isinstance(node, Definition)))
    for node in _reached(exercise, own, set()):
        imported = {name: origin for name, origin in shared.items() if name not in own} | dict(_imports([node]))
        for inner in ast.walk(node):
            if used := _used(inner, imported, frozenset(forbidden), methods):
                return Use(used, inner.lineno)  # type: ignore[attr-defined]
    return None


@lru_cache(maxsize=32)
def _parse(source: str) -> ast.Module:
    return ast.parse(source)


def _functions(node: ast.ClassDef) -> Iterator[ast.FunctionDef]:
    return (inner for inner in node.body if isinstance(inner, ast.FunctionDef))


def _imports(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, str]]:
    """Local name and original last name of everything these import."""
    for node in (inner for outer in nodes for inner in ast.walk(outer)):
        if isinstance(node, ast.ImportFrom | ast.Import):
            yield from ((alias.asname or alias.name.split(".")[0], alias.name) for alias in node.names)


def _reached(name: str, own: dict[str, ast.FunctionDef | ast.ClassDef], seen: set[str]) -> Iterator[ast.AST]:
    """The definition of `name` and of every function of the same file it mentions."""
    if name in seen or name not in own:
        return
    seen.add(name)
    yield own[name]
    local = _bound(own[name])
    for node in ast.walk(own[name]):
        if isinstance(node, ast.Name) and node.id not in local:
            yield from _reached(node.id, own, seen)


def _bound(definition: ast.AST) -> set[str]:
    """Names that stand for something else within a definition: its arguments and what it assigns."""
    nodes = list(ast.walk(definition))
    arguments = {node.arg for node in nodes if isinstance(node, ast.arg)}
    return arguments | {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def _used(node: ast.AST, imported: dict[str, str], forbidden: frozenset[str], methods: set[str]) -> str | None:
    if isinstance(node, ast.Name) and imported.get(node.id) in forbidden:
        return imported[node.id]
    if not (isinstance(node, ast.Attribute) and node.attr in forbidden):
        return None
    root: ast.AST = node.value
    while isinstance(root, ast.Attribute):
        root = root.value
    of_library = isinstance(root, ast.Name) and root.id in imported
    return ast.unparse(node) if of_library or node.attr not in methods else None
