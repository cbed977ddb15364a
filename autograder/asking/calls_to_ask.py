"""Calls to ask about: those that the checks make, and the smallest that a pencil can follow."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, TypeAlias

import numpy as np
import torch

from autograder.asking.question import CHOICES, Rows
from autograder.calls.records import Call, Data, Opaque, Part, Raised, leaves, mapped
from autograder.compare.describe import Names, named, number
from autograder.compare.example import in_full, shrunk
from autograder.compare.oracles import oracle_of
from autograder.course.course import Course
from autograder.course.model import Exercise
from autograder.suite.plan import PlannedCall
from autograder.suite.suites import Suites, with_suites

MOST_NUMBERS: Final = 20_000
"""In the arguments of a call: more take long to send."""
FEW_NUMBERS: Final = 12
"""In the arguments of a call that is followed with a pencil."""
FEW_PARAMETERS: Final = 4
"""Of an object: with more of them, no call is that small."""
LONGEST: Final = 70
LARGEST_SHOWN: Final = 1e12
TRIES: Final = 90
LARGEST: Final = 3.0
REDRAWN: Final = 4
FAR: Final = (-5.0, 5.0)
FORMS: Final = (torch.float64, torch.int64, torch.bool)

Plans: TypeAlias = dict[str, list[PlannedCall]]
Ask: TypeAlias = Callable[[Call], Data]


def planned_calls(course: Course, exercises: Sequence[Exercise], seed: int) -> Plans:
    """Return the calls that the checks of exercises make and that can be told, the clearest first.

    Raises:
        UsageError: the suites cannot be collected.
    """
    found: dict[str, list[tuple[int, PlannedCall]]] = {each.name: [] for each in exercises}

    def collect(suites: Suites) -> None:
        for check in suites.checks:
            if check.exercise in found and not check.is_live:
                for step in suites.plan(check, seed).steps:
                    for each in step.calls:
                        found[check.exercise].append((check.level != "values", each))

    for chapter in dict.fromkeys(each.chapter for each in exercises):
        with_suites(course, [course.suite(chapter)], oracle_of(course), seed, collect)
    return {name: _told(calls) for name, calls in found.items()}


def _told(calls: Sequence[tuple[int, PlannedCall]]) -> list[PlannedCall]:
    usable = [(rank, replace(each, call=_alone(each.call))) for rank, each in calls if _is_usable(each)]
    return [each for _, each in sorted(usable, key=lambda pair: (_coincidences(pair[1]), pair[0], _size(pair[1].call)))]


def is_short(rows: Rows) -> bool:
    """Return whether what a call is given can be read at a glance."""
    return sum(len(text) for _, text in rows) <= 2 * LONGEST and all(len(text) <= LONGEST for _, text in rows)


def _alone(call: Call) -> Call:
    """Return the call as the only one of its object, made once."""
    build = replace(call.build, earlier=(), training=False) if call.build else None
    return replace(call, build=build, cotangents=None, forbidden=(), welcome=(), once=True, room=None)


def _is_usable(planned: PlannedCall) -> bool:
    call = planned.call
    given = [*leaves(arguments(call))]
    if call.turns or call.device or not given or not all(map(_is_plain, given)) or _size(call) > MOST_NUMBERS:
        return False
    return is_sound(planned.right.result)


def _is_plain(leaf: Data) -> bool:
    if isinstance(leaf, torch.Tensor):
        return not leaf.is_meta and leaf.dtype in FORMS and 0 not in leaf.shape
    return not isinstance(leaf, Part | np.ndarray) or (isinstance(leaf, np.ndarray) and 0 not in leaf.shape)


def is_sound(result: Data) -> bool:
    """Return whether a result can be asked about: data without a NaN or an infinity."""
    if result is None or isinstance(result, Raised | Opaque):
        return False
    return not any(isinstance(leaf, Raised | Opaque | Part) or _is_odd(leaf) for leaf in leaves(result))


def _is_odd(leaf: Data) -> bool:
    if isinstance(leaf, torch.Tensor):
        return leaf.is_meta or leaf.is_complex() or not bool(leaf.isfinite().all())
    if isinstance(leaf, np.ndarray):
        return leaf.dtype.kind not in "biuf" or not bool(np.isfinite(leaf).all())
    return isinstance(leaf, int | float) and not abs(leaf) < LARGEST_SHOWN


def arguments(call: Call) -> list[Data]:
    """Return all that a call is given, its constructor's arguments too."""
    built = [call.build.args, dict(call.build.kwargs)] if call.build else []
    return [call.args, dict(call.kwargs), *built]


def arrays(value: Data) -> Iterator[torch.Tensor | np.ndarray]:
    """Yield the tensors and arrays in a value."""
    return (leaf for leaf in leaves(value) if isinstance(leaf, torch.Tensor | np.ndarray))


def as_doubles(value: Data) -> np.ndarray:
    """Return the numbers of an array or a single number in double precision; of True and False as 1 and 0."""
    return np.asarray(value.double() if isinstance(value, torch.Tensor) else value, dtype=np.float64)


def _coincidences(planned: PlannedCall) -> int:
    """Return how many sizes that a call is given are 1, or those of two axes, which hides what a step does."""
    found: set[tuple[str, int]] = set()
    ones = 0
    for name, value in _by_name(planned):
        if isinstance(value, torch.Tensor | np.ndarray):
            letters = planned.names.of_argument(name).letters(value.shape)
            pairs = zip(letters, value.shape, strict=True)
            found |= {(letter or f"{name} {axis}", size) for axis, (letter, size) in enumerate(pairs)}
        ones += type(value) is int and value == 1
    sizes = [size for _, size in found]
    return ones + sizes.count(1) + len(sizes) - len({*sizes})


def _size(call: Call) -> int:
    state = call.build.state if call.build else {}
    return sum(math.prod(each.shape) for each in arrays([arguments(call), dict(state)]))


def _by_name(planned: PlannedCall) -> Iterator[tuple[str, Data]]:
    given = named(planned.names.arguments, planned.call.args, planned.call.kwargs)
    yield from (
        (name or planned.names.argument(f"argument {place}"), value) for place, (name, value) in enumerate(given)
    )


def told_by_shape(planned: PlannedCall) -> Rows:
    """Return what a call is given, arrays by their shapes with the letters of the docstring."""
    call, names = planned.call, planned.names
    built = [] if call.build is None else [*named(names.built, call.build.args, call.build.kwargs)]
    rows = [(name, shape_of(value, Names())) for name, value in built]
    rows += [(name, shape_of(value, names.of_argument(name))) for name, value in _by_name(planned)]
    return tuple((name or "argument", text) for name, text in rows)


def shape_of(value: Data, names: Names) -> str:
    """Return a value as a call is told: an array by its shape, anything else in full."""
    if isinstance(value, torch.Tensor | np.ndarray):
        kind = str(value.dtype).removeprefix("torch.")
        kinds = {"bool": ", True or False", "int64": ", whole numbers"}
        return f"{names.shape(value.shape)}{kinds.get(kind, '')}" if value.shape else "an array of shape ()"
    if isinstance(value, list | tuple) and any(True for _ in arrays(value)):
        inner = ", ".join(shape_of(item, Names(names.axes)) for item in value)
        return f"[{inner}]" if isinstance(value, list) else f"({inner})"
    return in_full(value)


def told_in_full(planned: PlannedCall) -> Rows:
    """Return what a call is given, with all numbers, those of the parameters too."""
    call, names = planned.call, planned.names
    built = [] if call.build is None else [*named(names.built, call.build.args, call.build.kwargs)]
    state = [*call.build.state.items()] if call.build else []
    rows = [*built, *state, *_by_name(planned)]
    return tuple((name or "argument", in_full(value)) for name, value in rows)


def smallest(planned: Sequence[PlannedCall], ask: Ask, parity: Collection[str]) -> Iterator[PlannedCall]:
    """Yield small calls with small whole numbers whose results a pencil can find and are worth finding.

    Args:
        ask: returns the result of a call.
        parity: "odd", "even" or both, for sizes and numbers that must stay so.
    """
    for each in planned:
        if each.call.build and len(each.call.build.state) > FEW_PARAMETERS:
            continue
        still = partial(_is_telling, ask=ask, moves=moves_numbers(each.call, ask(each.call)))
        call = next((call for call in (with_whole_numbers(each.call), each.call) if still(call)), None)
        if call is None:
            continue
        small = replace(each, call=shrunk(call, still, TRIES, parity))
        given = sum(math.prod(leaf.shape) for leaf in _all_arrays(small.call))
        if given <= FEW_NUMBERS and _is_whole(small.call) and is_short(told_in_full(small)):
            yield small


def with_whole_numbers(call: Call) -> Call:
    """Return the call with small whole numbers in the place of all others."""
    return _with_arrays(call, _rounded)


def _rounded(array: torch.Tensor | np.ndarray) -> torch.Tensor | np.ndarray:
    """Return whole numbers for those of a bell curve; others, such as probabilities, would lose what they are."""
    if "float" not in str(array.dtype) or not bool((array < 0).any()):
        return array
    if isinstance(array, torch.Tensor):
        return (2 * array).round().clamp(-LARGEST, LARGEST) + 0.0
    return np.asarray(np.clip(np.round(2 * array), -LARGEST, LARGEST) + 0.0)


def _is_whole(call: Call) -> bool:
    """Return whether all numbers are whole, or shares with one digit behind the point."""
    floats = (as_doubles(array) for array in _all_arrays(call) if "float" in str(array.dtype))
    parts = ((array, 1 if bool((array < 0).any()) else 10) for array in floats)
    return all(np.allclose(count * array, (count * array).round(), rtol=0, atol=1e-9) for array, count in parts)


def moves_numbers(call: Call, result: Data) -> bool:
    """Return whether the result holds only numbers that the call is given, or 0 and 1."""
    found = numbers_in(result)
    return found <= {*numbers_in(arguments(call)), *(0.0, 1.0)}


def numbers_in(value: Data) -> set[float]:
    flat = (
        leaf.reshape(-1).tolist() if isinstance(leaf, torch.Tensor | np.ndarray) else [leaf] for leaf in leaves(value)
    )
    return {round(each, 6) for row in flat for each in row if isinstance(each, int | float)}


def only_reshapes(call: Call, result: Data) -> bool:
    """Return whether a result has the numbers of an argument in the same order, in another shape."""
    given, found = ([as_doubles(each) for each in arrays(value)] for value in (arguments(call), result))
    return any(one.shape != other.shape and [*one.flat] == [*other.flat] for one in given for other in found)


def _all_arrays(call: Call) -> Iterator[torch.Tensor | np.ndarray]:
    return arrays([arguments(call), dict(call.build.state) if call.build else {}])


def _is_telling(call: Call, ask: Ask, *, moves: bool) -> bool:
    """Return whether neither what a call is given nor its result is zero, or one number, throughout.

    Args:
        moves: whether the results hold numbers that were given, in other places; otherwise one must be new.
    """
    result = ask(call)
    if not is_sound(result) or (not moves and moves_numbers(call, result)):
        return False
    found = [*arrays(result)]
    if moves and (only_reshapes(call, result) or len(numbers_in(arguments(call))) < CHOICES):
        return False
    telling = all(_varies(each) and (not each.shape or math.prod(each.shape) > 1) for each in found[:1])
    given = (each for each in _all_arrays(call) if not _is_mask(each))
    return telling and (bool(found) or bool(result)) and all(map(_varies, given))


def _is_mask(array: torch.Tensor | np.ndarray) -> bool:
    return "bool" in str(array.dtype)


def _varies(array: torch.Tensor | np.ndarray) -> bool:
    """Return whether an array holds several numbers, or one that is not zero where it has no other place."""
    flat = array.reshape(-1).tolist()
    return len({*flat}) > 1 or (len(flat) == 1 and bool(flat[0]))


def in_words(value: float | int | bool) -> str:
    """Return a number as a choice shows it: exact where it is short, else rounded to two decimals."""
    exact = number(value)
    return exact if len(exact) <= 5 or isinstance(value, int) else with_two_decimals(value)


def with_two_decimals(value: float) -> str:
    """Return a number rounded to two decimals; no zero has a minus."""
    return f"{round(value, 2) + 0.0:.2f}"


def others_like(call: Call, rng: random.Random) -> list[Call]:
    """Return calls that are told by shape in the same words: with the numbers in another order, and with others.

    The last ones are extreme, for what only some numbers show, such as those above a border.
    """
    made = torch.Generator().manual_seed(rng.getrandbits(32))
    drawn = [_with_arrays(call, partial(_redrawn, made)) for _ in range(REDRAWN)]
    return [_with_arrays(call, _flipped), *drawn, *(_with_arrays(drawn[0], partial(_moved, by)) for by in FAR)]


def _with_arrays(call: Call, change: Callable[[torch.Tensor | np.ndarray], Data]) -> Call:
    def leaf(value: Data) -> Data:
        return change(value) if isinstance(value, torch.Tensor | np.ndarray) else value

    args, kwargs = mapped((call.args, dict(call.kwargs)), leaf)
    build = call.build and replace(call.build, state={name: leaf(each) for name, each in call.build.state.items()})
    return replace(call, args=args, kwargs=kwargs, build=build)


def _flipped(array: torch.Tensor | np.ndarray) -> torch.Tensor | np.ndarray:
    if isinstance(array, torch.Tensor):
        return array.flatten().flip(0).reshape(array.shape)
    return array.reshape(-1)[::-1].reshape(array.shape).copy()


def _moved(by: float, array: torch.Tensor | np.ndarray) -> torch.Tensor | np.ndarray:
    """Return numbers that are all large, or all small; of a mask, one with a row that allows nothing."""
    if not _is_mask(array):
        return array + by if "float" in str(array.dtype) else array
    made = array.clone() if isinstance(array, torch.Tensor) else array.copy()
    if by < 0 and made.ndim > 1:
        made[..., 0, :] = False
    return made


def _redrawn(made: torch.Generator, array: torch.Tensor | np.ndarray) -> torch.Tensor | np.ndarray:
    """Return other numbers of the same kind: of whole ones, such as ids, between the smallest and the largest."""
    if isinstance(array, np.ndarray):
        return np.asarray(_redrawn(made, torch.from_numpy(array.copy()))) if array.dtype.kind in "biuf" else array
    if array.is_floating_point():
        return torch.randn(array.shape, generator=made, dtype=array.dtype)
    low, high = (0, 1) if array.dtype == torch.bool else (int(array.min()), int(array.max()))
    return torch.randint(low, high + 1, array.shape, generator=made).to(array.dtype)
