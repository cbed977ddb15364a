"""A check as steps: calls that are the same for every submission, and whether the answers to them pass."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import BuiltinFunctionType, CellType, FunctionType, ModuleType
from typing import Any

import numpy as np
import torch

from autograder.calls.records import Call, Observation, Raised
from autograder.compare.compare import altered, difference
from autograder.compare.describe import Names
from autograder.compare.difference import Difference, Stated, Words
from autograder.core.message import stands_in

Passes = Callable[..., bool]
"""Whether what some calls showed passes a comparison."""

FIXED = (str, int, float, bool, type, torch.dtype, ModuleType, BuiltinFunctionType, type(None))


class UnsettledError(Exception):
    """A function refers to something that may change."""


@dataclass(frozen=True)
class Step:
    """One comparison of a check.

    `passes` takes what the calls showed. `names`, of axes and arguments, are there if agreement counts as evidence.
    """

    calls: tuple[Call, ...]
    digests: tuple[bytes, ...]
    passes: Passes
    names: Names | None = None


@dataclass
class Trace:
    """The steps of a check so far; `whole` is False once it has done what is no step."""

    steps: list[Step] = field(default_factory=list)
    whole: bool = True

    def add(
        self, calls: tuple[Call, ...], digests: tuple[bytes, ...], passes: Passes | None, names: Names | None
    ) -> None:
        """Add a step; without `passes` it is none that can be repeated."""
        if passes is None:
            self.whole = False
        else:
            self.steps.append(Step(calls, digests, passes, names))


def settled(value: Any) -> Any:
    """Return `value` with all that it refers to as it is now; for a function, that is its closure and defaults.

    Raises:
        UnsettledError: it refers to an object that may change.
    """
    if isinstance(value, FunctionType):
        cells = tuple(CellType(settled(cell.cell_contents)) for cell in value.__closure__ or ())
        same = FunctionType(value.__code__, value.__globals__, value.__name__, settled(value.__defaults__), cells)
        same.__kwdefaults__ = settled(value.__kwdefaults__)
        return same
    if isinstance(value, torch.Tensor):
        return value.clone()
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, list | tuple | set | frozenset):
        return type(value)(map(settled, value))
    if isinstance(value, dict):
        return {key: settled(item) for key, item in value.items()}
    if isinstance(value, partial):
        return partial(settled(value.func), *settled(value.args), **settled(value.keywords))
    if isinstance(value, FIXED):
        return value
    raise UnsettledError(type(value).__name__)


def other_refusal(wanted: Observation, got: Observation, naming: Sequence[str]) -> Difference | Stated | None:
    """Return how a call was not refused as it should be: with the error `wanted`, and a message that names `naming`."""
    if found := difference(wanted, got, until="outcome"):
        return found
    assert isinstance(wanted.result, Raised)
    message = got.result.message if isinstance(got.result, Raised) else ""
    lacking = " and ".join(part for part in naming if not stands_in(message, part))
    if not lacking:
        return None
    headline = f"the {wanted.result.kind} should name {lacking}"
    return Stated("outcome", Words(headline, f"a message with {lacking}", message or "no message"))


def property_of(expected: Sequence[Observation], holds: Callable[..., bool]) -> Passes | None:
    """Return whether answers pass; None if `holds` refers to what may change."""
    try:
        return partial(_held, expected, settled(holds))
    except (UnsettledError, RecursionError):
        return None


def _held(expected: Sequence[Observation], holds: Callable[..., bool], *got: Observation) -> bool:
    """Return whether answers have the expected form, and together the property."""
    alike = all(not (difference(*each, until="dtype") or altered(*each)) for each in zip(expected, got, strict=True))
    return alike and holds(*(seen.result for seen in got))
