"""The names that an author's module binds, and slips in them that nothing notices before a check runs."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator
from typing import Final

from autograder.author.parsed import Definition, meant, parsed
from autograder.core.errors import AttendError
from autograder.course.course import Course

_ALWAYS: Final = {*dir(builtins), "__file__", "__path__", "__class__", "__qualname__", "__module__"}
_SCOPES = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda


def module_names(tree: ast.Module) -> set[str] | None:
    """Return the names that a module binds at its top level; None if only running it shows them."""
    nodes = list(_at_top(tree.body))
    names = {name for node in nodes for name in _bound(node)}
    calls = {node.id for node in nodes if isinstance(node, ast.Name)} & {"globals", "vars", "locals", "exec"}
    return None if "*" in names or calls else names


def refuse_undefined(nodes: Iterable[Definition], tree: ast.Module, origin: str) -> None:
    """Check that known mistakes use names of their own module `tree`; messages call its file `origin`.

    Raises:
        AttendError: a name is defined nowhere, so that the mistake would raise NameError and be named to nobody.
    """
    if (known := module_names(tree)) is None:
        return
    for node in nodes:
        inside = list(ast.walk(node))
        own = {name for each in inside for name in _bound(each)} - {node.name}
        for each in inside:
            if isinstance(each, ast.Name) and each.id not in known | own | _ALWAYS:
                remedy = meant(each.id, known | own, "import it there, or correct the name")
                raise AttendError(
                    f"{origin}:{each.lineno}: the mistake {node.name} uses '{each.id}', which this file neither "
                    f"defines nor imports; {remedy}"
                )


def refuse_absent_answers(course: Course, stem: str, exercises: Iterable[str]) -> None:
    """Raise AttendError if the reference of a chapter, where there is one, defines no answer to one of `exercises`."""
    origin = f"reference/{stem}.py"
    if not (course.home / origin).is_file():
        return
    if (names := module_names(parsed(course.home / origin, origin))) is None:
        return
    for name in exercises:
        if name not in names:
            remedy = meant(name, names, "write its right answer there")
            raise AttendError(f"{origin} does not define '{name}'; {remedy}")


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
