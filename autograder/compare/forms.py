"""Answers that are wrong in their form alone: a list for a tuple, another dtype, an argument that was changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

import numpy as np
import torch

from autograder.calls.records import Data, Observation, leaves
from autograder.calls.side_effects import (
    EARLIER_ANSWER,
    GRADIENT_OF_ARGUMENT,
    GRADIENT_OF_PARAMETER,
    KEPT_FOR_AN_OBJECT,
)
from autograder.compare.compare import apart, is_module
from autograder.core.form import Form

PLAIN_DATA = bool, int, float, str, type(None), torch.Tensor, np.ndarray

LEFT_BEHIND: Final[dict[str, Form]] = {
    GRADIENT_OF_ARGUMENT: "gradient",
    GRADIENT_OF_PARAMETER: "gradient",
    EARLIER_ANSWER: "answer",
    KEPT_FOR_AN_OBJECT: "kept",
}
"""What a call may leave behind that no number shows."""


def in_right_form(right: Observation, got: Observation) -> tuple[Observation, frozenset[Form]]:
    """Return what a call showed in the form of the right answer, and which faults of form it had.

    No number changes, but for those that were written into arguments: none of an answer's, nor of a module's state.
    """
    found: set[Form] = set()
    result = _formed(right.result, got.result, found)
    again = result if got.again is got.result else _formed(right.again, got.again, found)
    arguments = tuple(_given(right, got, found))
    left = {name for name in got.changed if name in LEFT_BEHIND and name not in right.changed}
    found.update(LEFT_BEHIND[name] for name in left)
    changed = tuple(name for name in got.changed if name not in left and not _is_restored(name, right, arguments))
    return replace(got, result=result, again=again, arguments=arguments, changed=changed), frozenset(found)


def _formed(want: Data, have: Data, found: set[Form]) -> Data:
    """Return `have` with the lists, tuples and dtypes of `want`; where the two have no parts in common, as it is."""
    if is_module(want) or is_module(have):
        return have
    if isinstance(want, list | tuple) and isinstance(have, list | tuple) and len(want) == len(have):
        if isinstance(want, list) != isinstance(have, list):
            found.add("list" if isinstance(have, list) else "tuple")
        return type(want)(_formed(one, other, found) for one, other in zip(want, have, strict=True))
    if isinstance(want, dict) and isinstance(have, dict):
        return {key: _formed(want[key], item, found) if key in want else item for key, item in have.items()}
    return _cast(want, have, found)


def _cast(want: Data, have: Data, found: set[Form]) -> Data:
    """Return a float tensor or array with the dtype of the right one."""
    tensors = isinstance(want, torch.Tensor) and isinstance(have, torch.Tensor)
    arrays = isinstance(want, np.ndarray) and isinstance(have, np.ndarray)
    if not (tensors or arrays) or want.dtype == have.dtype or not (_is_float(want) and _is_float(have)):
        return have
    found.add("float32" if have.dtype in (torch.float32, np.float32) else "dtype")
    return have.to(want.dtype) if tensors else have.astype(want.dtype)


def _is_float(value: Any) -> bool:
    return value.is_floating_point() if isinstance(value, torch.Tensor) else value.dtype.kind == "f"


def _given(right: Observation, got: Observation, found: set[Form]) -> Iterator[Data]:
    """Yield the arguments after the call, those of plain data as the call should have left them."""
    for number, have in enumerate(got.arguments):
        want = right.arguments[number] if number < len(right.arguments) else have
        if not _is_plain(want):
            yield have
            continue
        if f"argument {number}" in got.changed or apart(want, have):
            found.add("argument")
        yield want


def _is_plain(value: Data) -> bool:
    """Return whether a value is data alone: a call may exist to change a module or another object."""
    inside_module = is_module(value) or (isinstance(value, dict) and "mode" in value)
    return not inside_module and all(isinstance(leaf, PLAIN_DATA) for leaf in leaves(value))


def _is_restored(changed: str, right: Observation, arguments: tuple[Data, ...]) -> bool:
    """Return whether this is an argument that is as it should be again."""
    kind, _, number = changed.rpartition(" ")
    inside = kind == "argument" and number.isdigit() and changed not in right.changed
    return inside and int(number) < len(arguments) and _is_plain(arguments[int(number)])
