"""How much an answer says of its cause: one count or a common error may come from any of several mistakes."""

from __future__ import annotations

import math
import re
from fractions import Fraction

from autograder.calls.records import Data, leaves
from autograder.compare.compare import tensor
from autograder.compare.composed import lowered

ENOUGH = 3
"""This many numbers are not wrong in the same way by chance; a NaN, an error or a yes may be."""

COMMON = re.compile(r"out of range|by zero|'NoneType' object (is not sub|has)|^(Key|Assertion|Recursion)Error\b|: $")
"""An error that many mistakes raise."""

SMALL, CLOSE = 100, 1e-7
"""A number this close to a fraction with a denominator no larger may come from counting."""


def guessed(says: str) -> str:
    """Return the sentence about a mistake as a guess."""
    return f"It may be this: {lowered(says)}"


def is_common(error: str) -> bool:
    """Return whether an error, its kind and its text, says little of its cause."""
    return COMMON.search(error) is not None


def entries_of(value: Data) -> int:
    """Return how many values there are; a number that is no small fraction counts as many as it takes to be sure."""
    found = int(isinstance(value, list | tuple | dict))
    for leaf in leaves(value):
        array = tensor(leaf)
        numbers = array.flatten().tolist() if array is not None else [leaf] if isinstance(leaf, float) else []
        odd = any(isinstance(number, float) and _is_odd(number) for number in numbers[:ENOUGH])
        found += max(ENOUGH * odd, len(numbers), len(leaf.split()) if isinstance(leaf, str) else 0, 1)
    return found


def _is_odd(number: float) -> bool:
    """Return whether a number is no fraction that small counts may give by chance."""
    if not math.isfinite(number):
        return True
    return abs(float(Fraction(number).limit_denominator(SMALL)) - number) > CLOSE * abs(number)
