"""The smallest example of a wrong answer: an input with few enough numbers to check with a pencil."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import torch

from autograder.calls.quick_call import glance
from autograder.calls.records import Call, Data, Observation, Part, Raised, leaves
from autograder.compare.compare import apart
from autograder.compare.describe import Names, describe, named, number
from autograder.compare.difference import Difference
from autograder.compare.oracle import digest
from autograder.compare.shrink import shrunk
from autograder.core.lru import Latest
from autograder.core.message import Example
from autograder.course.model import Misconception

MOST_TRIES = 100
MOST_CALLS = 24
"""Calls of the student's code for an answer that no name explains; with a name one call is enough."""
MOST_NUMBERS = 60
KEPT = 4096

Ask = Callable[[Call], Observation | None]


class Examples:
    """Shrinks failing calls; what does not depend on the submission is computed once for all."""

    def __init__(self) -> None:
        self._known: Latest[tuple[str, bytes], Call] = Latest(KEPT)
        self._right: Latest[tuple[str, bytes], Data] = Latest(KEPT)

    def of(
        self,
        reference: Callable[..., Any],
        call: Call,
        key: bytes,
        found: Difference,
        wrong: Misconception | None,
        ask: Ask,
    ) -> tuple[Call, Data, Data] | None:
        """Return the smallest call, the right result, and the student's; None where they agree on it.

        Args:
            key: the digest of `call`.
            found: how the student's answer differs on `call`.
            wrong: the mistake that explains it, if one does.
            ask: makes a call of the student's answer.
        """
        if wrong is None:
            small = self._shrunk(reference, call, found, _Bounded(ask))
        else:
            small = self._of_mistake(reference, call, key, found, wrong)
        seen = ask(replace(small, cotangents=None))
        if seen is None or (wrong is not None and apart(_plain(wrong.function, small), seen.result, None)):
            return None
        right = self._right_on(reference, small)
        return (small, right, seen.result) if apart(right, seen.result, found.tolerance) else None

    def _of_mistake(
        self, reference: Callable[..., Any], call: Call, key: bytes, found: Difference, wrong: Misconception
    ) -> Call:
        known = (wrong.identifier, key)
        if known not in self._known:
            shown = partial(_plain, wrong.function)
            self._known[known] = self._shrunk(reference, call, found, lambda each: Observation(shown(each)))
        return self._known[known]

    def _shrunk(self, reference: Callable[..., Any], call: Call, found: Difference, answer: Ask) -> Call:
        """Return the smallest call on which an answer is wrong in the way that was found, and the right one sound."""

        def still(smaller: Call) -> bool:
            right = self._right_on(reference, smaller)
            seen = answer(smaller) if _is_sound(right) else None
            return seen is not None and _is_same(found, right, seen.result)

        return shrunk(call, still, MOST_TRIES)

    def _right_on(self, reference: Callable[..., Any], call: Call) -> Data:
        key = (call.name, digest(call))
        if key not in self._right:
            self._right[key] = _plain(reference, call)
        return self._right[key]


class _Bounded:
    """What the student's answer shows on a call; None after `MOST_CALLS` calls, or after one that was lost."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._left = MOST_CALLS - 1  # the last one is for the smallest call

    def __call__(self, call: Call) -> Observation | None:
        self._left -= 1
        seen = self._ask(call) if self._left >= 0 else None
        self._left = self._left if seen else 0
        return seen


def _is_same(found: Difference, right: Data, got: Data) -> bool:
    wrong = apart(right, got, found.tolerance)
    return wrong is not None and _fault(wrong) == _fault(found)


def _is_sound(right: Data) -> bool:
    return not isinstance(right, Raised) and not any(np.any(np.asarray(leaf != leaf)) for leaf in leaves(right))


def _fault(found: Difference) -> tuple[str, str]:
    """Return what is wrong, and of an error its type."""
    return found.rule, found.have.kind if isinstance(found.have, Raised) else ""


def _plain(function: Callable[..., Any], call: Call) -> Data:
    return glance(function, replace(call, forbidden=()))


def written(call: Call, right: Data, got: Data, names: Names) -> Example | None:
    """Return an example in full; None if it has too many numbers to be looked through, or reads as if all was right."""
    given = [*_given(call, names)]
    if sum(_size(value) for _, value in (*given, ("", right), ("", got))) > MOST_NUMBERS:
        return None
    expected, shown = in_full(right), in_full(got)
    rows = tuple((name, in_full(value)) for name, value in given)
    return Example(rows, expected, shown) if expected != shown else None


def _given(call: Call, names: Names) -> Iterator[tuple[str, Data]]:
    if call.build:
        yield from _rows(names.built, call.build.args, call.build.kwargs)
        floats = {name: value for name, value in call.build.state.items() if bool(value.any())}
        yield from floats.items()
        if len(floats) < len(call.build.state):
            yield ("all other parameters" if floats else "all parameters"), 0
    yield from _rows(names.arguments, call.args, call.kwargs)


def _rows(names: tuple[str, ...], args: tuple[Data, ...], kwargs: Mapping[str, Data]) -> Iterator[tuple[str, Data]]:
    for place, (name, value) in enumerate(named(names, args, kwargs), 1):
        yield name or f"argument {place}", value


def _size(value: Data) -> int:
    inside = ([leaf.args, dict(leaf.kwargs)] if isinstance(leaf, Part) else leaf for leaf in leaves(value))
    return sum(_size(each) if isinstance(each, list) else math.prod(getattr(each, "shape", ())) for each in inside)


def in_full(value: Data) -> str:
    """Return a value with all its numbers, as code."""
    if isinstance(value, torch.Tensor | np.ndarray):
        empty = 0 in value.shape or (isinstance(value, torch.Tensor) and value.is_meta)
        return describe(value, Names()) if empty else _nested(value.tolist())
    if isinstance(value, list | tuple):
        inner = ", ".join(map(in_full, value))
        return f"[{inner}]" if isinstance(value, list) else f"({inner}{',' * (len(value) == 1)})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {in_full(item)}" for key, item in value.items()) + "}"
    if isinstance(value, Part):
        named = [*map(in_full, value.args), *(f"{name}={in_full(item)}" for name, item in value.kwargs.items())]
        return f"{value.name}({', '.join(named)})"
    return repr(value) if isinstance(value, str) else describe(value, Names())


def _nested(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(_nested, value)) + "]"
    return repr(value) if isinstance(value, str) else number(value)
