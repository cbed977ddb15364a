"""Right versions of exercises, written into a student's text, where they take the place of the student's own."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

from autograder.source.parsing import DEFINITIONS, copied, shared_tree

LENDER = "_lent_by_the_course"
IMPORT = (ast.Import, ast.ImportFrom)

Places: TypeAlias = dict[str, list[ast.stmt]]
"""By name, the statements of a module's top level that bind it."""


def called(text: str, exercise: str, others: Collection[str]) -> list[str]:
    """Return those of `others` that the answer to `exercise` uses, directly or not; none if `text` is no Python."""
    try:
        used = _used(text, [exercise])
    except SyntaxError:
        return []
    return [name for name in others if name in used and name != exercise]


def changed(text: str, solution: str, names: Iterable[str]) -> list[str]:
    """Return those of `names` that `text` does not define just as `solution` does."""
    own, right = _places(text), _places(solution)
    return [name for name in names if not _equal(own.get(name, []), right.get(name, []))]


def with_lent(text: str, solution: str, names: Sequence[str], exercise: str) -> str | None:
    """Return `text` with the definitions of `names` in `solution` in place of its own.

    Each takes over right after the last statement that binds its name, as later lines may already use it. They stand in
    a function of their own, with all that they need and nothing else, so that other names of `text` stay the student's.
    None if they need `exercise` itself, or are not in `solution`.
    """
    body = shared_tree(solution).body
    needed = _used(solution, names)
    if exercise in needed or not _places(solution).keys() >= set(names):
        return None
    kept = [node for node in body if _is_import(node) or needed & set(_bound(node))]
    own, lines = _places(text), text.split("\n")
    ends = {name: max((node.end_lineno or 0 for node in own.get(name, [])), default=len(lines)) for name in names}
    lender = _lender(kept, names)
    for name in sorted(names, key=lambda each: -ends[each]):
        lines.insert(ends[name], f"{lender}\n{name} = {LENDER}()[{list(names).index(name)}]")
    return "\n".join(lines) + "\n"


def _lender(kept: Iterable[ast.stmt], names: Iterable[str]) -> str:
    """Return the source of a function that defines what is `kept`, and returns `names`."""
    made = ast.parse(f"def {LENDER}(): ...").body[0]
    assert isinstance(made, ast.FunctionDef)
    given = ast.Tuple([ast.Name(name) for name in names])
    made.body = [*(_Unannotated().visit(copied(node)) for node in kept), ast.Return(given)]
    return ast.unparse(ast.fix_missing_locations(made))


def _equal(one: Sequence[ast.stmt], other: Sequence[ast.stmt]) -> bool:
    try:
        return [ast.dump(node) for node in one] == [ast.dump(node) for node in other] != []
    except RecursionError:  # nothing of the course is nested so deeply
        return False


@lru_cache(maxsize=4)
def _places(text: str) -> Places:
    found: Places = {}
    for node in shared_tree(text).body:
        for name in () if isinstance(node, IMPORT) else _bound(node):
            found.setdefault(name, []).append(node)
    return found


def _bound(node: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement binds, but for imported ones; of a block, also those within."""
    if isinstance(node, DEFINITIONS):
        yield node.name
        return
    for each in ast.walk(node):
        if isinstance(each, DEFINITIONS):
            yield each.name
        elif isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
            yield each.id


def _used(text: str, names: Iterable[str]) -> set[str]:
    """Return `names` and all names that their definitions in `text` use, directly or not."""
    places = _places(text)
    found: set[str] = set()
    read: set[ast.stmt] = set()  # one statement may bind very many names
    waiting = [*names]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            fresh = {*places.get(name, ())} - read
            read |= fresh
            waiting += [part.id for place in fresh for part in ast.walk(place) if isinstance(part, ast.Name)]
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
