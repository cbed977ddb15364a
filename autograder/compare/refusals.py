"""Calls that are accepted though they should be refused, or refused though they should be accepted, by their sizes."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import torch

from autograder.calls.records import Call, Data, Observation, Raised
from autograder.compare.describe import Names, a_or_an, describe, named
from autograder.compare.difference import Difference, Stated
from autograder.core.text import join_names

OWN = ("ValueError", "TypeError", "AssertionError")


def refusal(call: Call, expected: Observation, found: Difference | Stated, names: Names) -> str:
    """Return a headline with the arguments that should be refused, or should not; "" where they are not known."""
    if not isinstance(found, Difference) or found.path:
        return ""
    want, have = expected.result, found.have
    if found.rule == "not raised" and isinstance(want, Raised) and not isinstance(have, Raised):
        about = _about(call, want.message, names) or _single(call, names)
        return f"{about} should be refused with {_a(found.want.kind)}" if about else ""
    if found.rule == "raised" and isinstance(have, Raised) and _is_own(have):
        about = _about(call, have.message, names)
        which = f", with {about}" if about else ""
        return f"it refuses a call that it should accept{which} (it raised {describe(have, names)})"
    return ""


def _is_own(raised: Raised) -> bool:
    """Return whether the answer itself says that it refuses."""
    return raised.kind in OWN and raised.is_own


def _a(kind: str) -> str:
    return f"an {kind}" if kind[0] in "AEIOU" else a_or_an(kind)


def _about(call: Call, message: str, names: Names) -> str:
    """Return the arguments with a number, or an axis of a size, that an error names."""
    numbers = {abs(float(number)) for number in re.findall(r"\d+(?:\.\d+)?(?:e-?\d+)?", message)}
    found = [(name, value) for name, value in _given(call, names) if _sizes(value) & numbers]
    return join_names(_shown(name, value, names) for name, value in found)


def _single(call: Call, names: Names) -> str:
    """Return the one number among the arguments; "" if there are none or several."""
    numbers = [(name, value) for name, value in _given(call, names) if _is_number(value)]
    return _shown(*numbers[0], names) if len(numbers) == 1 else ""


def _given(call: Call, names: Names) -> Iterator[tuple[str, Data]]:
    if call.build is not None:
        yield from named(names.built, call.build.args, call.build.kwargs)
    if not call.turns:
        yield from named(names.arguments, call.args, call.kwargs)


def _is_number(value: Data) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _sizes(value: Data) -> set[float]:
    if isinstance(value, torch.Tensor | np.ndarray):
        return {float(size) for size in value.shape}
    return {abs(float(value))} if _is_number(value) else set()


def _shown(name: str, value: Data, names: Names) -> str:
    if isinstance(value, torch.Tensor | np.ndarray):
        return f"`{name}` {names.of_argument(name).shape(value.shape)}"
    return f"`{name}={describe(value, names)}`"
