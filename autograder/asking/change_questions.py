"""Questions about one change of one line: an error, another shape, other numbers, or the same result?"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
import torch

from autograder.asking.calls_to_ask import arrays, as_doubles, is_sound, others_like, shape_of, told_by_shape
from autograder.asking.changed_copies import Trial
from autograder.asking.line_changes import LineChange
from autograder.asking.own_code import OwnCode
from autograder.asking.question import MOST_LINES, AskedAbout, CodeQuestion, Rows
from autograder.calls.records import Call, Data, Raised, leaves, matches
from autograder.compare.describe import Names, bare
from autograder.compare.describe import number as number_text
from autograder.compare.describe import short as cut
from autograder.suite.plan import PlannedCall

Outcome: TypeAlias = Literal["error", "shape", "numbers", "same"]
OUTCOMES: Final[tuple[Outcome, ...]] = get_args(Outcome)
PREFIX: Final = "change"
EXACT: Final = 1e-9
CLEAR: Final = 0.02
"""Numbers that differ by less than this share look like rounding."""
ERRORS: Final = ("RuntimeError", "ValueError", "IndexError")
ABOUT_SIZES: Final = re.compile(r"[Ss]ize|[Ss]hape|[Dd]imension|broadcast|out of (range|bounds)")
OF_A_LIBRARY: Final = re.compile(r"should have|[Ee]xpected \d|Given |argument|range of \[-1, 0\]")
"""Errors that follow from the code are about sizes; others need a library's manual."""
WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "array": ("an error", "a result of another shape", "the same shape, with other numbers", "the same result"),
    "mask": ("an error", "a result of another shape", "the same shape, with other entries", "the same result"),
    "list": ("an error", "a result of another length", "the same length, with other entries", "the same result"),
    "value": ("an error", "another value", "the same value"),
}


class TriedChange(NamedTuple):
    """A change, what it leads to, and what the changed definition returned or raised."""

    number: int
    change: LineChange
    outcome: Outcome
    result: Data


def tried(
    run: Trial, own: OwnCode, changes: Sequence[LineChange], call: Call, right: Data, rng: random.Random
) -> Iterator[TriedChange]:
    """Yield the changes whose outcome is clear, and the same whatever the numbers in the call are."""
    others = [
        (each, seen.result) for each in others_like(call, rng) if (seen := run.run(each)) and is_sound(seen.result)
    ]
    if not others:
        return
    for number, change in enumerate(changes):
        name = f"{own.exercise}_{PREFIX}_{number}"
        seen = run.run(call, name)
        outcome = seen and outcome_of(right, seen.result)
        if own.takes_memory and outcome in ("numbers", "same"):
            continue
        if seen and outcome and all(_leads_to(run, outcome, name, *other) for other in others):
            yield TriedChange(number, change, outcome, seen.result)


def _leads_to(run: Trial, outcome: Outcome, name: str, call: Call, right: Data) -> bool:
    seen = run.run(call, name)
    return seen is not None and outcome_of(right, seen.result) == outcome


def outcome_of(right: Data, got: Data) -> Outcome | None:
    """Return what a change leads to; None where that is not clear."""
    if isinstance(got, Raised):
        is_clear = ABOUT_SIZES.search(got.message) and not OF_A_LIBRARY.search(got.message)
        return "error" if is_clear and got.kind in ERRORS else None
    if not is_sound(got):
        return None
    if not matches(right, got, same_form):
        return _other_form(right, got)
    pairs = [*zip(leaves(right), leaves(got), strict=True)]
    if all(_differ(one, other) <= EXACT for one, other in pairs):
        return "same"
    return "numbers" if any(_differ(one, other) > CLEAR for one, other in pairs) else None


def same_form(one: Data, other: Data) -> bool:
    """Return whether two arrays have one dtype and one shape; anything else has."""
    if isinstance(one, torch.Tensor | np.ndarray):
        return one.dtype == other.dtype and tuple(one.shape) == tuple(other.shape)
    return True


def _other_form(right: Data, got: Data) -> Outcome | None:
    """Return "shape" where only the shapes or lengths differ; None where types do."""
    if isinstance(right, torch.Tensor | np.ndarray):
        same = type(right) is type(got) and right.dtype == got.dtype
        return "shape" if same and tuple(right.shape) != tuple(got.shape) and 0 not in got.shape else None
    if isinstance(right, tuple) and isinstance(got, tuple) and len(right) == len(got):
        found = {_other_form(*pair) for pair in zip(right, got, strict=True) if not matches(*pair, same_form)}
        return "shape" if found == {"shape"} else None
    if isinstance(right, list) and isinstance(got, list) and len(right) != len(got):
        return "shape"
    return None


def _differ(one: Data, other: Data) -> float:
    """Return by which share of the largest number two values differ; infinity where they are no numbers."""
    if isinstance(one, torch.Tensor | np.ndarray):
        left, right = as_doubles(one), as_doubles(other)
        size = max(float(np.abs(left).max(initial=0)), float(np.abs(right).max(initial=0)))
        return float(np.abs(left - right).max(initial=0)) / size if size else 0.0
    if isinstance(one, bool | str) or one is None:
        return 0.0 if one == other else math.inf
    size = max(abs(one), abs(other))
    return abs(one - other) / size if size else 0.0


def form_of(result: Data) -> str:
    """Return which words suit a result: "array", "mask", "list" or "value"."""
    large = [each for each in arrays(result) if math.prod(each.shape) > 1]
    if large:
        return "mask" if all("bool" in str(each.dtype) for each in large) else "array"
    return "list" if isinstance(result, list | dict) else "value"


def change_questions(
    own: OwnCode, found: Sequence[TriedChange], planned: PlannedCall, right: Data, mistakes: Mapping[int, str]
) -> Iterator[CodeQuestion]:
    """Yield a question about each change.

    Args:
        mistakes: what the course says of changes that are known mistakes, by their numbers.
    """
    form = form_of(right)
    for number, change, outcome, result in found:
        if form == "value" and outcome == "shape":
            continue
        line = own.number(change.line)
        yield CodeQuestion(
            own.exercise,
            "change",
            f"What would this call give if line {line} were changed like this?",
            own.shown(change.line, MOST_LINES),
            own.with_defaults(told_by_shape(planned)),
            WORDS[form],
            _choice(outcome, form),
            _rows(right, result),
            AskedAbout(planned.call, change.line, change.after),
            ((f"line {line} now", change.before), ("changed to", change.after)),
            outcome,
            mistakes.get(number, ""),
        )


def _choice(outcome: Outcome, form: str) -> int:
    place = OUTCOMES.index(outcome)
    return place - 1 if form == "value" and place > 0 else place


def _rows(right: Data, got: Data) -> Rows:
    if isinstance(got, Raised):
        return ("now", shape_of(right, Names())), ("changed", f"{got.kind}: {cut(bare(got))}")
    rows = ("now", shape_of(right, Names())), ("changed", shape_of(got, Names()))
    return rows if rows[0][1] != rows[1][1] else (*rows, *_first_difference(right, got))


def _first_difference(right: Data, got: Data) -> Iterator[tuple[str, str]]:
    """Yield the first numbers in which two results of one form differ clearly."""
    for one, other in zip(leaves(right), leaves(got), strict=True):
        if isinstance(one, torch.Tensor | np.ndarray) and _differ(one, other) > EXACT:
            index = tuple(int(at) for at in np.argwhere(as_doubles(one) != as_doubles(other))[-1])
            place = f"entry [{', '.join(map(str, index))}]" if index else "the number"
            yield place, f"{number_text(one[index].item())} now, {number_text(other[index].item())} changed"
            return
    yield "all entries", "equal"
