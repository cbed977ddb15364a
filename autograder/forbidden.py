"""Find a forbidden ready-made function in a student's source, without running it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache

Definition = (ast.FunctionDef, ast.ClassDef)
DEEPEST, LONGEST = 16, 80  # names of attributes in a row that are looked at; characters that are shown


@dataclass(frozen=True)
class Use:
    """A forbidden name as it was written, and its line."""

    name: str
    line: int


def is_forbidden(name: str, patterns: Iterable[str]) -> bool:
    """Whether a dotted name is one of `patterns`.

    A pattern is what the name ends in: "softmax" any library function of that name, "functional.unfold" that of
    torch.nn.functional alone and not the method of a tensor, "conv*" all that begin so.
    """
    parts = name.split(".")
    wanted = (pattern.split(".") for pattern in patterns)
    return any(len(tail) <= len(parts) and all(map(fnmatchcase, parts[-len(tail) :], tail)) for tail in wanted)


@lru_cache(maxsize=64)
def forbidden_use(source: str, exercise: str, forbidden: tuple[str, ...], welcome: tuple[str, ...] = ()) -> Use | None:
    """The first use of a forbidden library function in `exercise` or in the student's functions it calls.

    What those in `welcome` use is their own affair.

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
    methods = {*_own_attributes(tree)}
    shared = dict(_imports(node for node in tree.body if not isinstance(node, Definition)))
    for node in _reached(exercise, own, {*welcome}):
        imported = {name: origin for name, origin in shared.items() if name not in own} | dict(_imports([node]))
        nodes = [inner for inner in ast.walk(node) if not _is_welcome(inner)]
        spared = {id(part) for inner in ast.walk(node) if _is_welcome(inner) for part in ast.walk(inner)}
        for inner in nodes:
            if id(inner) not in spared and (used := _used(inner, imported, frozenset(forbidden), methods)):
                return Use(used, inner.lineno)  # type: ignore[attr-defined]
    return None


def _own_attributes(tree: ast.Module) -> Iterator[str]:
    """The names of methods, and "self.name" of what is assigned to an object."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            yield from (inner.name for inner in _functions(node))
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and _is_self(node.value):
            yield f"self.{node.attr}"


def _is_self(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


@lru_cache(maxsize=32)
def _parse(source: str) -> ast.Module:
    return ast.parse(source)


def _functions(node: ast.ClassDef) -> Iterator[ast.FunctionDef]:
    return (inner for inner in node.body if isinstance(inner, ast.FunctionDef))


def _imports(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, str]]:
    """Local name and dotted original name of everything these import."""
    for node in (inner for outer in nodes for inner in ast.walk(outer)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                first = alias.name.split(".")[0]
                yield (alias.asname, alias.name) if alias.asname else (first, first)
        elif isinstance(node, ast.ImportFrom):
            yield from ((alias.asname or alias.name, f"{node.module}.{alias.name}") for alias in node.names)


def _reached(name: str, own: dict[str, ast.FunctionDef | ast.ClassDef], seen: set[str]) -> Iterator[ast.AST]:
    """The definition of `name` and of every function of the same file it mentions."""
    waiting = [name]  # a hostile file has longer chains than Python can recurse
    while waiting:
        name = waiting.pop()
        if name in seen or name not in own:
            continue
        seen.add(name)
        yield own[name]
        local = _bound(own[name])
        mentioned = (node.id for node in ast.walk(own[name]) if isinstance(node, ast.Name))
        waiting += reversed([each for each in mentioned if each not in local])


def _bound(definition: ast.AST) -> set[str]:
    """Names that stand for something else within a definition: its arguments and what it assigns."""
    nodes = list(ast.walk(definition))
    arguments = {node.arg for node in nodes if isinstance(node, ast.arg)}
    return arguments | {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def _used(node: ast.AST, imported: dict[str, str], forbidden: frozenset[str], methods: set[str]) -> str | None:
    if isinstance(node, ast.Name) and is_forbidden(imported.get(node.id, ""), forbidden):
        return imported[node.id].rsplit(".", 1)[-1]
    if not isinstance(node, ast.Attribute):
        return None
    root, rest = _root(node)
    if isinstance(root, ast.Name) and root.id in imported:
        return _shown(node) if is_forbidden(f"{imported[root.id]}.{rest}", forbidden) else None
    own = node.attr in methods or (_is_self(node.value) and f"self.{node.attr}" in methods)
    return _shown(node) if node.attr in forbidden and not own else None


def _shown(node: ast.Attribute) -> str:
    """The attribute as it was written, if that can be read: a hostile one may be deeper than Python can recurse."""
    try:
        text = ast.unparse(node)
    except RecursionError:
        return node.attr
    return text if len(text) <= LONGEST else node.attr


def _is_welcome(node: ast.AST) -> bool:
    """A small helper that torch keeps in a class whose name may be forbidden."""
    return isinstance(node, ast.Attribute) and node.attr == "generate_square_subsequent_mask"


def _root(node: ast.Attribute) -> tuple[ast.AST, str]:
    """What an attribute is taken of, and the dotted rest; no module is deeper than `DEEPEST`."""
    parts, inner = [node.attr], node.value
    while isinstance(inner, ast.Attribute) and len(parts) < DEEPEST:
        parts.append(inner.attr)
        inner = inner.value
    return inner, ".".join(reversed(parts))
