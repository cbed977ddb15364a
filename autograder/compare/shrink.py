"""The smallest call on which an answer is still wrong: sizes towards 1 and 2, numbers towards small whole ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from operator import itemgetter
from typing import Any, TypeAlias

import numpy as np
import torch

from autograder.calls.records import Build, Call, Data, Part, leaves, mapped
from autograder.compare.compare import tensor

Resize: TypeAlias = Callable[[int], int]

SMALL = (1, 2, 3)
LARGEST_WHOLE = 3.0


def shrunk(call: Call, still: Callable[[Call], bool], tries: int) -> Call:
    """Return the smallest call that was found of which `still` holds; `call` itself if no smaller one has it.

    What is true of each argument (rows that sum to 1, a True in each row, whole numbers) stays true.

    Args:
        tries: how often `still` may be asked.
    """
    plain = replace(call, cotangents=None)
    for step in (_rounder, _smaller, _emptier, _smaller):
        ahead = _keeping(plain, step)
        while (tried := next(ahead, None)) is not None:
            tries -= 1
            if tries < 0:
                return plain
            if still(tried):
                plain, ahead = tried, _keeping(tried, step)
    return plain


def _keeping(call: Call, step: Callable[[Call], Iterator[Call]]) -> Iterator[Call]:
    """Yield the other calls of a step of whose arguments all is true that is true before."""
    before = [(leaf, _facts(leaf)) for leaf in leaves(_given(call))]
    for tried in step(call):
        pairs = zip(before, leaves(_given(tried)), strict=False)
        if _differ(call, tried) and all(_same(old, new) or known <= _facts(new) for (old, known), new in pairs):
            yield tried


def _smaller(call: Call) -> Iterator[Call]:
    """Yield calls in which one size is smaller, the largest first; then those with fewer items in a list."""
    sizes = {size for leaf in leaves(_parts(call)) for size in getattr(leaf, "shape", ())}
    for size in sorted(sizes, reverse=True):
        for small in (each for each in SMALL if each < size):
            for change in _resizes(size, small):
                yield _changed(call, partial(_resized, *change))
        yield _changed(call, partial(_last, size))
    for small in SMALL:
        yield _changed(call, lambda leaf: leaf, itemgetter(slice(small)))


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
    return [*_given(call), *([build.args, dict(build.kwargs), dict(build.state)] if build else [])]


def _changed(call: Call, leaf: Callable[[Data], Data], items: Callable[[Any], Any] | None = None) -> Call:
    """Return the call with each leaf of its arguments changed, and with `items` each list among them."""
    args, kwargs, *built = [mapped(part, leaf) for part in _parts(call)]
    if items:
        args = tuple(items(each) if isinstance(each, list) else each for each in args)
    build: Build | None = None
    if call.build:
        build = replace(call.build, args=built[0], kwargs=built[1], state=built[2])
    return replace(call, args=args, kwargs=kwargs, build=build)


def _given(call: Call) -> list[Any]:
    return [call.args, dict(call.kwargs)]


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
