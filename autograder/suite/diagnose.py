"""Name the mistake: find the known misconceptions whose answer is the student's."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

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


@dataclass(frozen=True)
class Seen:
    """One call of the exercise, what the student showed, and the names of its axes and arguments."""

    call: Call
    got: Observation
    names: Names


def explaining(
    oracle: Oracle, known: Sequence[Misconception], failed: Seen, expected: Observation, agreed: Sequence[Seen]
) -> list[Misconception]:
    """Those of `known` that explain what a failed call showed.

    They differ from `expected` on it and show exactly what the student's answer showed, on this call and on those
    calls of the same exercise where it agreed with the reference.
    """
    seen = oracle.wrong(known, failed.call)
    here = [
        wrong
        for wrong, shown in zip(known, seen, strict=True)
        if _equal(shown, failed.got, failed.names) and difference(expected, shown, failed.names)
    ]
    return [wrong for wrong in here if all(_shows(oracle, wrong, earlier) for earlier in agreed)]


def _shows(oracle: Oracle, wrong: Misconception, seen: Seen) -> bool:
    (shown,) = oracle.wrong([wrong], seen.call)
    return _equal(shown, seen.got, seen.names)


def _equal(seen: Observation, got: Observation, names: Names) -> bool:
    if isinstance(seen.result, Raised) and isinstance(got.result, Raised):
        return _same_error(seen.result, got.result)
    if isinstance(seen.gradients, Raised):
        without = replace(seen, gradients=None, again=None), replace(got, gradients=None, again=None)
        return _same_error(seen.gradients, got.gradients) and difference(*without, names) is None
    return difference(seen, got, names) is None


def _same_error(seen: Raised, got: object) -> bool:
    return isinstance(got, Raised) and (seen.kind, seen.message) == (got.kind, got.message)
