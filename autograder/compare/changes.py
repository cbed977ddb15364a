"""Answers that differ from the right one by one change: of an argument, of a parameter, or of the result.

Where no known mistake explains an answer, one of these may: the reference is called with an argument left out, with
two exchanged, and so on. A change says what the answer does, not why; so its sentences say "as if".
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations, permutations
from operator import itemgetter
from typing import Any

import numpy as np
import torch

from autograder.calls.records import Call, Data, Part
from autograder.compare.change import Change, Function, Wrap
from autograder.compare.parameter_changes import parameter_changes, tied
from autograder.compare.result_changes import on_part, result_changes
from autograder.compare.value_changes import value_changes
from autograder.course.model import Misconception

Given = dict[str, Any]


def changed(reference: Function, call: Call, expected: Data, parts: Sequence[str] = ()) -> Iterator[Misconception]:
    """Yield the reference with each change that the call's arguments, parameters and result allow.

    Args:
        reference: the right function, or the class of the object that is called.
        expected: the right result of the call.
        parts: the names of the parts of the result.
    """
    if call.turns:
        return
    method = (call.build.method or "forward") if call.build else ""
    function = getattr(reference, method, None) if method else reference
    if function is None:
        return
    names, defaults = _signature(function, bool(call.build))
    given = {**dict(zip(names, call.args, strict=False)), **call.kwargs}
    known = [*_arguments(names, defaults, given), *_sums(names, given, expected)] if names else []
    found = [*known, *parameter_changes(call), *_results(expected, parts)]
    for change in found:
        made = _method_changed(reference, method, change) if method else change.wrap(reference, None)
        yield Misconception(change.identifier, call.name, made, change.says, change.advice)
    if isinstance(reference, type):
        yield from tied(reference, call)


def _method_changed(reference: Any, method: str, change: Change) -> Function:
    original = getattr(reference, method)

    def replaced(self: Any, *args: Any, **kwargs: Any) -> Any:
        return change.wrap(partial(original, self), self)(*args, **kwargs)

    return type(reference.__name__, (reference,), {method: replaced})


def _results(expected: Data, parts: Sequence[str]) -> Iterator[Change]:
    several = isinstance(expected, tuple)
    for number, part in enumerate(expected if several else [expected]):
        name = parts[number] if number < len(parts) else f"part {number + 1} of your result"
        what = (f"`{name}`" if number < len(parts) else name) if several else "your result"
        for identifier, says, advice, change in result_changes(part, what):
            own = f"{identifier}-{number + 1}" if several else identifier
            index = number if several else None
            yield Change(own, says, advice, partial(_after, change, index))


def _after(change: Callable[[torch.Tensor], torch.Tensor], index: int | None, function: Function, _: Any) -> Function:
    return lambda *args, **kwargs: on_part(function(*args, **kwargs), index, change)


def _sums(names: Sequence[str], given: Given, expected: Data) -> Iterator[Change]:
    """Yield the sums of the result and an argument, and the argument itself as the result."""
    for name, value in given.items():
        shape = getattr(expected, "shape", None)
        if not _is_float(value) or _kind(value) != _kind(expected) or value.shape != shape:
            continue
        advice = f"Look for each place where your code uses `{name}`: what becomes of it?"
        for identifier, says, change in (
            ("adds", f"Your result is what is expected plus `{name}`.", lambda result, own: result + own),
            ("lacks", f"Your result is what is expected minus `{name}`.", lambda result, own: result - own),
            ("returns", f"Your result is `{name}` as it was given.", lambda _, own: 1 * own),
        ):
            yield Change(f"{identifier}-{name}", says, advice, _joined(names, name, change))


def _joined(names: Sequence[str], name: str, change: Callable[[Any, Any], Any]) -> Wrap:
    def wrap(function: Function, _: Any) -> Function:
        def call(*args: Any, **kwargs: Any) -> Any:
            return change(function(*args, **kwargs), {**dict(zip(names, args, strict=False)), **kwargs}[name])

        return call

    return wrap


def _arguments(names: Sequence[str], defaults: Given, given: Given) -> Iterator[Change]:
    for name, value in given.items():
        if name in defaults and value is not defaults[name]:
            says = f"Your answer is as if `{name}` had not been given."
            advice = f"Follow `{name}` through your code: is it used on every path, and is what it changes kept?"
            yield Change(f"ignores-{name}", says, advice, _rebound(names, {name: partial(_constant, defaults[name])}))
        for identifier, as_if, change in value_changes(name, value):
            says, advice = f"Your answer is as if {as_if}.", f"Look where your code uses `{name}`."
            yield Change(f"{identifier}-{name}", says, advice, _rebound(names, {name: partial(_of, name, change)}))
    yield from _exchanges(names, given)


def _exchanges(names: Sequence[str], given: Mapping[str, Data]) -> Iterator[Change]:
    alike = [(a, b) for a, b in combinations(given, 2) if _kind(given[a]) == _kind(given[b]) and _kind(given[a])]
    for one, other in alike:
        says = f"Your answer is as if `{one}` and `{other}` had been exchanged."
        advice = f"Look at each place where your code uses `{one}` or `{other}`: which of the two belongs there?"
        swap = {one: itemgetter(other), other: itemgetter(one)}
        yield Change(f"exchanges-{one}-{other}", says, advice, _rebound(names, swap))
        for left, used in permutations((one, other)):
            says = f"Your answer is as if `{used}` had been given as `{left}` too."
            advice = f"`{left}` has no effect on it: look where your code should use it."
            yield Change(f"{used}-for-{left}", says, advice, _rebound(names, {left: itemgetter(used)}))


def _constant(value: Any, _: Given) -> Any:
    return value


def _of(name: str, change: Callable[[Any], Any], given: Given) -> Any:
    return change(given[name])


def _kind(value: Data) -> tuple[str, ...]:
    """Return what two arguments must share to be taken for one another; () for what has no twin."""
    if isinstance(value, torch.Tensor | np.ndarray):
        return ("array", str(value.dtype), str(len(value.shape)))
    return () if value is None or isinstance(value, Part) else (type(value).__name__,)


def _is_float(value: Data) -> bool:
    return isinstance(value, torch.Tensor | np.ndarray) and "float" in str(value.dtype)


def _signature(function: Function, bound: bool) -> tuple[list[str], Given]:
    """Return the names of a function's arguments, and the defaults; nothing where it takes any number of them."""
    try:
        parameters = [*inspect.signature(function).parameters.values()][1 if bound else 0 :]
    except (TypeError, ValueError):
        return [], {}
    if any(each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD) for each in parameters):
        return [], {}
    defaults = {each.name: each.default for each in parameters if each.default is not each.empty}
    return [each.name for each in parameters], defaults


def _rebound(names: Sequence[str], replaced: Mapping[str, Callable[[Given], Any]]) -> Wrap:
    def wrap(function: Function, _: Any) -> Function:
        def call(*args: Any, **kwargs: Any) -> Any:
            given = {**dict(zip(names, args, strict=False)), **kwargs}
            return function(**{**given, **{name: value(given) for name, value in replaced.items()}})

        return call

    return wrap
