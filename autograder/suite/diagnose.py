"""Name the mistake: find the known misconceptions whose answer is the student's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from autograder.course import Misconception
from autograder.observe import Call, Observation, Raised, observe
from autograder.suite.compare import difference
from autograder.suite.describe import Names


def explaining(
    known: Iterable[Misconception], call: Call, expected: Observation, got: Observation, names: Names
) -> Iterator[Misconception]:
    """Those of `known` that on this very call differ from `expected` and show exactly what `got` shows."""
    plain = Call(call.name, call.args, call.kwargs, call.build, call.cotangents)
    for wrong in known:
        seen = observe({call.name: wrong.function}, plain)
        if difference(expected, seen, names) and _equal(seen, got, names):
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
