"""The smallest example of a wrong answer: an input with few enough numbers to check with a pencil.

A call shrinks while the answer is still wrong on it: sizes towards 1 and 2, numbers towards small whole ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

import numpy as np
import torch

from autograder.calls.quick_call import glance
from autograder.calls.records import Build, Call, Data, Observation, Part, Raised, leaves, mapped
from autograder.compare.bounds import Bound, bounds_of, within
from autograder.compare.compare import apart, tensor
from autograder.compare.describe import Names, describe, named, number, spelled_apart
from autograder.compare.difference import Difference
from autograder.compare.fewer import fewer
from autograder.compare.oracle import digest
from autograder.core.lru import Latest
from autograder.core.message import Example
from autograder.course.model import Misconception

MOST_TRIES = 100
MOST_CALLS = 24
"""Calls of the student's code for an answer that no name explains; with a name one call is enough."""
MOST_NUMBERS = 60
KEPT = 4096

Ask = Callable[[Call], Observation | None]

Resize: TypeAlias = Callable[[int], int]

SMALL = (1, 2, 3)
GRIDS = ((1, 1), (1, 3), (3, 1), (1, 2), (2, 1), (2, 2))
LARGEST_WHOLE = 3.0


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
        parity: Collection[str] = (),
    ) -> tuple[Call, Data, Data] | None:
        """Return the smallest call, the right result, and the student's; None where they agree on it.

        Args:
            key: the digest of `call`.
            found: how the student's answer differs on `call`.
            wrong: the mistake that explains it, if one does.
            ask: makes a call of the student's answer.
            parity: "odd", "even" or both, for sizes and numbers that must stay so.
        """
        if wrong is None:
            small = self._shrunk(reference, call, found, _Bounded(ask), parity)
        else:
            small = self._of_mistake(reference, call, key, found, wrong, parity)
        seen = ask(replace(small, cotangents=None))
        if seen is None or (wrong is not None and apart(_plain(wrong.function, small), seen.result, None)):
            return None
        right = self._right_on(reference, small)
        return (small, right, seen.result) if apart(right, seen.result, found.tolerance) else None

    def _of_mistake(
        self,
        reference: Callable[..., Any],
        call: Call,
        key: bytes,
        found: Difference,
        wrong: Misconception,
        parity: Collection[str],
    ) -> Call:
        known = (wrong.identifier, key)
        if known not in self._known:
            shown = partial(_plain, wrong.function)
            self._known[known] = self._shrunk(reference, call, found, lambda each: Observation(shown(each)), parity)
        return self._known[known]

    def _shrunk(
        self, reference: Callable[..., Any], call: Call, found: Difference, answer: Ask, parity: Collection[str]
    ) -> Call:
        """Return the smallest call on which an answer is wrong in the way that was found, and the right one sound."""

        def still(smaller: Call) -> bool:
            right = self._right_on(reference, smaller)
            seen = answer(smaller) if _is_sound(right) else None
            return seen is not None and _is_same(found, right, seen.result)

        return shrunk(call, still, MOST_TRIES, parity)

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
    expected, shown = spelled_apart(in_full(right), in_full(got))
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


def shrunk(call: Call, still: Callable[[Call], bool], tries: int, parity: Collection[str] = ()) -> Call:
    """Return the smallest call that was found of which `still` holds; `call` itself if no smaller one has it.

    What is true of each argument (rows that sum to 1, a True in each row, whole numbers) stays true, and so does what
    relates their sizes (one divides another).

    Args:
        tries: how often `still` may be asked.
        parity: "odd", "even" or both, for sizes and numbers that stay so.
    """
    plain, bounds = replace(call, cotangents=None), bounds_of(call, parity)
    for step in (_rounder, fewer, _smaller, _emptier, _smaller):
        ahead = _keeping(plain, step, bounds)
        while (tried := next(ahead, None)) is not None:
            tries -= 1
            if tries < 0:
                return plain
            if still(tried):
                plain, ahead = tried, _keeping(tried, step, bounds)
    return plain


def _keeping(call: Call, step: Callable[[Call], Iterator[Call]], bounds: frozenset[Bound]) -> Iterator[Call]:
    """Yield the other calls of a step of whose arguments all is true that is true before, within the bounds."""
    before = [[(leaf, _facts(leaf)) for leaf in leaves(value)] for value in _values(call)]
    for tried in step(call):
        pairs = (
            pair
            for old, new in zip(before, _values(tried), strict=True)
            for pair in zip(old, leaves(new), strict=False)
        )
        alike = all(_same(old, new) or known <= _facts(new) for (old, known), new in pairs)
        if alike and _differ(call, tried) and within(bounds, tried):
            yield tried


def _smaller(call: Call) -> Iterator[Call]:
    """Yield calls in which one size is smaller, the largest first: of arrays, and of lists that are as long."""
    sizes = {size for leaf in leaves(_parts(call)) for size in getattr(leaf, "shape", ())}
    sizes |= {len(value) for value in _values(call) if isinstance(value, list)} | _dividing(call, sizes)
    for size in sorted(sizes, reverse=True):
        yield from _with_grid(call, size)
        for small in (each for each in SMALL if each < size):
            for change, whole in _resizes(size, small):
                yield _changed(call, partial(_resized, change, whole), partial(_cut, change))
        yield _changed(call, partial(_last, size), partial(_last_item, size))


def _dividing(call: Call, sizes: set[int]) -> set[int]:
    """Return the numbers that divide a size, such as that of the heads; not those that are among the ids."""
    numbers = {value for value in leaves(_parts(call)) if type(value) is int and value > 1}
    whole = [leaf for leaf in leaves(_arguments(call)) if "int" in str(getattr(leaf, "dtype", ""))]
    ids = {number for leaf in whole for number in leaf.reshape(-1).tolist()}
    return {number for number in numbers - ids if any(size % number == 0 for size in sizes)}


def _with_grid(call: Call, size: int) -> Iterator[Call]:
    """Yield calls in which a size that is rows times columns is smaller, and with it these two."""
    grids = {value for value in _values(call) if _is_grid(value) and math.prod(value) == size}
    for grid, small in ((grid, small) for grid in grids for small in GRIDS if math.prod(small) < size):
        change = partial(_replaced, size, math.prod(small))
        cut = _changed(call, partial(_resized, change, False), partial(_cut, change))
        args = tuple(small if value == grid and _is_grid(value) else value for value in cut.args)
        kwargs = {name: small if _is_grid(value) and value == grid else value for name, value in cut.kwargs.items()}
        yield replace(cut, args=args, kwargs=kwargs)


def _is_grid(value: Data) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and all(type(each) is int for each in value)


def _cut(change: Resize, items: list[Any]) -> list[Any]:
    return items[: change(len(items))]


def _resizes(size: int, small: int) -> Iterator[tuple[Resize, bool]]:
    """Yield what may become of the sizes if `size` becomes `small`: of its multiples too, and of whole numbers."""
    for whole in (False, True):
        yield partial(_replaced, size, small), whole
        yield partial(_scaled, size, small), whole


def _replaced(size: int, small: int, each: int) -> int:
    return small if each == size else each


def _scaled(size: int, small: int, each: int) -> int:
    return each // size * small if each % size == 0 else each


def _resized(change: Resize, whole: bool, leaf: Data) -> Data:
    if isinstance(leaf, torch.Tensor | np.ndarray):
        return leaf[tuple(slice(change(size)) for size in leaf.shape)]
    return change(leaf) if whole and type(leaf) is int and leaf > 1 else leaf


def _last(size: int, leaf: Data) -> Data:
    if not isinstance(leaf, torch.Tensor | np.ndarray):
        return leaf
    return leaf[tuple(slice(-1, None) if each == size else slice(None) for each in leaf.shape)]


def _last_item(size: int, items: list[Any]) -> list[Any]:
    return items[-1:] if len(items) == size else items


def _rounder(call: Call) -> Iterator[Call]:
    """Yield the call with whole numbers, or with one digit behind the point."""
    if any(_is_float(leaf) and not _same(_rounded(leaf, 10), leaf) for leaf in leaves(_parts(call))):
        yield _changed(call, lambda leaf: _rounded(leaf, 1) if _is_float(leaf) else leaf)
        yield _changed(call, lambda leaf: leaf.round() if _is_float(leaf) else leaf)
        yield _changed(call, lambda leaf: _rounded(leaf, 10) if _is_float(leaf) else leaf)


def _emptier(call: Call) -> Iterator[Call]:
    """Yield the call with one tensor of zeros."""
    for chosen in leaves(_parts(call)):
        if _is_float(chosen) and bool(chosen.any()):
            yield _changed(call, partial(_emptied, chosen))


def _emptied(chosen: torch.Tensor, leaf: Data) -> Data:
    return torch.zeros_like(chosen) if leaf is chosen else leaf


def _is_float(leaf: Data) -> bool:
    return isinstance(leaf, torch.Tensor) and leaf.is_floating_point() and not leaf.is_meta


def _rounded(leaf: torch.Tensor, parts: int) -> torch.Tensor:
    return (leaf * parts).round().clamp(-LARGEST_WHOLE * parts, LARGEST_WHOLE * parts) / parts + 0.0


def _parts(call: Call) -> list[Any]:
    build = call.build
    return [*_arguments(call), *([build.args, dict(build.kwargs), dict(build.state)] if build else [])]


def _changed(call: Call, leaf: Callable[[Data], Data], items: Callable[[Any], Any] | None = None) -> Call:
    """Return the call with each leaf of its arguments changed, and with `items` each list among them."""
    args, kwargs, *built = [mapped(part, leaf) for part in _parts(call)]
    if items:
        args = tuple(items(each) if isinstance(each, list) else each for each in args)
    build: Build | None = None
    if call.build:
        build = replace(call.build, args=built[0], kwargs=built[1], state=built[2])
    return replace(call, args=args, kwargs=kwargs, build=build)


def _arguments(call: Call) -> list[Any]:
    return [call.args, dict(call.kwargs)]


def _values(call: Call) -> list[Any]:
    return [*call.args, *call.kwargs.values()]


def _differ(before: Call, after: Call) -> bool:
    one, other = [*leaves(_parts(before))], [*leaves(_parts(after))]
    return len(one) != len(other) or not all(_same(old, new) for old, new in zip(one, other, strict=True))


def _same(old: Data, new: Data) -> bool:
    if type(old) is not type(new):
        return False
    if isinstance(old, torch.Tensor):
        return old.shape == new.shape and _equal(old, new)
    if isinstance(old, np.ndarray):
        return np.array_equal(old, new, equal_nan=old.dtype.kind == "f")
    return bool(old is new or (not isinstance(old, Part) and old == new))


def _equal(old: torch.Tensor, new: torch.Tensor) -> bool:
    """Return whether two tensors have the same numbers; here a NaN equals a NaN."""
    return bool(((old == new) | ((old != old) & (new != new))).all())


def _facts(leaf: Data) -> set[str]:
    """Return what is true of a tensor: of its rows, its numbers and its order."""
    if not isinstance(leaf, torch.Tensor | np.ndarray) or 0 in leaf.shape or not leaf.shape:
        return set()
    array = tensor(leaf)
    if array is None or array.is_meta or array.is_complex():
        return set()
    if array.dtype == torch.bool:
        return {"alive" if bool(array.any(-1).all()) else "dead"} if array.dim() > 1 else set()
    array = array.double()
    sums = array.sum(-1)
    known = {
        "positive": (array > 0).all(),
        "not negative": (array >= 0).all(),
        "at most 1": (array <= 1).all(),
        "rows of sum 1": torch.allclose(sums, torch.ones_like(sums), atol=1e-6),
        "rows of sum at most 1": (sums <= 1 + 1e-6).all() and (array >= 0).all(),
        "ascending": (array.diff(dim=-1) >= 0).all(),
        "whole": (array == array.round()).all(),
    }
    return {name for name, holds in known.items() if bool(holds)}
