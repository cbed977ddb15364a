"""Questions about the shape of a variable or an expression in a line of an answer."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final, TypeAlias

import numpy as np
import torch

from autograder.asking.calls_to_ask import arguments, arrays, told_by_shape
from autograder.asking.changed_copies import Trial
from autograder.asking.own_code import ASKED, LONGEST, OwnCode, Spot
from autograder.asking.question import CHOICES, MOST_LINES, AskedAbout, CodeQuestion, Rows, mixed
from autograder.calls.records import Data
from autograder.suite.plan import PlannedCall

Shape: TypeAlias = tuple[int, ...]
LONGEST_PIECE: Final = 45
MOST_ROWS: Final = 8
PREFIX: Final = "spot"

Values: TypeAlias = Mapping[int, Data]
"""What each spot held, by its number, where the call has reached it."""


def definitions(own: OwnCode, spots: Sequence[Spot], prefix: str) -> dict[str, str]:
    """Return definitions that each return the value of a spot, by their names."""
    names = [f"{own.exercise}_{prefix}_{number}" for number in range(len(spots))]
    return {name: own.showing(spot, name) for name, spot in zip(names, spots, strict=True)}


def values(
    run: Trial, own: OwnCode, spots: Sequence[Spot], planned: PlannedCall, prefix: str = PREFIX
) -> dict[int, Data]:
    """Return what the spots hold in a call, where it reaches them; of those in a loop, the first time."""
    found: dict[int, Data] = {}
    for number in range(len(spots)):
        seen = run.run(planned.call, f"{own.exercise}_{prefix}_{number}")
        if seen and isinstance(seen.result, dict) and [*seen.result] == [ASKED]:
            found[number] = seen.result[ASKED]
    return found


def shape_questions(
    own: OwnCode, spots: Sequence[Spot], held: Values, planned: PlannedCall, rng: random.Random
) -> Iterator[CodeQuestion]:
    """Yield questions about shapes that are not those of an argument.

    Args:
        held: what the spots held in the planned call.
    """
    given = [_shape(each) for each in arrays(arguments(planned.call))]
    known = {number: _shape(value) for number, value in held.items() if isinstance(value, torch.Tensor | np.ndarray)}
    for number, shape in known.items():
        spot = spots[number]
        if not _is_worth_asking(spot, shape, given) or len(own.lines[spot.line - 1]) > LONGEST:
            continue
        wrong = _wrong(shape, [*given, *known.values()], rng)
        if len(wrong) < CHOICES - 1:
            continue
        choices, right = mixed(_text(shape), [*map(_text, wrong)], rng)
        yield CodeQuestion(
            own.exercise,
            "shape",
            _asks(own, spot),
            own.shown(spot.line, MOST_LINES),
            own.with_defaults(told_by_shape(planned)),
            choices,
            right,
            _rows(own, spots, known, number),
            AskedAbout(planned.call, spot.line, spot.words),
        )


def _asks(own: OwnCode, spot: Spot) -> str:
    when = " when the line runs for the first time" if spot.in_loop else ""
    line = own.number(spot.line)
    if spot.is_after:
        return f"What is the shape of `{spot.words}` after line {line}{when}?"
    return f"In line {line}, what is the shape of `{spot.words}`{when}?"


def _is_worth_asking(spot: Spot, shape: Shape, given: Sequence[Shape]) -> bool:
    return len(shape) >= 2 and shape not in given and len(spot.words) <= LONGEST_PIECE and len({*shape}) > 1


def _rows(own: OwnCode, spots: Sequence[Spot], known: Mapping[int, Shape], asked: int) -> Rows:
    """Return the shapes of a run up to the one that is asked for, the inner parts of each line first."""
    order = sorted(known, key=lambda number: (spots[number].line, spots[number].is_after, -number))
    order = order[: order.index(asked) + 1]
    rows = [(f"line {own.number(spots[each].line)}", f"{spots[each].words}: {_text(known[each])}") for each in order]
    return tuple(row for row in dict.fromkeys(rows) if len(row[1]) <= LONGEST)[-MOST_ROWS:]


def _wrong(right: Shape, others: Sequence[Shape], rng: random.Random) -> list[Shape]:
    """Return wrong shapes: with two axes exchanged, one lost, one too many, or that of something else."""
    found: list[Shape] = []
    for one, other in combinations(range(len(right)), 2):
        turned = [*right]
        turned[one], turned[other] = turned[other], turned[one]
        found.append(tuple(turned))
    rng.shuffle(found)
    near = [each for each in others if abs(len(each) - len(right)) <= 1 and len(each) > 1]
    sizes = sorted({size for each in others for size in each})
    more = [right[:-1], (*right[:-1], 1), *near]
    more += [(*right[:at], size, *right[at + 1 :]) for at in range(len(right)) for size in sizes]
    rng.shuffle(more)
    kept = [each for each in dict.fromkeys([*found[:2], *more, *found[2:]]) if each and 0 not in each and each != right]
    return kept[: CHOICES - 1]


def _shape(array: torch.Tensor | np.ndarray) -> Shape:
    return tuple(int(size) for size in array.shape)


def _text(shape: Shape) -> str:
    return f"({', '.join(map(str, shape))}{',' * (len(shape) == 1)})"
