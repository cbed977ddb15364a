"""Whether two answers to one call show the same, and whether its right answer is random."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch

from autograder.calls.quick_call import glance
from autograder.calls.records import Call, Data, Observation, Opaque, Raised, leaves
from autograder.compare.compare import LENIENT, apart, difference, tensor
from autograder.compare.sketch import without_order


def is_random(function: Callable[..., Any], call: Call) -> bool:
    """Return whether the result of a call depends on the seed, so that two right answers may differ."""
    plain = replace(call, forbidden=())
    return apart(glance(function, plain), glance(function, replace(plain, seed=call.seed + 1)), LENIENT) is not None


def numbers_in(seen: Observation) -> torch.Tensor:
    """Return all numbers of an answer in a row."""
    arrays = [tensor(leaf) for leaf in leaves(seen.result)]
    rows = [leaf.flatten() for leaf in arrays if leaf is not None and not leaf.is_meta]
    rows = [torch.view_as_real(row.resolve_conj()).flatten() if row.is_complex() else row.double() for row in rows]
    return torch.cat(rows) if rows else torch.zeros(0)


def alike(shown: Observation, got: Observation, tolerance: float | None = None) -> bool:
    """Return whether a known mistake shows what the student's answer showed."""
    if isinstance(shown.result, Raised) and isinstance(got.result, Raised):
        return _same_error(shown.result, got.result)
    if isinstance(shown.result, Opaque) and not (isinstance(got.result, Opaque) and shown.result == got.result):
        return False
    if isinstance(shown.result, float) and isinstance(got.result, int):
        return False  # a whole number that is wrong is not the float that rounds to it
    if isinstance(shown.gradients, Raised):
        without = replace(shown, gradients=None, again=None), replace(got, gradients=None, again=None)
        return _same_error(shown.gradients, got.gradients) and difference(*without) is None
    return difference(shown, got, tolerance=tolerance) is None


def is_other(one: Data, other: Data) -> bool:
    """Return whether two results, neither of which is an error, differ by more than rounding."""
    return not isinstance(other, Raised) and apart(one, other, LENIENT) is not None


def _same_error(shown: Raised, got: object) -> bool:
    if not isinstance(got, Raised) or shown.kind != got.kind:
        return False
    return without_order(shown.message) == without_order(got.message)
