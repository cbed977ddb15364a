"""Questions about one number, or a short result, of a call that is small enough for a pencil."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final, TypeAlias

import numpy as np
import torch

from autograder.asking.calls_to_ask import (
    arguments,
    as_doubles,
    in_words,
    is_sound,
    moves_numbers,
    numbers_in,
    told_in_full,
    with_two_decimals,
)
from autograder.asking.own_code import OwnCode, Spot
from autograder.asking.question import CHOICES, MOST_LINES, AskedAbout, CodeQuestion, mixed
from autograder.asking.shape_questions import Values
from autograder.calls.records import Data, leaves
from autograder.compare.example import in_full
from autograder.suite.plan import PlannedCall

Entry: TypeAlias = tuple[int | None, tuple[int, ...]]
LONGEST_RESULT: Final = 40
LONGEST_ROW: Final = 60
MOST_ENTRIES: Final = 9
ROUNDED: Final = " (Rounded to two decimals.)"
DECIMALS: Final = re.compile(r"\.\d\d$")
ORDINALS: Final = ("first", "second", "third", "fourth", "fifth", "sixth")
APART: Final = 0.12
"""By this share rounded choices differ at least."""


def number_questions(
    own: OwnCode,
    spots: Sequence[Spot],
    held: Values,
    planned: PlannedCall,
    results: tuple[Data, Sequence[Data]],
    elsewhere: Sequence[Data],
    rng: random.Random,
) -> Iterator[CodeQuestion]:
    """Yield questions about entries of the result, or about the result as a whole.

    Args:
        results: the result, and those of changed definitions.
        elsewhere: the results with other numbers in the call.
    """
    result, changed = results
    whole = _whole(result, changed)
    moved = numbers_in(arguments(planned.call)) if moves_numbers(planned.call, result) else ()
    of_numbers = _entries(result, changed, planned.names.parts, moved)
    found = of_numbers if whole is None else [(None, "What does it return?", whole)]
    rows = (*_rows(own, spots, held), ("result", in_full(result)))
    for entry, text, texts in found:
        if len(texts) < CHOICES or not _depends_on_numbers(entry, result, elsewhere):
            continue
        choices, right = mixed(texts[0], texts[1:CHOICES], rng)
        given, shown = own.with_defaults(told_in_full(planned)), own.shown(own.function.lineno, MOST_LINES)
        asked = AskedAbout(planned.call, entry=entry)
        yield CodeQuestion(own.exercise, "number", text, shown, given, choices, right, rows, asked)


def _whole(result: Data, changed: Sequence[Data]) -> list[str] | None:
    """Return a result as a text, and wrong ones; None where it is a number, or holds arrays or parts of numbers."""
    if isinstance(result, int) or any(isinstance(leaf, torch.Tensor | np.ndarray | float) for leaf in leaves(result)):
        return None
    texts = [in_full(each) for each in (result, *changed) if type(each) is type(result)]
    return [text for text in dict.fromkeys(texts) if len(text) <= LONGEST_RESULT]


def _entries(
    result: Data, changed: Sequence[Data], parts: Sequence[str], among: Collection[float]
) -> Iterator[tuple[Entry, str, list[str]]]:
    """Yield places of the result that a person would look at, what is asked, and the right and wrong numbers.

    Args:
        among: the numbers that the choices are taken from, if the answer only moves them.
    """
    every = result if isinstance(result, tuple) else (result,)
    for part, value in enumerate(every):
        numbers = _numbers(value)
        if numbers is None:
            continue
        place = part if isinstance(result, tuple) else None
        is_named = part < min(len(parts), len(ORDINALS))
        name = f" of the {ORDINALS[part]} result, `{parts[part]}`" if is_named else " of the result"
        for index in np.ndindex(numbers.shape):
            right = float(numbers[index])
            others = [other for each in changed if (other := _at(each, place, index)) is not None]
            if changed and not any(_are_apart(other, right) for other in others):
                continue  # a wrong step would not show here
            texts = _choices(right, [*others, *numbers.reshape(-1).tolist()], among)
            where = f"What is entry [{', '.join(map(str, index))}]{name}?" if index else "What does it return?"
            yield (place, index), where + (ROUNDED if any(map(DECIMALS.search, texts)) else ""), texts


def _depends_on_numbers(entry: Entry | None, result: Data, elsewhere: Sequence[Data]) -> bool:
    """Return whether an entry is another one with other numbers in the call."""
    sound = [each for each in elsewhere if is_sound(each)]
    if entry is None or not sound:
        return True
    found = {_at(each, *entry) for each in (result, *sound)}
    return len(found) > 1


def _numbers(value: Data) -> np.ndarray | None:
    if isinstance(value, bool) or not isinstance(value, torch.Tensor | np.ndarray | int | float):
        return None
    found = as_doubles(value)
    is_mask = isinstance(value, torch.Tensor | np.ndarray) and "bool" in str(value.dtype)
    return None if is_mask or found.size > MOST_ENTRIES else found


def _at(value: Data, part: int | None, index: tuple[int, ...]) -> float | None:
    if part is not None:
        value = value[part] if isinstance(value, tuple) and part < len(value) else None
    numbers = _numbers(value)
    inside = numbers is not None and len(index) == numbers.ndim
    if numbers is None or not inside or any(at >= size for at, size in zip(index, numbers.shape, strict=True)):
        return None
    return float(numbers[index])


def _choices(right: float, others: Sequence[float], among: Collection[float]) -> list[str]:
    """Return the right number and wrong ones, far enough apart that an estimate tells them apart.

    None is negative where no other number is.
    """
    kept = [right]
    near = (-right, right + 1, right * 2, right / 2, right - 1)
    has_signs = min([right, *others]) < 0
    more = (*among,) if among else tuple(each for each in near if has_signs or each >= 0)
    for each in (*(other for other in others if not among or round(other, 6) in among), *more):
        if len(kept) < CHOICES and math.isfinite(each) and all(_are_apart(each, other) for other in kept):
            kept.append(each)
    texts = [in_words(int(each) if each == int(each) else each) for each in kept]
    return [*map(with_two_decimals, kept)] if any(map(DECIMALS.search, texts)) else texts


def _are_apart(one: float, other: float) -> bool:
    return abs(one - other) > max(0.04, APART * max(abs(one), abs(other)))


def _rows(own: OwnCode, spots: Sequence[Spot], held: Values) -> Iterator[tuple[str, str]]:
    """Yield what the variables hold, in full, line by line; in a loop, the first time."""
    for number, spot in enumerate(spots):
        if spot.is_after and number in held and is_sound(held[number]):
            text = in_full(held[number])
            if len(text) <= LONGEST_ROW:
                yield f"line {own.number(spot.line)}", f"{spot.words} = {text}{' at first' * spot.in_loop}"
