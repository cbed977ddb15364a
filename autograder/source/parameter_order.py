"""A student's parameters: their order, as calls pass arguments by position, and their defaults."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any

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


@lru_cache(maxsize=64)
def other_defaults(text: str, name: str, method: str, right: Callable[..., Any]) -> dict[str, tuple[Any, Any]]:
    """Return the defaults in the code `text` that are other plain values than the right ones: each with the right one.

    Args:
        method: the method of the class `name` that is called; "" for a function.
        right: the right function or class.
    """
    own, found = _defaults(text, name, method), {}
    with suppress(TypeError, ValueError, AttributeError):
        wanted = inspect.signature(getattr(right, method) if method else right).parameters
        for each in own.keys() & {key for key, value in wanted.items() if value.default is not value.empty}:
            if repr(own[each]) != repr(wanted[each].default):
                found[each] = own[each], wanted[each].default
    return found


def _defaults(text: str, name: str, method: str) -> dict[str, Any]:
    given = _arguments(text, name, method)
    if given is None:
        return {}
    places = [*given.posonlyargs, *given.args]
    last = zip(places[len(places) - len(given.defaults) :], given.defaults, strict=True)
    found = {}
    for place, value in (*last, *zip(given.kwonlyargs, given.kw_defaults, strict=True)):
        with suppress(ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            found[place.arg] = ast.literal_eval(value) if value else ...
    return {key: value for key, value in found.items() if value is None or isinstance(value, bool | int | float | str)}


def _parameters(text: str, name: str, method: str) -> list[str]:
    given = _arguments(text, name, method)
    names = [each.arg for each in (*given.posonlyargs, *given.args)] if given else []
    return names[1:] if method else names


def _arguments(text: str, name: str, method: str) -> ast.arguments | None:
    """Return the parameters of a function, or of a class's method; None where there is none."""
    try:
        body: Sequence[ast.stmt] = shared_tree(text).body
    except SyntaxError:  # intake has reported it
        return None
    for part in filter(None, (name, method)):
        named = [each for each in body if isinstance(each, ast.FunctionDef | ast.ClassDef) and each.name == part]
        if not named:
            return None
        found, body = named[-1], named[-1].body
    return found.args if isinstance(found, ast.FunctionDef) else None
