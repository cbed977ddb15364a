"""Detection of untouched stubs, from the text alone and before anything runs."""

from __future__ import annotations

import ast
import difflib
import symtable
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from autograder.source.parsing import DEFINITIONS, segment, shared_tree, syntax_tree

ALIKE = 0.75
MOST_NAMES = 1000  # a hostile file may hold nothing but names
_UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)


@dataclass(frozen=True)
class _Module:
    """The source of the definitions at a module's top level, and what else it changes."""

    definitions: Mapping[str, str]
    changed: frozenset[str]  # names that are assigned to, or whose attributes are, besides their definition


def defines(source: str, exercise: str) -> bool:
    """Return whether the top level of `source` binds the name in any way; False where it is not Python."""
    return exercise in _module(source).definitions or exercise in _names(source)


def is_stub_answer(source: str, stub: str, exercise: str) -> bool:
    """Return whether `source` leaves the exercise as it is in `stub`, the text of the stub module.

    Comments, docstrings and layout do not count. False where `source` has no such function or class.
    """
    module = _module(source)
    own = module.definitions.get(exercise)
    other = _module(stub).definitions.get(exercise)
    if own is None or other is None or exercise in module.changed:
        return False
    try:
        stays_to_do = "NotImplementedError" in own or "NotImplementedError" not in _wordless(other)
        return stays_to_do and _wordless(own) == _wordless(other)  # the first is quicker, and rules most answers out
    except RecursionError:  # nothing of the course is nested so deeply
        return False


def renamed(source: str, stub: str, exercise: str) -> str:
    """Return a similar name that `source` binds and the stub does not; "" if there is none."""
    own = sorted(_names(source) - _names(stub))[:MOST_NAMES]
    return next(iter(difflib.get_close_matches(exercise, own, n=1, cutoff=ALIKE)), "")


@lru_cache(maxsize=32)
def _module(source: str) -> _Module:
    try:
        tree, lines = shared_tree(source), source.split("\n")
        definitions = {node.name: segment(node, lines) for node in tree.body if isinstance(node, DEFINITIONS)}
    except _UNREADABLE:
        return _Module({}, frozenset())
    return _Module(definitions, frozenset(_changed(tree.body)))


@lru_cache(maxsize=32)
def _names(source: str) -> frozenset[str]:
    """Return the names that a module's top level binds in any way."""
    try:
        table = symtable.symtable(source, "<answers>", "exec")
    except _UNREADABLE:
        return frozenset()
    bound = (name for name in table.get_symbols() if name.is_assigned() or name.is_imported())
    return frozenset(name.get_name() for name in bound)


def _changed(statements: Iterable[ast.stmt]) -> Iterator[str]:
    """Yield names that are assigned to, imported, or defined inside an `if`; `Name.forward = f` counts for `Name`."""
    for statement in statements:
        for node in () if isinstance(statement, DEFINITIONS) else ast.walk(statement):
            if isinstance(node, DEFINITIONS):
                yield node.name
            elif isinstance(node, ast.alias):
                yield node.asname or node.name
            elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
                yield from (inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name))


def _is_to_do(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "NotImplementedError"


@lru_cache(maxsize=512)
def _wordless(definition: str) -> str:
    """Return a definition's tree without docstrings; a stub's own error may name the exercise or not."""
    tree = syntax_tree(definition)
    for inner in ast.walk(tree):
        if isinstance(inner, ast.Raise) and isinstance(inner.exc, ast.Call) and _is_to_do(inner.exc.func):
            inner.exc = inner.exc.func
        if isinstance(inner, DEFINITIONS) and ast.get_docstring(inner, clean=False) is not None:
            inner.body = inner.body[1:]
    return ast.dump(tree)
