"""The results of one call of many functions: quicker than `observe`, to rule answers out."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from inspect import iscode
from types import CodeType, FunctionType
from typing import Any, TypeAlias

from autograder.calls.built import Callee, built, changed_in
from autograder.calls.device_transfer import carried
from autograder.calls.observe import attempt, defaults, plain_result
from autograder.calls.records import Build, Call, Data, Raised
from autograder.internals.classes import held_by, turn_into

Start: TypeAlias = frozenset[tuple[str, int]]


def glance(function: Callable[..., Any], call: Call) -> Data:
    """Return the result of one call alone, as data."""
    return glances([function], call)[0]


def glances(functions: Sequence[Callable[..., Any]], call: Call) -> list[Data]:
    """Return the results of one call of each function, as data; classes with an equal start share an object."""
    call = carried(call)
    objects = _Objects(call.build) if call.build and _is_shared(call.build) and len(functions) > 1 else None
    return [_glance(function, call, objects) for function in functions]


def _is_shared(build: Build) -> bool:
    """Return whether several classes may use one object: it is soon back as it was."""
    return bool(build.state) and not build.earlier


def _glance(function: Callable[..., Any], call: Call, objects: _Objects | None) -> Data:
    with defaults(call), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = attempt(lambda: objects.take(function) if objects else built(function, call.build))
        seen = made if isinstance(made, Raised) else attempt(lambda: plain_result(function, call, made))
    if objects and not isinstance(seen, Raised):
        objects.put(function, made)
    return seen


@dataclass
class _Objects:
    """Modules that were built for a call, by how their classes start; each goes on while no call has changed it."""

    build: Build
    kept: dict[Start, tuple[Callee, list[Any]]] = field(default_factory=dict)
    taken: list[Any] = field(default_factory=list)

    def take(self, function: Callable[..., Any]) -> Callee:
        """Return an object of the class `function`: one that was put back, or a new one."""
        made, self.taken = self.kept.pop(_start(function), (None, []))
        if made is None:
            made = built(function, self.build)
            self.taken = held_by(made.owner)
            return made
        turn_into(made.owner, function)
        return replace(made, function=getattr(made.owner, self.build.method) if self.build.method else made.owner)

    def put(self, function: Callable[..., Any], made: Callee) -> None:
        """Keep an object for the next class that starts like `function`, if its call left it as it was."""
        now = held_by(made.owner)
        same = len(now) == len(self.taken) and all(one is other for one, other in zip(now, self.taken, strict=True))
        if now and same and not changed_in(made, self.build):
            self.kept[_start(function)] = made, now


def _start(function: Callable[..., Any]) -> Start:
    """Return what a new object of a class is made with: its initialisers, and what of the class they mention."""
    if not isinstance(function, type):
        return frozenset({("", id(function))})
    own = [vars(each) for each in function.__mro__]
    left = [each["__init__"] for each in own if "__init__" in each]
    found = {("__init__", id(each)) for each in left}
    while left:
        for name in names_in(left.pop()):
            value = next((each[name] for each in own if name in each), None)
            if value is not None and (name, id(value)) not in found:
                found.add((name, id(value)))
                left.append(value)
    return frozenset(found)


def names_in(function: object) -> set[str]:
    """Return the names of globals and attributes in a function's code; none of a function of torch or in C."""
    if not isinstance(function, FunctionType) or function.__module__.startswith("torch."):
        return set()
    return set(_names(function.__code__))


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for inner in code.co_consts:
        if iscode(inner):
            yield from _names(inner)
