"""Two known mistakes in one answer, and a mistake of another exercise that the answer shares."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from types import FunctionType
from typing import Any

from autograder.calls.quick_call import names_in
from autograder.course.model import Misconception, pair

Function = Callable[..., Any]


def composed(
    reference: Function, exercise: str, own: Sequence[Misconception], others: Sequence[Misconception]
) -> Iterator[Misconception]:
    """Yield the known mistakes of other exercises within this one, then pairs of this exercise's own mistakes.

    A known mistake is a function that calls right ones by their names; here one of them makes a mistake, too.

    Args:
        own: the known mistakes of `exercise`, whose right answer is `reference`.
        others: those of the exercises that it may call.
    """
    for other in others:
        if made := _with(reference, other):
            says = f"`{exercise}` shares a mistake of `{other.exercise}`: {lowered(other.says)}"
            yield replace(other, exercise=exercise, function=made, says=says)
    for one in own:
        for other in own:
            if one is not other and (made := _with(one.function, other)):
                yield pair(made, one, other)


def lowered(sentence: str) -> str:
    """Return a sentence as it is written after a colon."""
    first = sentence.split(" ")[0]
    return sentence[0].lower() + sentence[1:] if first == "A" or (first.isalpha() and first[1:].islower()) else sentence


def _with(function: Function, mistake: Misconception) -> Function | None:
    """Return `function` with the exercise of `mistake` replaced by it; None where it does not call that."""
    if not isinstance(function, FunctionType) or mistake.exercise not in names_in(function):
        return None
    scope = {**function.__globals__, mistake.exercise: mistake.function}
    made = FunctionType(function.__code__, scope, function.__name__, function.__defaults__, function.__closure__)
    made.__kwdefaults__ = function.__kwdefaults__
    return made
