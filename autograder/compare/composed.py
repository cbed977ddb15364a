"""Known mistakes in another form: two in one answer, one of another exercise, one in some of the calls only."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product
from types import FunctionType
from typing import Any

import numpy as np
import torch

from autograder.calls.quick_call import names_in
from autograder.calls.records import Build, Call, Data
from autograder.compare.describe import Names
from autograder.core.text import join_names
from autograder.course.model import Misconception, pair

Function = Callable[..., Any]

Called = tuple[Call, Names]

Features = Callable[[Call, Names], Iterator[str]]

FEW = 2
"""Of fewer calls on either side, sizes differ by chance."""

LONG = 16

ITEMS = {0: "no item", 1: "one item"}


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


def condition(those: Sequence[Called], not_those: Sequence[Called], *, is_sure: bool = False) -> str:
    """Return what holds of all of `those` calls and of none of the others, as "with a `mask`"; "" if nothing.

    Args:
        those, not_those: calls of the same exercise, with the names of their arguments.
        is_sure: return nothing where it is one call in which several arguments are odd.
    """
    found = _separating(_features, those, not_those)
    if not found and min(len(those), len(not_those)) >= FEW:
        found = _separating(_sizes, those, not_those)
    doubtful = is_sure and len(those) == 1 and not _of_one_argument(found)
    return "" if doubtful or not found else _joined(found)


def _of_one_argument(found: Sequence[str]) -> bool:
    """Return whether all features are about the same argument, so that one call is enough to say which matters."""
    about = [{*re.findall(r"`([^`.=]+)", feature)} or {feature} for feature in found]
    return bool(about) and bool(set.intersection(*about))


def _joined(found: Sequence[str]) -> str:
    """Return the first of several features; of how many axes there are, the arguments that have as many."""
    axes = re.compile(r"where (`\w+`) has (\d+ axes)")
    first = axes.fullmatch(found[0])
    alike = [each[1] for each in map(axes.fullmatch, found) if each and first and each[2] == first[2]]
    return f"where {join_names(alike)} have {first[2]}" if first and alike[1:] else found[0]


def _separating(features: Features, those: Sequence[Called], not_those: Sequence[Called]) -> list[str]:
    """Return the features that all of `those` calls have and none of the others."""
    common = [*dict.fromkeys(features(*those[0]))]
    for each in those[1:]:
        own = {*features(*each)}
        common = [feature for feature in common if feature in own]
    others = [{*features(*each)} for each in not_those] if common else []
    return [feature for feature in common if not any(feature in own for own in others)]


def _features(call: Call, names: Names) -> Iterator[str]:
    if call.turns:
        return
    known, given = _arguments(call, names)
    yield from _given(given, known)
    if call.build:
        yield "in training" if call.build.training else "in evaluation"
    for name, value in given.items():
        yield from _about(name, value)
    yield from _beside(given)
    if call.build:  # last: a check seldom varies what an object is built with alone
        yield from _built(call.build, names)


def _arguments(call: Call, names: Names) -> tuple[list[str], dict[str, Data]]:
    known = [name for name in names.arguments if not name.startswith("*")]
    return known, {**dict(zip(known, call.args, strict=False)), **call.kwargs}


def _given(given: Mapping[str, Data], known: Sequence[str]) -> Iterator[str]:
    for name in known:
        yield f"{'with' if given.get(name) is not None else 'without'} {_one(name)}"


def _one(name: str) -> str:
    """Return an argument's name as a noun: a `mask`, an `index`, `labels`."""
    return f"`{name}`" if name.endswith("s") else f"{'an' if name[0] in 'aeio' else 'a'} `{name}`"


def _built(build: Build, names: Names) -> Iterator[str]:
    given = {**dict(zip(names.built, build.args, strict=False)), **build.kwargs}
    for name, value in given.items():
        if isinstance(value, bool) or _is_word(value):
            yield f"with `{name}={value!r}`"
        elif isinstance(value, int):
            yield f"where `{name}` is {'more than 1' if value > 1 else value}"


def _about(name: str, value: Any) -> Iterator[str]:
    if isinstance(value, bool) or _is_word(value):
        yield f"with `{name}={value!r}`"
    elif isinstance(value, int | float):
        yield f"where `{name}` is 0" if value == 0 else f"where `{name}` is not 0"
        yield f"where `{name}` is {'1' if value == 1 else 'not 1'}"
    elif isinstance(value, list | tuple):
        yield f"where `{name}` holds {ITEMS.get(len(value), 'several items')}"
        yield from _repeated(name, value)
    elif isinstance(value, torch.Tensor | np.ndarray):
        yield f"where `{name}` has {value.ndim} {'axis' if value.ndim == 1 else 'axes'}"
        if value.ndim:
            yield f"where `{name}` holds {ITEMS.get(len(value), 'several items')}"
        yield from (
            f"where axis {axis} of `{name}` has size {size}" for axis, size in enumerate(value.shape) if size < 2
        )
        if isinstance(value, torch.Tensor) and not value.is_meta:
            yield from _numbers(name, value)


def _repeated(name: str, value: Sequence[Any]) -> Iterator[str]:
    """Yield which items of a list of texts or numbers stand in it twice."""
    if not all(isinstance(item, str | int) for item in value):
        return
    yield f"where `{name}` holds an item twice" if len({*value}) < len(value) else f"where all of `{name}` differ"
    if value and value[-1] in value[:-1]:
        yield f"where the last of `{name}` stands in it before"


def _is_word(value: Any) -> bool:
    """Return whether this is the name of a choice, such as "gelu", and no text to work on."""
    return isinstance(value, str) and value.isidentifier() and len(value) < LONG


def _numbers(name: str, value: torch.Tensor) -> Iterator[str]:
    yield f"where `{name}` is {str(value.dtype).removeprefix('torch.')}"
    if value.dtype == torch.bool and value.dim():
        yield from _rows(name, value)
    elif value.is_floating_point():
        yield f"where `{name}` has a negative number" if bool((value < 0).any()) else f"where `{name}` is not negative"


def _beside(given: Mapping[str, Data]) -> Iterator[str]:
    """Yield which arguments with equally many axes have the same shape, and which have not."""
    arrays = {name: value.shape for name, value in given.items() if isinstance(value, torch.Tensor | np.ndarray)}
    for (one, a), (other, b) in combinations(arrays.items(), 2):
        if len(a) == len(b):
            yield f"where `{one}` and `{other}` have {'the same shape' if a == b else 'different shapes'}"


def _sizes(call: Call, names: Names) -> Iterator[str]:
    """Yield which sizes are equal, and which numbers, lengths and axes are larger than others."""
    if call.turns:
        return
    built = {**dict(zip(names.built, call.build.args, strict=False)), **call.build.kwargs} if call.build else {}
    given = {**built, **_arguments(call, names)[1]}
    arrays = {name: value.shape for name, value in given.items() if isinstance(value, torch.Tensor | np.ndarray)}
    for name, shape in arrays.items():
        for one, other in combinations(range(len(shape)), 2):
            if shape[one] == shape[other] > 1:
                yield f"where axes {one} and {other} of `{name}` have the same size"
    for (name, a), (beside, b) in combinations(arrays.items(), 2):
        for axis in (-1, -2):
            if min(len(a), len(b)) >= -axis:
                yield from _larger(f"`{name}.shape[{axis}]`", a[axis], f"`{beside}.shape[{axis}]`", b[axis])
    counts = [*_counts(given)]
    axes = [(f"`{name}.shape[{axis}]`", size) for name, shape in arrays.items() for axis, size in enumerate(shape)]
    for first, second in (*combinations(counts, 2), *product(counts, axes)):
        yield from _larger(*first, *second)


def _larger(one: str, a: int, other: str, b: int) -> Iterator[str]:
    """Yield how two sizes compare; first that they differ, all that is known if they never do it the other way."""
    yield f"where {one} equals {other}" if a == b else f"where {one} and {other} differ"
    if a != b:
        yield f"where {one} is {'larger' if a > b else 'smaller'} than {other}"


def _counts(given: Mapping[str, Data]) -> Iterator[tuple[str, int]]:
    """Yield the whole numbers among arguments, and the lengths of lists and texts, each with what it is called."""
    for name, value in given.items():
        if isinstance(value, list | tuple | str):
            yield f"the length of `{name}`", len(value)
        elif isinstance(value, int) and not isinstance(value, bool):
            yield f"`{name}`", value


def _rows(name: str, mask: torch.Tensor) -> Iterator[str]:
    full = bool(mask.any(dim=-1).all())
    yield f"where every row of `{name}` has a True" if full else f"where a row of `{name}` has no True"
