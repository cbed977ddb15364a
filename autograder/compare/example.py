"""The smallest example of a wrong answer: an input with few enough numbers to check with a pencil."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from typing import Any

import numpy as np
import torch

from autograder.calls.observe import glance
from autograder.calls.records import Call, Data, Observation, Part, Raised
from autograder.calls.tree import leaves
from autograder.compare.compare import difference
from autograder.compare.describe import Names, describe, number
from autograder.compare.difference import Difference
from autograder.compare.shrink import shrunk
from autograder.core.message import Example
from autograder.course.model import Misconception

MOST_TRIES = 100
MOST_CALLS = 24
"""Calls of the student's code for an answer that no name explains; with a name one call is enough."""
MOST_NUMBERS = 60
KEPT = 4096

Ask = Callable[[Call], Observation | None]


class Examples:
    """Shrinks failing calls; the calls of known mistakes are shrunk once for all submissions."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, bytes], Call] = {}

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
            small = shrunk(call, partial(_still, reference, _Bounded(ask), found), MOST_TRIES)
        else:
            small = self._of_mistake(reference, call, key, found, wrong)
        right, got = _plain(reference, small), _result(ask(replace(small, cotangents=None)))
        if wrong is not None and difference(
            Observation(_plain(wrong.function, small)), Observation(got), until="values"
        ):
            return None
        return (small, right, got) if _rule(right, got) else None

    def _of_mistake(
        self, reference: Callable[..., Any], call: Call, key: bytes, found: Difference, wrong: Misconception
    ) -> Call:
        known = (wrong.identifier, key)
        if known not in self._known:
            if len(self._known) >= KEPT:
                self._known.clear()
            still = partial(_still, reference, partial(_plain, wrong.function), found)
            self._known[known] = shrunk(call, still, MOST_TRIES)
        return self._known[known]


class _Bounded:
    """The student's answer to a call, as data; after `MOST_CALLS` calls, or one that was lost, nothing but `Raised`."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._left = MOST_CALLS

    def __call__(self, call: Call) -> Data:
        self._left -= 1
        seen = self._ask(call) if self._left >= 0 else None
        self._left = self._left if seen else 0
        return _result(seen)


def _still(reference: Callable[..., Any], answer: Callable[[Call], Data], found: Difference, call: Call) -> bool:
    right = _plain(reference, call)
    sound = not isinstance(right, Raised) and not any(leaf != leaf for leaf in map(_total, leaves(right)))
    return sound and _rule(right, answer(call)) == found.rule


def _total(leaf: Data) -> float:
    """Return a sum that is NaN where one of the numbers is."""
    return float(leaf.sum()) if hasattr(leaf, "sum") and not getattr(leaf, "is_meta", False) else 0.0


def _plain(function: Callable[..., Any], call: Call) -> Data:
    return glance(function, replace(call, forbidden=()))


def _result(seen: Observation | None) -> Data:
    return Raised("Lost", ("Lost",), "") if seen is None else seen.result


def _rule(right: Data, got: Data) -> str:
    apart = difference(Observation(right), Observation(got), until="values")
    return apart.rule if apart else ""


def written(call: Call, right: Data, got: Data, names: Names) -> Example | None:
    """Return an example in full; None if it has too many numbers to be looked through."""
    given = [*_given(call, names)]
    if sum(_size(value) for _, value in (*given, ("", right), ("", got))) > MOST_NUMBERS:
        return None
    return Example(tuple((name, in_full(value)) for name, value in given), in_full(right), in_full(got))


def _given(call: Call, names: Names) -> Iterator[tuple[str, Data]]:
    if call.build:
        yield from _named(names.built, call.build.args, call.build.kwargs)
        floats = {name: value for name, value in call.build.state.items() if bool(value.any())}
        yield from floats.items()
        if len(floats) < len(call.build.state):
            yield "all other parameters", 0
    yield from _named(names.arguments, call.args, call.kwargs)


def _named(names: tuple[str, ...], args: tuple[Data, ...], kwargs: Mapping[str, Data]) -> Iterator[tuple[str, Data]]:
    pairs = zip_longest(names[: len(args)], args, fillvalue="")
    yield from ((name or f"argument {place + 1}", value) for place, (name, value) in enumerate(pairs))
    yield from kwargs.items()


def _size(value: Data) -> int:
    return sum(math.prod(getattr(leaf, "shape", ())) for leaf in leaves(value))


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
    return repr(value) if isinstance(value, str | Part) else describe(value, Names())


def _nested(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(_nested, value)) + "]"
    return repr(value) if isinstance(value, str) else number(value)
