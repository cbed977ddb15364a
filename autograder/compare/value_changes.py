"""Changes of one argument: a sign, an order, a size, a number more or less."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
import torch

from autograder.calls.records import Data
from autograder.compare.result_changes import ArrayChange, rearrangements


def value_changes(name: str, value: Data) -> Iterator[tuple[str, str, Callable[[Any], Any]]]:
    """Yield ids, words and changes for one argument."""
    if isinstance(value, bool):
        yield "opposite", f"`{name}` were {not value}", lambda given: not given
    elif isinstance(value, int):
        yield "one-more", f"`{name}` were one larger", lambda given: given + 1
        yield "one-less", f"`{name}` were one smaller", lambda given: given - 1
    elif isinstance(value, float):
        yield "complement", f"`{name}` were 1 − `{name}`", lambda given: 1 - given
        yield "squared", f"`{name}` were squared", lambda given: given**2
        yield "inverse", f"`{name}` were 1 / `{name}`", lambda given: 1 / given if given else given
        yield "no", f"`{name}` were 0", lambda given: 0 * given
    elif isinstance(value, torch.Tensor | np.ndarray) and value.shape:
        yield from ((kind, words, partial(_on_array, change)) for kind, words, change in _tensor_changes(name, value))


def _on_array(change: ArrayChange, given: Any) -> Any:
    return change(torch.from_numpy(given)).numpy() if isinstance(given, np.ndarray) else change(given)


def _tensor_changes(name: str, value: Any) -> Iterator[tuple[str, str, ArrayChange]]:
    axes = len(value.shape)
    floats = "float" in str(value.dtype)
    if "bool" in str(value.dtype):
        yield "inverts", f"True and False were exchanged in `{name}`", torch.logical_not
        yield "all-true", f"`{name}` were True everywhere", torch.ones_like
    if floats:
        yield "negates", f"`{name}` had the opposite sign", torch.neg
        yield "zero", f"`{name}` were 0 everywhere", torch.zeros_like
        yield "positive", f"`{name}` had no negative numbers (its absolute values)", torch.abs
        yield "relu", f"the negative numbers in `{name}` were 0", torch.relu
        yield from _scaled(name, axes)
        yield from _without_ends(name, axes)
    if axes == 1 and "bool" not in str(value.dtype):
        yield "from-zero", f"`{name}` were counted from its first entry (that one taken off)", lambda x: x - x[:1]
        yield "places", f"`{name}` were 0, 1, 2, …", lambda x: torch.arange(len(x), dtype=x.dtype, device=x.device)
    if axes > 1:
        yield "first-of", f"each item of the batch had the first one's `{name}`", lambda x: x[:1].expand_as(x)
        yield "last-of", f"each item of the batch had the last one's `{name}`", lambda x: x[-1:].expand_as(x)
    for one, other in combinations(range(axes), 2):
        if value.shape[one] == value.shape[other]:
            swapped = partial(torch.Tensor.transpose, dim0=one, dim1=other)
            yield f"swaps-{one}-{other}", f"axes {one} and {other} of `{name}` were swapped", swapped
    yield from ((identifier, f"`{name}` were {words}", step) for identifier, words, step in rearrangements(axes))


def _scaled(name: str, axes: int) -> Iterator[tuple[str, str, ArrayChange]]:
    yield "twice", f"`{name}` were multiplied by 2", lambda x: 2 * x
    yield "half", f"`{name}` were divided by 2", lambda x: x / 2
    roots = [f"the square root of `{name}.shape[{axis}]`" for axis in range(axes)]
    for axis, root in enumerate(roots):
        yield f"times-root-{axis}", f"`{name}` were multiplied by {root}", partial(_times_root, axis=axis)
        yield f"by-root-{axis}", f"`{name}` were divided by {root}", partial(_by_root, axis=axis)
        if axis + 1 < axes:
            as_if = f"`{name}` were divided by {root} instead of {roots[-1]}"
            yield f"by-root-{axis}-for-last", as_if, partial(_times_root, axis=-1, other=axis)


def _times_root(x: torch.Tensor, axis: int, other: int | None = None) -> torch.Tensor:
    """Return x times the root of an axis's size, divided by that of another one."""
    return x * math.sqrt(x.shape[axis]) / math.sqrt(1 if other is None else max(x.shape[other], 1))


def _by_root(x: torch.Tensor, axis: int) -> torch.Tensor:
    return x / math.sqrt(max(x.shape[axis], 1))


def _without_ends(name: str, axes: int) -> Iterator[tuple[str, str, ArrayChange]]:
    for axis in range(axes):
        which = f" along axis {axis}" if axes > 1 else ""
        yield f"no-first-{axis}", f"the first of `{name}`{which} were 0", partial(_zeroed, axis=axis, place=0)
        yield f"no-last-{axis}", f"the last of `{name}`{which} were 0", partial(_zeroed, axis=axis, place=-1)


def _zeroed(x: torch.Tensor, axis: int, place: int) -> torch.Tensor:
    changed = x.clone()
    if x.shape[axis]:
        changed.select(axis, place).zero_()
    return changed
