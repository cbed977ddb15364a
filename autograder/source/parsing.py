"""Text that should be Python: parsed, compiled and taken apart, never run."""

from __future__ import annotations

import ast
import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, TypeVar

SOURCE_LIMIT = 256 * 1024  # characters; a chapter has 20,000, and a hostile one costs the compiler 600 bytes for each
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)

AnyNode = TypeVar("AnyNode", bound=ast.AST)


def lines_of(text: str) -> list[str]:
    """Return the lines with their ends as Python counts them: `str.splitlines` also ends one at a form feed."""
    return list(io.StringIO(text))


def syntax_tree(text: str) -> ast.Module:
    """Return the syntax tree of `text`, without warnings about it.

    Raises:
        SyntaxError: it is not Python, or is too deeply nested for Python's parser.
    """
    with _one_error():
        return ast.parse(text)


@lru_cache(maxsize=4)
def shared_tree(text: str) -> ast.Module:
    """Return the syntax tree of `text`, the same object to all that ask in turn: it must not be changed.

    Raises:
        SyntaxError: as in `syntax_tree`.
    """
    return syntax_tree(text)


def copied(node: AnyNode) -> AnyNode:
    """Return a copy of a node; it shares nodes without fields, such as `ast.Load()`, with all trees.

    What other libraries hang on nodes stays behind: IPython's tracebacks give each its parent, so that `deepcopy` would
    follow a shared `ast.Eq()` into the tree of another file.
    """
    made, own = type(node).__new__(type(node)), vars(node)
    for name in (*node._fields, *node._attributes):
        if name in own:
            vars(made)[name] = _copied_value(own[name])
    return made


def _copied_value(value: Any) -> Any:
    if isinstance(value, list):
        return [_copied_value(each) for each in value]
    return copied(value) if isinstance(value, ast.AST) and value._fields else value


def parse(text: str) -> ast.Module:
    """Return the syntax tree of `text`, which also compiles.

    Raises:
        SyntaxError: as in `must_compile`.
    """
    must_compile(text)
    return syntax_tree(text)


def must_compile(text: str) -> None:
    """Compile `text`.

    Raises:
        SyntaxError: it does not compile, or is too deeply nested or too long for Python's compiler.
    """
    if len(text) > SOURCE_LIMIT:
        raise SyntaxError(f"there is more than {SOURCE_LIMIT // 1024} KiB of code; keep only your answers")
    with _one_error():
        compile(text, "<submission>", "exec", dont_inherit=True)


@contextmanager
def _one_error() -> Iterator[None]:
    """Turn every error of Python's compiler into a SyntaxError, and ignore its warnings."""
    try:
        with warnings.catch_warnings(action="ignore"):
            yield
    except (RecursionError, MemoryError) as error:
        raise SyntaxError("the code is too deeply nested for Python's compiler") from error
    except ValueError as error:
        raise SyntaxError("the code holds a character that Python does not allow") from error


def segment(node: ast.stmt, lines: list[str]) -> str:
    """Return the source of a top-level statement with its decorators, cut within a line at `;`."""
    decorators = node.decorator_list if isinstance(node, DEFINITIONS) else []
    first = min([node.lineno, *(decorator.lineno for decorator in decorators)]) - 1
    last = node.end_lineno or node.lineno
    taken = lines[first:last]
    taken[-1] = taken[-1].encode()[: node.end_col_offset].decode()  # offsets of ast count UTF-8 bytes
    if not decorators:
        taken[0] = taken[0].encode()[node.col_offset :].decode()
    return "\n".join(taken)
