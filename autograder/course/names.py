"""The names that a module of a course binds, and those in its known mistakes that nothing binds."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator
from typing import Final

from autograder.core.errors import UsageError

_ALWAYS: Final = {*dir(builtins), "__file__", "__path__", "__class__", "__qualname__", "__module__"}
_SCOPES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_DYNAMIC: Final = {"globals", "vars", "locals", "exec"}


def module_names(tree: ast.Module) -> set[str] | None:
    """Return the names that a module binds at its top level; None if only running it shows them."""
    nodes = list(_at_top(tree.body))
    names = {name for node in nodes for name in _bound(node)}
    calls = {node.id for node in nodes if isinstance(node, ast.Name)} & _DYNAMIC
    return None if "*" in names or calls else names


def refuse_undefined(tree: ast.Module, origin: str) -> None:
    """Check that the functions and classes of a module of known mistakes use names that it has.

    Args:
        tree: the module.
        origin: what messages call its file.

    Raises:
        UsageError: nothing binds a name, so that a mistake would raise NameError, and be named to nobody.
    """
    if (known := module_names(tree)) is None:
        return
    for node in (each for each in tree.body if isinstance(each, ast.FunctionDef | ast.ClassDef)):
        inside = list(ast.walk(node))
        own = {name for each in inside for name in _bound(each)} | known | _ALWAYS
        for each in inside:
            if isinstance(each, ast.Name) and each.id not in own:
                raise UsageError(
                    f"{origin}:{each.lineno}: the mistake {node.name} uses '{each.id}', which this file neither "
                    "defines nor imports; import it there, or correct the name"
                )


def _at_top(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield nodes and all inside them, except what is inside a function or a class."""
    for node in nodes:
        yield node
        if not isinstance(node, _SCOPES):
            yield from _at_top(ast.iter_child_nodes(node))


def _bound(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node itself binds; "*" for all that another module has."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
            yield name
        case ast.alias(name=name, asname=other):
            yield other or name.partition(".")[0]
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
        case ast.MatchMapping(rest=str(name)):
            yield name
