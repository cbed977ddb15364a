"""Was an exercise attempted? Read from the text alone, before anything is run."""

from __future__ import annotations

import ast
import symtable
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

_UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)
_DOCUMENTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True)
class _Module:
    """The names a module's top level binds, and what its functions and classes say but for words."""

    names: frozenset[str]
    definitions: Mapping[str, str]


def defines(source: str, exercise: str) -> bool:
    """Whether the top level of `source` binds the name, in whatever way; False where it is no Python."""
    return exercise in _module(source).names


def is_stub_answer(source: str, stub: str, exercise: str) -> bool:
    """Whether `source` leaves the exercise as it stands in `stub`, the text of the stub module.

    Comments, docstrings and layout do not count. False where `source` has no such function or class.
    """
    own = _module(source).definitions.get(exercise)
    return own is not None and own == _module(stub).definitions.get(exercise)


@lru_cache(maxsize=32)
def _module(source: str) -> _Module:
    try:
        tree = ast.parse(source)
        table = symtable.symtable(source, "<answers>", "exec")
        definitions = {node.name: _wordless(node) for node in tree.body if isinstance(node, _DOCUMENTED)}
    except _UNREADABLE:
        return _Module(frozenset(), {})
    bound = (name for name in table.get_symbols() if name.is_assigned() or name.is_imported())
    return _Module(frozenset(name.get_name() for name in bound), definitions)


def _wordless(node: ast.AST) -> str:
    for inner in ast.walk(node):
        if isinstance(inner, _DOCUMENTED) and ast.get_docstring(inner, clean=False) is not None:
            inner.body = inner.body[1:]
    return ast.dump(node)
