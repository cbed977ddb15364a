"""Name the mistake: find the known misconceptions whose answer is the student's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from autograder.calls import Call, Data, Observation, Raised
from autograder.course import Misconception
from autograder.suite.compare import Difference, difference
from autograder.suite.describe import Names
from autograder.suite.oracle import Oracle

_LIKE = "make it with the dtype and the device of what was given: torch.zeros(3, dtype=x.dtype, device=x.device)"
_NO_DATA = re.compile("meta tensor|register_meta", re.IGNORECASE)
_TROUBLES = (
    (
        _NO_DATA,
        "it looks at the numbers of a tensor that has none (device meta), so it cannot run without data",
        "work on whole tensors: no .item(), .tolist(), x[mask] or `if` about a tensor, nor functions that use them",
    ),
    (
        re.compile("is not on the expected device|on the same device", re.IGNORECASE),
        "it mixes devices: a tensor it makes lies on the default device, its arguments on another (here meta)",
        _LIKE,
    ),
    (
        re.compile("same dtype|expected scalar type|expected .* to have the same dtype", re.IGNORECASE),
        "it mixes dtypes: a tensor it makes is not of the dtype of its arguments",
        _LIKE,
    ),
)


def needs_data(result: Data) -> bool:
    """Whether a function looks at numbers, which meta tensors do not have."""
    return isinstance(result, Raised) and _NO_DATA.search(result.message) is not None


def trouble(got: Observation, found: Difference) -> tuple[str, str] | None:
    """What an error of torch's, or a wrong dtype, says in plain words, and what to do; None if nothing is known."""
    said = got.result.message if isinstance(got.result, Raised) else ""
    for pattern, headline, advice in _TROUBLES:
        if pattern.search(said):
            return f"{headline} ({found.headline})", advice
    return (found.headline, _LIKE) if found.stage == "dtype" else None


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
