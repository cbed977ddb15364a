"""The order of a student's parameters: calls pass arguments by position, so it must be the chapter's."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import lru_cache

from autograder.source.parsing import shared_tree

ADVICE = "keep the order of the given signature: arguments are handed over by position"


@lru_cache(maxsize=64)
def other_order(text: str, name: str, method: str, wanted: Sequence[str]) -> str:
    """Return a sentence if the code `text` has the same parameters in another order; else "".

    Args:
        method: the method of the class `name` that is called; "" for a function.
        wanted: the parameters in the chapter's order.
    """
    own = _parameters(text, name, method)
    if own == [*wanted] or sorted(own) != sorted(wanted):
        return ""
    return f"your parameters are ({', '.join(own)}) instead of ({', '.join(wanted)})"


def _parameters(text: str, name: str, method: str) -> list[str]:
    try:
        body: Sequence[ast.stmt] = shared_tree(text).body
    except SyntaxError:  # intake has reported it
        return []
    for part in filter(None, (name, method)):
        named = [each for each in body if isinstance(each, ast.FunctionDef | ast.ClassDef) and each.name == part]
        if not named:
            return []
        found, body = named[-1], named[-1].body
    if not isinstance(found, ast.FunctionDef):
        return []
    names = [each.arg for each in (*found.args.posonlyargs, *found.args.args)]
    return names[1:] if method else names
