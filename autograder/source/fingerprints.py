"""Fingerprints of answers, to see which are new: they come from syntax trees, so comments do not count."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping

from autograder.core.submission import ChapterSource
from autograder.source.text import syntax_tree

REST = ""  # the part of a file outside of answers: imports, helpers, statements


def fingerprints(source: ChapterSource, exercises: Collection[str]) -> dict[str, str]:
    """Return by exercise all that its verdict can depend on: its answer, answers it uses, and the rest of the file.

    Args:
        source: a chapter that compiles.
    """
    parts: dict[str, list[ast.stmt]] = {REST: [], **{name: [] for name in exercises}}
    for node in syntax_tree(source.text).body:
        name = node.name if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) else REST
        parts[name if name in parts else REST].append(node)
    texts = {name: "\n".join(map(ast.dump, nodes)) + repr(source.broken.get(name)) for name, nodes in parts.items()}
    uses = {name: _names(nodes) & parts.keys() | {REST} for name, nodes in parts.items()}
    return {name: "\n".join(texts[other] for other in sorted(_reached(name, uses))) for name in exercises}


def _reached(name: str, uses: Mapping[str, Iterable[str]]) -> set[str]:
    """Return the part `name` and all parts it uses, directly or not."""
    found: set[str] = set()
    ahead = {name}
    while ahead:
        found |= ahead
        ahead = {other for part in ahead for other in uses[part]} - found
    return found


def _names(nodes: Iterable[ast.stmt]) -> set[str]:
    return {inner.id for node in nodes for inner in ast.walk(node) if isinstance(inner, ast.Name)}
