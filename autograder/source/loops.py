"""The loops around a line of a module, and the definition it lies in, read from the text."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograder.source.parsing import DEFINITIONS, shared_tree

Loop = ast.While | ast.For | ast.AsyncFor


def loops_around(text: str, line: int) -> list[Loop]:
    """Return the loops around a line, outermost first, within the innermost function; none if `text` is no Python."""
    found: list[Loop] = []
    for node in _around(text, line):
        if isinstance(node, DEFINITIONS):
            found.clear()
        elif isinstance(node, Loop):
            found.append(node)
    return found


def owner(text: str, line: int) -> str:
    """Return the name of the definition at the module's top level that a line lies in; "" if there is none."""
    outermost = next(_around(text, line), None)
    return outermost.name if isinstance(outermost, DEFINITIONS) else ""


def _around(text: str, line: int) -> Iterator[ast.stmt]:
    """Yield the statements that a line lies in, outermost first."""
    try:
        within: list[ast.stmt] = shared_tree(text).body
    except SyntaxError:
        return
    while found := [each for each in within if each.lineno <= line <= (each.end_lineno or each.lineno)]:
        yield found[0]
        within = [*_statements(found[0])]


def _statements(node: ast.AST) -> Iterator[ast.stmt]:
    """Yield the statements right within a node, through the branches of a `try` or `match`."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            yield child
        elif isinstance(child, ast.excepthandler | ast.match_case):
            yield from _statements(child)
