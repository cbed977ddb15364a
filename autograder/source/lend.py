"""Right versions of exercises, written below a student's text, where they take the place of the student's own."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator
from typing import TypeAlias

from autograder.source.text import syntax_tree

LENDER = "_lent_by_the_course"
DEFINITION = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
IMPORT = (ast.Import, ast.ImportFrom)

Places: TypeAlias = dict[str, ast.stmt]
"""By name, the last statement of a module's top level that binds it."""


def called(text: str, exercise: str, others: Collection[str]) -> list[str]:
    """Return those of `others` that the answer to `exercise` uses, directly or not; none if `text` is no Python."""
    try:
        places = _places(syntax_tree(text).body)
    except SyntaxError:
        return []
    used = _used(places, [exercise])
    return [name for name in others if name in used and name != exercise]


def changed(text: str, solution: str, names: Iterable[str]) -> list[str]:
    """Return those of `names` that `text` does not define just as `solution` does."""
    own, right = (_places(syntax_tree(each).body) for each in (text, solution))
    return [name for name in names if name not in own or name not in right or not _equal(own[name], right[name])]


def with_lent(text: str, solution: str, names: Collection[str], exercise: str) -> str | None:
    """Return `text` with the definitions of `names` in `solution` in place of its own.

    They stand in a function of their own, with all that they need and nothing else, so that other names of `text` stay
    the student's. None if they need `exercise` itself, or are not in `solution`.
    """
    body = syntax_tree(solution).body
    places = _places(body)
    needed = _used(places, names)
    if exercise in needed or not places.keys() >= set(names):
        return None
    kept = [node for node in body if _is_import(node) or needed & set(_bound(node))]
    given = ast.Tuple([ast.Name(name) for name in names])
    lender = ast.parse(f"def {LENDER}(): ...").body[0]
    assert isinstance(lender, ast.FunctionDef)
    lender.body = [*(_Unannotated().visit(node) for node in kept), ast.Return(given)]
    taken = ast.Assign([given], ast.Call(ast.Name(LENDER), [], []), lineno=0)
    return f"{text}\n\n{ast.unparse(ast.fix_missing_locations(ast.Module([lender, taken], [])))}\n"


def _equal(one: ast.stmt, other: ast.stmt) -> bool:
    return ast.dump(one) == ast.dump(other)


def _places(body: Iterable[ast.stmt]) -> Places:
    return {name: node for node in body if not isinstance(node, IMPORT) for name in _bound(node)}


def _bound(node: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement binds, but for imported ones."""
    if isinstance(node, DEFINITION):
        yield node.name
    else:
        names = (each for each in ast.walk(node) if isinstance(each, ast.Name))
        yield from (each.id for each in names if isinstance(each.ctx, ast.Store))


def _used(places: Places, names: Iterable[str]) -> set[str]:
    """Return `names` and all names that their definitions use, directly or not."""
    found: set[str] = set()
    waiting = [*names]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            inner = ast.walk(places[name]) if name in places else ()
            waiting += [node.id for node in inner if isinstance(node, ast.Name)]
    return found


def _is_import(node: ast.stmt) -> bool:
    return isinstance(node, ast.Import) or (isinstance(node, ast.ImportFrom) and node.module != "__future__")


class _Unannotated(ast.NodeTransformer):
    """Removes the annotations of parameters and results, which may name what is defined later."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.returns = None
        self.generic_visit(node)
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node
