"""Fingerprints of answers, to see which are new: they come from syntax trees, so comments do not count."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping

from autograder.core.submission import ChapterSource
from autograder.source.parsing import syntax_tree
from autograder.source.statements import binds, brings_anything, is_guard, is_text

REST = ""  # statements that any answer may depend on, such as loops and calls


def fingerprints(source: ChapterSource, exercises: Collection[str]) -> dict[str, str]:
    """Return by exercise all that its verdict can depend on: what binds its name, the names this uses, and the rest.

    A module and a notebook with the same answers have the same fingerprints.

    Args:
        source: a chapter that compiles.
    """
    parts: dict[str, list[ast.stmt]] = {REST: [], **{name: [] for name in exercises}}
    for node in syntax_tree(source.text).body:
        for name in () if _does_nothing(node) else _bound(node):
            parts.setdefault(name, []).append(node)
    texts = {name: "\n".join(map(ast.dump, nodes)) + repr(source.broken.get(name)) for name, nodes in parts.items()}
    texts[REST] += repr(sorted(source.beside.items()))
    uses = {name: _names(nodes) & parts.keys() | {REST} for name, nodes in parts.items()}
    return {name: "\n".join(texts[other] for other in sorted(_reached(name, uses))) for name in exercises}


def _does_nothing(node: ast.stmt) -> bool:
    """Return whether a statement is a text, or runs only when the file is started."""
    return is_guard(node) or is_text(node)


def _bound(node: ast.stmt) -> set[str]:
    return {REST} if brings_anything(node) else binds(node) or {REST}


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
