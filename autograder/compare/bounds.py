"""What relates the sizes and numbers of a call, and stays true as the call gets smaller: the bounds of its docstring.

Nobody writes these bounds down for the engine. So all that might be one stays: a size that a number repeats, one that
divides another, K at most T, rows times columns, ids below the size of their table.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, Final, Literal, TypeAlias

import numpy as np
import torch

from autograder.calls.records import Call

Kind: TypeAlias = Literal["size", "table", "number", "product", "id"]
"""What a quantity is: an axis or a length, an axis that ids may point into, an int, a product, or the largest id."""

Bound: TypeAlias = tuple[str, int, int]
"""A relation between two quantities of a call, by their places; some are about one, named twice."""

_TRUE: Final[Mapping[str, Callable[[int, int], bool]]] = {
    "odd": lambda one, _: one % 2 == 1,
    "even": lambda one, _: one % 2 == 0,
    "equal": lambda one, other: one == other,
    "divides": lambda one, other: 0 < one <= other and other % one == 0,
    "at most": lambda one, other: one <= other,
    "below": lambda one, other: one < other,
}
SIZES: Final = ("size", "table")


def bounds_of(call: Call, parity: Collection[str] = ()) -> frozenset[Bound]:
    """Return the relations between the quantities of a call.

    Args:
        parity: "odd", "even" or both, for what stays so.
    """
    found = [*enumerate(_quantities(call))]
    return frozenset(
        (relation, one, other)
        for one, (whose, kind, value) in found
        for other, (others, other_kind, other_value) in found
        for relation in (parity if one == other else _relations(kind, other_kind, apart=whose != others))
        if _TRUE[relation](value, other_value)
    )


def within(bounds: frozenset[Bound], call: Call) -> bool:
    """Return whether the relations still hold for a smaller call."""
    values = [value for _, _, value in _quantities(call)]
    return all(
        one < len(values) and other < len(values) and _TRUE[relation](values[one], values[other])
        for relation, one, other in bounds
    )


def _relations(kind: Kind, other: Kind, *, apart: bool) -> tuple[str, ...]:
    """Return the relations that may count between two quantities, which stand `apart` in two arguments or in one."""
    if kind == "id":
        return ("below",) if other == "table" else ()
    if not apart or other == "id" or (kind not in SIZES and other not in SIZES):
        return ()
    if "product" in (kind, other):
        return ("equal",)
    return ("equal", "divides", "at most") if kind in SIZES and other in SIZES else ("equal", "divides")


def _quantities(call: Call) -> Iterator[tuple[int, Kind, int]]:
    """Yield the sizes and numbers of all arguments, those of the constructor too, with the place of the argument."""
    build = call.build
    values = [*call.args, *call.kwargs.values(), *([*build.args, *build.kwargs.values()] if build else [])]
    for place, value in enumerate(values):
        yield from ((place, kind, quantity) for kind, quantity in _of(value))


def _of(value: Any) -> Iterator[tuple[Kind, int]]:
    if isinstance(value, torch.Tensor | np.ndarray):
        whole = "int" in str(value.dtype)
        for axis, size in enumerate(value.shape):
            yield ("table" if len(value.shape) > 1 == len(value.shape) - axis and not whole else "size"), int(size)
        if whole and 0 not in value.shape and not (isinstance(value, torch.Tensor) and value.is_meta):
            yield "id", int(value.max())
    elif isinstance(value, int) and not isinstance(value, bool):
        yield "number", value
    elif isinstance(value, tuple) and value and all(type(each) is int for each in value):
        yield "product", math.prod(value)
        yield from (("number", each) for each in value)
    elif isinstance(value, list | tuple | dict):
        yield "size", len(value)
