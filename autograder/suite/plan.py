"""What a check asks, as data: calls with their right answers, and whether answers to them are wrong.

A plan is the same for every submission, so a check's function runs once for each seed, with the reference alone.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from types import CellType, FunctionType
from typing import Any, TypeAlias

import numpy as np
import torch

from autograder.calls.records import Call, Observation
from autograder.compare.describe import Names
from autograder.compare.difference import Difference, Stated
from autograder.core.errors import BrokenCheckError
from autograder.core.lru import Latest

MOST_PASSED = 64
"""Answers to a step that are remembered to have passed."""


@dataclass(frozen=True)
class PlannedCall:
    """A call that a step makes, the right answer, and the names of its axes and arguments; none of it changes."""

    call: Call
    right: Observation
    names: Names


@dataclass(frozen=True)
class StepFault:
    """What is wrong with the answers to a step: with one of its calls, or with all of them `together`."""

    number: int
    found: Difference | Stated
    together: bool = False


FaultOf: TypeAlias = Callable[..., StepFault | None]
"""Takes what the calls of a step showed, and returns what is wrong."""


@dataclass(frozen=True)
class Step:
    """One comparison of a check.

    Args:
        calls: made in this order.
        fault: what is wrong with the answers.
        exact: only the expected numbers pass.
        telling: agreement counts as evidence against known mistakes.
        form_alone: it asks for the form of an answer, and for no number.
        otherwise: the steps that count instead for an answer that needs data where there is none; None: it fails.
    """

    calls: tuple[PlannedCall, ...]
    fault: FaultOf
    exact: bool = False
    telling: bool = False
    form_alone: bool = False
    otherwise: tuple[Step, ...] | None = None
    passed: Latest[tuple[bytes, ...], bool] = field(default_factory=partial(Latest, MOST_PASSED), compare=False)


@dataclass(frozen=True)
class Plan:
    """The steps of a check, and the error that ended it after them, if one did."""

    steps: tuple[Step, ...]
    error: Exception | None = None


NO_PLAN = Plan((), BrokenCheckError("it reached no verdict"))


def as_now(value: Any, seen: dict[int, Any] | None = None) -> Any:
    """Return `value` with all that it refers to as it is now; for a function, that is its closure and defaults.

    So a check may state a property in a loop, and go on to change what it has drawn.
    """
    seen = {} if seen is None else seen
    if id(value) in seen:
        return seen[id(value)]
    if isinstance(value, FunctionType):
        return _function_as_now(value, seen)
    if isinstance(value, torch.Tensor):
        return value.clone()
    if isinstance(value, np.ndarray):
        return value.copy()
    if type(value) in (list, tuple, set, frozenset):
        return type(value)(as_now(each, seen) for each in value)
    if type(value) is dict:
        return {key: as_now(item, seen) for key, item in value.items()}
    if isinstance(value, partial):
        return partial(as_now(value.func, seen), *as_now(value.args, seen), **as_now(value.keywords, seen))
    return value


def _function_as_now(function: FunctionType, seen: dict[int, Any]) -> FunctionType:
    cells = [CellType() for _ in function.__closure__ or ()]
    same = FunctionType(function.__code__, function.__globals__, function.__name__, None, tuple(cells))
    seen[id(function)] = same  # it may refer to itself
    for cell, now in zip(cells, function.__closure__ or (), strict=True):
        with suppress(ValueError):  # a variable without a value has none later either
            cell.cell_contents = as_now(now.cell_contents, seen)
    same.__defaults__ = as_now(function.__defaults__, seen)
    same.__kwdefaults__ = as_now(function.__kwdefaults__, seen)
    return same
