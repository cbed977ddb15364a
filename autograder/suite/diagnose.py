"""Name the mistake: find the known misconceptions whose answer is the student's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from autograder.calls import Call, Observation, Raised
from autograder.course import Misconception
from autograder.suite.compare import difference
from autograder.suite.describe import Names
from autograder.suite.oracle import Oracle


def explaining(
    oracle: Oracle,
    known: Sequence[Misconception],
    call: Call,
    expected: Observation,
    got: Observation,
    names: Names,
) -> Iterator[Misconception]:
    """Those of `known` that on this very call differ from `expected` and show exactly what `got` shows."""
    shown = oracle.wrong(known, call)
    for wrong, seen in zip(known, shown, strict=True):
        if _equal(seen, got, names) and difference(expected, seen, names):
            yield wrong


def _equal(seen: Observation, got: Observation, names: Names) -> bool:
    if isinstance(seen.result, Raised) and isinstance(got.result, Raised):
        return _same_error(seen.result, got.result)
    if isinstance(seen.gradients, Raised):
        without = replace(seen, gradients=None, again=None), replace(got, gradients=None, again=None)
        return _same_error(seen.gradients, got.gradients) and difference(*without, names) is None
    return difference(seen, got, names) is None


def _same_error(seen: Raised, got: object) -> bool:
    return isinstance(got, Raised) and (seen.kind, seen.message) == (got.kind, got.message)
