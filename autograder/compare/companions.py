"""What is right beside a wrong number: the result beside a gradient, other gradients, other parts of a result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from autograder.calls.records import Observation
from autograder.compare.compare import apart, gradient_apart
from autograder.compare.describe import Names
from autograder.compare.difference import Difference, PathStep
from autograder.compare.words import place_of

MOST = 6
"""Of more parts or gradients nothing is said: a long list hides what it says."""


def companions(expected: Observation, got: Observation, found: Difference, names: Names) -> str:
    """Return what is right beside a wrong number, as the end of a sentence; "" where there is nothing to say."""
    if found.stage == "gradients" and found.rule in ("numbers", "unreached"):
        right, _ = _sides(_gradients(expected, got, found, names))
        gradients = "are the gradients" if len(right) > 1 else "is the gradient"
        others = f", and so {gradients} of {_all(right)}" if right else ""
        return f"; the result is right{others}"
    if found.stage == "values" and found.path:
        right, wrong = _sides(_parts(expected, got, found, names))
        others = f", {_all(wrong)} {_are(wrong)} not" if wrong else ""
        return f"; {_all(right)} {_are(right)} right{others}" if right else ""
    return ""


def _gradients(expected: Observation, got: Observation, found: Difference, names: Names) -> dict[str, bool]:
    """Return by name whether the other gradients are right."""
    wanted, seen = expected.gradients, got.gradients
    assert isinstance(wanted, Mapping)
    assert isinstance(seen, Mapping)
    return {
        names.argument(place): not gradient_apart(want, seen.get(place), found.tolerance)
        for place, want in wanted.items()
        if place != found.source
    }


def _parts(expected: Observation, got: Observation, found: Difference, names: Names) -> dict[str, bool]:
    """Return by name whether the other parts of a tuple are right."""
    wanted, seen = expected.result, got.result
    if not (isinstance(wanted, tuple) and isinstance(seen, tuple)):
        return {}
    places = [replace(found, path=(PathStep("item", number, len(wanted)),)) for number in range(len(wanted))]
    return {
        place_of(place, names, ""): not apart(want, have, found.tolerance)
        for place, want, have in zip(places, wanted, seen, strict=True)
        if place.path[0] != found.path[0]
    }


def _sides(companions: Mapping[str, bool]) -> tuple[list[str], list[str]]:
    """Return the names of what is right and of what is wrong; none where there are too many."""
    if len(companions) >= MOST:
        return [], []
    right = [name for name, is_right in companions.items() if is_right]
    return right, [name for name in companions if name not in right]


def _all(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def _are(names: Sequence[str]) -> str:
    return "are" if len(names) > 1 else "is"
