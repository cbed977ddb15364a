"""Answers that differ from the right one by one change: of an argument, of a parameter, or of the result.

Where no known mistake explains an answer, one of these may: the reference is called with an argument left out, with
two exchanged, and so on. A change says what the answer does, not why; so its sentences say "as if".
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations, permutations
from operator import itemgetter
from typing import Any, TypeAlias

import numpy as np
import torch

from autograder.calls.records import Call, Data, Part
from autograder.compare.result_changes import ArrayChange, on_part, rearrangements, result_changes
from autograder.course.model import Misconception

Function: TypeAlias = Callable[..., Any]
Wrap: TypeAlias = Callable[[Function, Any], Function]

Given = dict[str, Any]

DEEPEST = 2
"""Parts of parts of a model, such as `attention.w_q`; what lies deeper was written in another exercise."""


@dataclass(frozen=True)
class Change:
    """One change of a function: its id, what the changed function's answer is like, what to do, and how it is made.

    `wrap` gets the function, and the object that it is a method of (None for a plain function).
    """

    identifier: str
    says: str
    advice: str
    wrap: Wrap


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


def with_defaults(
    reference: Function, call: Call, method: str, own: Mapping[str, tuple[Any, Any]]
) -> Iterator[Misconception]:
    """Yield the reference with another default of a parameter that a call does not give.

    Args:
        method: the method that is called; "" for a function.
        own: for each of these parameters the other default, and the right one.
    """
    names, _ = _signature(getattr(reference, method) if method else reference, bool(method))
    given = {*names[: len(call.args)], *call.kwargs}
    for name, (value, right) in own.items():
        if name in names and name not in given:
            says = f"The default of `{name}` is {value!r} in your signature, and should be {right!r}."
            advice = "Give it back the default of the given signature."
            change = Change(f"default-of-{name}", says, advice, partial(_with_argument, names, name, value))
            made = _method_changed(reference, method, change) if method else change.wrap(reference, None)
            yield Misconception(change.identifier, call.name, made, says, advice)


def _with_argument(names: Sequence[str], name: str, value: Any, function: Function, _: Any) -> Function:
    def call(*args: Any, **kwargs: Any) -> Any:
        return function(**{name: value, **dict(zip(names, args, strict=False)), **kwargs})

    return call


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


def value_changes(name: str, value: Data) -> Iterator[tuple[str, str, Callable[[Any], Any]]]:
    """Yield ids, words and changes for one argument."""
    if isinstance(value, bool):
        yield "opposite", f"`{name}` were {not value}", lambda given: not given
    elif isinstance(value, int):
        yield "one-more", f"`{name}` were one larger", lambda given: given + 1
        yield "one-less", f"`{name}` were one smaller", lambda given: given - 1
    elif isinstance(value, float):
        yield "complement", f"`{name}` were 1 − `{name}`", lambda given: 1 - given
        yield "squared", f"`{name}` were squared", lambda given: given**2
        yield "inverse", f"`{name}` were 1 / `{name}`", lambda given: 1 / given if given else given
        yield "no", f"`{name}` were 0", lambda given: 0 * given
    elif isinstance(value, torch.Tensor | np.ndarray) and value.shape:
        yield from ((kind, words, partial(_on_array, change)) for kind, words, change in _tensor_changes(name, value))


def _on_array(change: ArrayChange, given: Any) -> Any:
    return change(torch.from_numpy(given)).numpy() if isinstance(given, np.ndarray) else change(given)


def _tensor_changes(name: str, value: Any) -> Iterator[tuple[str, str, ArrayChange]]:
    axes = len(value.shape)
    floats = "float" in str(value.dtype)
    if "bool" in str(value.dtype):
        yield "inverts", f"True and False were exchanged in `{name}`", torch.logical_not
        yield "all-true", f"`{name}` were True everywhere", torch.ones_like
    if floats:
        yield "negates", f"`{name}` had the opposite sign", torch.neg
        yield "zero", f"`{name}` were 0 everywhere", torch.zeros_like
        yield "positive", f"`{name}` had no negative numbers (its absolute values)", torch.abs
        yield "relu", f"the negative numbers in `{name}` were 0", torch.relu
        yield from _scaled(name, axes)
        yield from _without_ends(name, axes)
    if axes == 1 and "bool" not in str(value.dtype):
        yield "from-zero", f"`{name}` were counted from its first entry (that one taken off)", lambda x: x - x[:1]
        yield "places", f"`{name}` were 0, 1, 2, …", lambda x: torch.arange(len(x), dtype=x.dtype, device=x.device)
    if axes > 1:
        yield "first-of", f"all of `{name}` along axis 0 were like the first", lambda x: x[:1].expand_as(x)
        yield "last-of", f"all of `{name}` along axis 0 were like the last", lambda x: x[-1:].expand_as(x)
    for one, other in combinations(range(axes), 2):
        if value.shape[one] == value.shape[other]:
            swapped = partial(torch.Tensor.transpose, dim0=one, dim1=other)
            yield f"swaps-{one}-{other}", f"axes {one} and {other} of `{name}` were swapped", swapped
    yield from ((identifier, f"`{name}` were {words}", step) for identifier, words, step in rearrangements(axes))


def _scaled(name: str, axes: int) -> Iterator[tuple[str, str, ArrayChange]]:
    yield "twice", f"`{name}` were multiplied by 2", lambda x: 2 * x
    yield "half", f"`{name}` were divided by 2", lambda x: x / 2
    roots = [f"the square root of `{name}.shape[{axis}]`" for axis in range(axes)]
    for axis, root in enumerate(roots):
        yield f"times-root-{axis}", f"`{name}` were multiplied by {root}", partial(_times_root, axis=axis)
        yield f"by-root-{axis}", f"`{name}` were divided by {root}", partial(_by_root, axis=axis)
        if axis + 1 < axes:
            as_if = f"`{name}` were divided by {root} instead of {roots[-1]}"
            yield f"by-root-{axis}-for-last", as_if, partial(_times_root, axis=-1, other=axis)


def _times_root(x: torch.Tensor, axis: int, other: int | None = None) -> torch.Tensor:
    """Return x times the root of an axis's size, divided by that of another one."""
    return x * math.sqrt(x.shape[axis]) / math.sqrt(1 if other is None else max(x.shape[other], 1))


def _by_root(x: torch.Tensor, axis: int) -> torch.Tensor:
    return x / math.sqrt(max(x.shape[axis], 1))


def _without_ends(name: str, axes: int) -> Iterator[tuple[str, str, ArrayChange]]:
    for axis in range(axes):
        which = f" along axis {axis}" if axes > 1 else ""
        yield f"no-first-{axis}", f"the first of `{name}`{which} were 0", partial(_zeroed, axis=axis, place=0)
        yield f"no-last-{axis}", f"the last of `{name}`{which} were 0", partial(_zeroed, axis=axis, place=-1)


def _zeroed(x: torch.Tensor, axis: int, place: int) -> torch.Tensor:
    changed = x.clone()
    if x.shape[axis]:
        changed.select(axis, place).zero_()
    return changed


def parameter_changes(call: Call) -> Iterator[Change]:
    """Yield the changes of an object's parameters: left out, exchanged, or one used for another."""
    if call.build is None or call.build.method:
        return
    state = {name: value for name, value in call.build.state.items() if value.is_floating_point()}
    for name, value in state.items():
        if name.count(".") > DEEPEST:
            continue
        if name.rpartition(".")[2] == "bias":
            yield _remade(name, f"`{name}` were 0", f"Is `{name}` added everywhere?", torch.zeros_like)
        elif value.dim() == 1:
            yield _remade(name, f"`{name}` were 1", f"Is `{name}` multiplied in?", torch.ones_like)
        elif value.dim() == 2 and value.shape[0] == value.shape[1]:
            advice = "`nn.Linear` multiplies by the transpose of its weight: x @ weight.T."
            yield _remade(name, f"`{name}` were transposed", advice, torch.t)
    yield from _exchanged_modules(state)


def _siblings(state: Mapping[str, torch.Tensor]) -> Iterator[tuple[str, str, list[tuple[str, str]]]]:
    """Yield two submodules of one module that have parameters of the same names and shapes, and these in pairs."""
    groups: dict[str, dict[str, tuple[str, torch.Size]]] = {}
    for name, value in state.items():
        parts = name.split(".")
        for depth in range(1, min(len(parts), DEEPEST) + 1):
            inner = ".".join(parts[depth:])
            groups.setdefault(".".join(parts[:depth]), {})[inner] = name, value.shape
    for one, other in combinations(groups, 2):
        alike = {inner: shape for inner, (_, shape) in groups[one].items()}
        if one.rpartition(".")[0] == other.rpartition(".")[0] and alike == {
            inner: shape for inner, (_, shape) in groups[other].items()
        }:
            yield one, other, [(groups[one][inner][0], groups[other][inner][0]) for inner in alike]


def _exchanged_modules(state: Mapping[str, torch.Tensor]) -> Iterator[Change]:
    """Yield the exchanges of two submodules with the same parameters, and the use of one for both."""
    for one, other, names in _siblings(state):
        advice = f"Look at each place where your code uses `{one}` or `{other}`: which of the two belongs there?"
        both = dict(names) | {b: a for a, b in names}
        yield _taken(f"exchanges-parameters-{one}-{other}", f"`{one}` and `{other}` were exchanged", advice, both)
        for left, used, pick in ((one, other, names), (other, one, [(b, a) for a, b in names])):
            as_if = f"`{used}` were used in the place of `{left}` too"
            yield _taken(f"parameters-{used}-for-{left}", as_if, advice, dict(pick))


def tied(reference: type, call: Call) -> Iterator[Misconception]:
    """Yield the class whose list of modules, such as `blocks`, holds one module in each place."""
    names = [name.split(".") for name in call.build.state] if call.build else []
    for group in dict.fromkeys(name[0] for name in names if name[1:2] == ["1"]):
        says = f"All places of `{group}` hold one and the same module."
        advice = "`[block] * n` is one block n times: make a new one for each place, in a loop."
        yield Misconception(f"one-for-all-{group}", call.name, _with_one(reference, group), says, advice)


def _with_one(reference: type, group: str) -> type:
    def build(self: Any, *args: Any, **kwargs: Any) -> None:
        reference.__init__(self, *args, **kwargs)  # type: ignore[misc]
        modules = getattr(self, group)
        for place in range(len(modules)):
            modules[place] = modules[0]

    return type(reference.__name__, (reference,), {"__init__": build})


def _remade(name: str, as_if: str, advice: str, change: Callable[..., torch.Tensor]) -> Change:
    wrap = partial(_with_parameters, lambda own: {name: change(own[name])})
    return Change(f"without-{name}", f"Your answer is as if {as_if}.", advice, wrap)


def _taken(identifier: str, as_if: str, advice: str, source: Mapping[str, str]) -> Change:
    wrap = partial(_with_parameters, lambda own: {name: own[other] for name, other in source.items()})
    return Change(identifier, f"Your answer is as if {as_if}.", advice, wrap)


def _with_parameters(
    change: Callable[[Mapping[str, torch.Tensor]], Mapping[str, torch.Tensor]], function: Function, owner: Any
) -> Function:
    def call(*args: Any, **kwargs: Any) -> Any:
        if vars(owner).get("_changed"):
            return function(*args, **kwargs)
        owner.__dict__["_changed"] = True
        try:
            made = change({**dict(owner.named_parameters()), **dict(owner.named_buffers())})
            return torch.func.functional_call(owner, dict(made), args, kwargs)
        finally:
            del owner.__dict__["_changed"]

    return call
