"""An answer beside the right one, and the picture of both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from autograder.calls.records import Absent, Call, Data, Observation, Raised
from autograder.compare.compare import difference
from autograder.compare.describe import Names, describe, describe_call
from autograder.compare.grid import AS_EXPECTED, Axis, Picture, cut, drawable, limit_of
from autograder.compare.words import words

View = Callable[[Any], Any]


@dataclass(frozen=True)
class Sight:
    """One call made on both sides, and how to look at its answer."""

    call: Call
    expected: Observation
    got: Observation
    names: Names = field(default_factory=Names)
    part: int | None = None
    rows: Axis = field(default_factory=Axis)
    columns: Axis = field(default_factory=Axis)
    view: View | None = None

    @property
    def says(self) -> str:
        """The first difference in one line, "" if there is none."""
        found = difference(self.expected, self.got, until="values")
        return words(found, self.names).headline if found else ""


def picture_of(sight: Sight) -> Picture | str:
    """Return the picture of an answer; a text if it cannot be drawn."""
    want: Any = sight.expected.result
    have: Any = sight.got.result
    title = describe_call(sight.call, sight.names)
    shown = ""
    if sight.part is not None or _is_pair(want):
        number = _first_differing(want, have) if sight.part is None else sight.part
        shown = f"result[{number}]"
        want, have = want[number], _member(have, number)
    seen = [_viewed(sight.view, value) for value in (want, have)]
    if any(value is None for value in seen):  # the view does not fit a wrong answer, so show both as they are
        seen = [want, have]
    expected, got = (drawable(value) for value in seen)
    if expected is None:
        both = [f"expected  {describe(want, sight.names)}", f"yours     {describe(have, sight.names)}"]
        return "\n".join([title, sight.says or AS_EXPECTED, *both])
    columns = Axis("", tuple(want)) if isinstance(want, dict) and not sight.columns.places else sight.columns
    boolean = str(getattr(want, "dtype", "")).endswith("bool")
    return Picture(title, sight.says, shown, *cut(expected, got, limit_of(want)), sight.rows, columns, boolean)


def _is_pair(value: Data) -> bool:
    return isinstance(value, tuple | list) and bool(value) and drawable(value[0]) is not None


def _first_differing(want: Sequence[Data], have: Data) -> int:
    pairs = [(each, _member(have, number)) for number, each in enumerate(want)]
    differing = (number for number, pair in enumerate(pairs) if difference(Observation(pair[0]), Observation(pair[1])))
    return next((number for number in differing if drawable(want[number]) is not None), 0)


def _member(value: Data, number: int) -> Data:
    usable = isinstance(value, tuple | list) and len(value) > number
    return value[number] if usable else value


def _viewed(view: View | None, value: Data) -> Data:
    if view is None or value is None or isinstance(value, Raised | Absent):
        return value
    try:
        return view(value)
    except (RuntimeError, IndexError, TypeError, AttributeError):
        return None
