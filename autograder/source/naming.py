"""What names in a module stand for, as far as its text tells. `nodes` are all of its syntax tree."""

from __future__ import annotations

import ast
from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

DEEPEST: Final = 9  # parts of a name: no module lies deeper, and a hostile file would take minutes


def imported_names(nodes: Sequence[ast.AST]) -> Iterator[tuple[str, str]]:
    """Yield the names that imports define, each with what it stands for."""
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.asname or alias.name, alias.name
                if not alias.asname:
                    yield alias.name.partition(".")[0], alias.name.partition(".")[0]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def renamed(nodes: Sequence[ast.AST], known: Mapping[str, str]) -> dict[str, str]:
    """Return what other names of known things stand for, such as `s` after `s = sys`."""
    found = dict[str, str]()
    names = ChainMap(found, dict(known))
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) | ast.NamedExpr(ast.Name(id=name), value):
                if thing := dotted_name(value, names):
                    found[name] = thing
    return found


def dotted_name(node: ast.AST, known: Mapping[str, str]) -> str:
    """Return what "a.b.c" stands for, where `a` is a known name; "" for other expressions."""
    names: list[str] = []
    while len(names) < DEEPEST and (step := attribute_of(node)):
        node = step[0]
        names.append(step[1])
    root = known.get(node.id, "") if isinstance(node, ast.Name) else ""
    return ".".join([root, *reversed(names)]) if root and root.count(".") < DEEPEST else ""


def attribute_of(node: ast.AST) -> tuple[ast.expr, str] | None:
    """Return an object and the attribute that it is asked for, by a dot, `getattr` or `setattr`."""
    match node:
        case ast.Attribute(value=value, attr=name):
            return value, name
        case ast.Call(func=ast.Name(id="getattr" | "setattr"), args=[value, ast.Constant(value=str(name)), *_]):
            return value, name
    return None
