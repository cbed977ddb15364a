"""Right answers that break one promise which all exercises make: of state, mode, precision, gradients, sizes, ids.

Each is the solution with a line below it that applies one function of `spoilt.py`.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from autograder.author.proof import spoilt
from autograder.author.proof.mutate import Mutant
from autograder.course.course import Course
from autograder.course.model import Exercise

AXES = range(3)
OPERATOR = "Spoiler"
NOTICED: Final = {
    "first_kept": "call one object twice, with values of the same shape: `build=module(..., after=[called(...)])`",
    "frozen": "ask for gradients: `gradients=True`",
    "gradient_left": "give it a tensor of floats: what a call leaves there is looked at in every check",
    "half_lost": "ask `agree.keeps_dtype_and_device(...)`",
    "kept_by_shape": "call it twice in one check, with other values of the same shapes",
    "last_kept": "call one object first with the argument, then without: `build=module(..., after=[called(...)])`",
    "one_buffer": "begin a check with a call without `gradients=True`, which is made again with its values in reverse",
    "without_gradient": "ask for gradients: `gradients=True`",
    "wrong_for_first_zero": "give it ids that begin with 0",
    "wrong_for_one": "give it an argument whose axis of that number has size 1",
    "wrong_in": "call it in that mode: `build=module(..., training=True)`, or without",
}
"""The check that notices a spoiler, by the name of its function in `spoilt.py`."""
_PART = re.compile(r"self\.(\w+)\s*(?::[^=\n]*)?=")


@dataclass(frozen=True)
class Spoiler:
    """A call of a function of `spoilt.py`, and one that tells whether it can do harm at all.

    Where checks do not notice the `probe` either, the exercise does not promise what the spoiler breaks.
    """

    applied: str
    probe: str


def spoilers(right: Any) -> Iterator[Spoiler]:
    """Yield the spoilers that the signature of a right answer allows."""
    yield Spoiler("kept_by_shape()", "is_called()")
    yield Spoiler("half_lost()", "has_half()")
    is_class = isinstance(right, type)
    if is_class:
        yield from (Spoiler(f"wrong_in({training})", "is_called()") for training in (True, False))
        yield from (Spoiler(f"frozen({name!r})", f"has_part({name!r})") for name in _parts(right))
    if parameters := _parameters(right):
        yield Spoiler("one_buffer()", "has_memory()")
    for name, may_be_absent in parameters.items():
        if is_class:
            yield Spoiler(f"first_kept({name!r})", f"is_given({name!r})")
        if is_class and may_be_absent:
            yield Spoiler(f"last_kept({name!r})", f"is_given({name!r})")
        yield Spoiler(f"without_gradient({name!r})", f"has_float({name!r})")
        yield Spoiler(f"gradient_left({name!r})", f"has_float({name!r})")
        yield from (Spoiler(f"wrong_for_one({name!r}, {axis})", f"has_axis({name!r}, {axis})") for axis in AXES)
        yield Spoiler(f"wrong_for_first_zero({name!r})", f"has_ids({name!r})")


def explained(applied: str) -> str:
    """Return what a spoiler breaks, and the check that notices it."""
    name = applied.partition("(")[0]
    return f"{inspect.getdoc(getattr(spoilt, name))} To notice it, {NOTICED[name]}."


def _parameters(right: Any) -> dict[str, bool]:
    """Return the parameters of a function or of a class's methods, and whether they may be left out."""
    public = (value for name, value in vars(right).items() if name == "__call__" or not name.startswith("_"))
    functions = filter(inspect.isfunction, public) if isinstance(right, type) else [right]
    each = [parameter for function in functions for parameter in inspect.signature(function).parameters.values()]
    absent = {one.name for one in each if one.default is None}
    return {one.name: one.name in absent for one in each if one.name != "self"}


def _parts(right: type) -> Sequence[str]:
    """Return the names of what a new object holds."""
    source = textwrap.dedent(inspect.getsource(right.__init__))  # type: ignore[misc]
    return [*dict.fromkeys(_PART.findall(source))]


def spoiled(chapter: str, exercise: str, applied: str) -> str:
    """Return the text of a chapter with a spoiler applied to an exercise."""
    return f"{chapter}\n\n{_text()}\n\n{exercise} = {applied}({exercise})\n"


@cache
def _text() -> str:
    return Path(spoilt.__file__).read_text(encoding="utf-8")


def promises_broken(course: Course, exercise: Exercise) -> list[tuple[Mutant, Mutant]]:
    """Return each spoiler of an exercise and its probe, as wrong answers."""
    text = course.solution(exercise.chapter).read_text(encoding="utf-8")
    right = getattr(course.reference(exercise.chapter), exercise.name)

    def made(applied: str) -> Mutant:
        return Mutant(exercise.name, "", applied, 1, OPERATOR, spoiled(text, exercise.name, applied))

    return [(made(each.applied), made(each.probe)) for each in spoilers(right)]
