"""Calls of a student's chapter and what they show: plain records, the same on both sides of the wall."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from itertools import repeat
from typing import Any, TypeAlias

import numpy as np
import torch

from autograder.core.message import Line, Message

Data = Any
"""A value without parts (`values.SINGLE`), Tensor, ndarray, `Part`, set, or a list, tuple or dict of Data.

The keys of dicts, and the members of sets, are values without parts, or tuples of them.
"""
PARTS = "reference.blocks"

Copies: TypeAlias = dict[int, tuple[Any, Any]]
"""By id, each object of a walk and its copy; the object is kept so that no other one can get its id."""


def leaves(value: Any) -> Iterator[Any]:
    """Yield every leaf of `value`, in order; those of a dictionary in the order of its keys; a set is one."""
    if isinstance(value, list | tuple):
        for item in value:
            yield from leaves(item)
    elif isinstance(value, dict):
        for key in sorted(value, key=str):
            yield from leaves(value[key])
    else:
        yield value


def mapped(value: Any, change: Callable[[Any], Any], seen: Copies | None = None) -> Any:
    """Return `value` in new containers, with `change` applied to each leaf; one object passed twice stays one.

    But for strings: only Python decides which equal ones are one object.

    Args:
        seen: what earlier walks met, where objects may be shared between walks.
    """
    seen = {} if seen is None else seen
    if id(value) in seen:
        return seen[id(value)][1]
    made: Any
    if isinstance(value, list | tuple):
        items = (mapped(item, change, seen) for item in value)
        made = tuple(items) if hasattr(value, "_fields") else type(value)(items)
    elif isinstance(value, dict):
        made = {key: mapped(item, change, seen) for key, item in value.items()}
    else:
        made = change(value)
    if type(value) is not str:
        seen[id(value)] = value, made
    return made


def matches(first: Any, second: Any, same: Callable[[Any, Any], bool]) -> bool:
    """Return whether two values have the same structure, and leaves of the same types for which `same` holds."""
    if isinstance(first, list | tuple):
        same_form = isinstance(second, list if isinstance(first, list) else tuple) and len(first) == len(second)
        return same_form and all(map(matches, first, second, repeat(same)))
    if isinstance(first, dict):
        same_form = isinstance(second, dict) and [*first] == [*second]
        return same_form and all(map(matches, first.values(), second.values(), repeat(same)))
    return type(first) is type(second) and same(first, second)


def tensors(value: Data) -> Iterator[torch.Tensor]:
    """Yield every tensor in `value`, in order."""
    return (leaf for leaf in leaves(value) if isinstance(leaf, torch.Tensor))


def nbytes(value: Data) -> int:
    """Return how many bytes the tensors and arrays in `value` have."""
    return sum(leaf.nbytes for leaf in leaves(value) if isinstance(leaf, torch.Tensor | np.ndarray))


def identical(first: Data, second: Data) -> bool:
    """Return whether two answers have the same types and numbers; a NaN never equals another NaN."""
    return matches(first, second, _is_identical)


def _is_identical(first: Data, second: Data) -> bool:
    if isinstance(first, torch.Tensor):
        same_kind = first.dtype == second.dtype and first.device == second.device
        return same_kind and not first.is_meta and torch.equal(first, second)
    if isinstance(first, np.ndarray):
        return first.dtype == second.dtype and np.array_equal(first, second)
    return bool(first == second)


def raw(tensor: torch.Tensor) -> torch.Tensor:
    """Return the bytes of a tensor with data, row by row."""
    tensor = tensor.detach().resolve_conj()
    if not tensor.is_contiguous() or tensor.is_neg():
        tensor = tensor.resolve_neg().contiguous()
    flat = tensor.reshape(-1)
    if flat.stride() != (1,):  # a single number is contiguous with any stride, but cannot be viewed as bytes
        flat = torch.empty(flat.shape, dtype=flat.dtype).copy_(flat)
    return flat.view(torch.uint8)


@dataclass(frozen=True)
class Part:
    """An argument that is not data: the part `name` of `reference.blocks`, made where the call is made.

    As with other arguments, one `Part` passed twice is one object.
    """

    name: str
    args: tuple[Data, ...] = ()
    kwargs: Mapping[str, Data] = field(default_factory=dict)

    def make(self) -> Any:
        """Return the object itself."""
        return getattr(importlib.import_module(PARTS), self.name)(*self.args, **self.kwargs)


@dataclass(frozen=True)
class Build:
    """The construction of an object: arguments, state, mode, and the method to call ("" for the object itself).

    `earlier` are calls that the object has answered before, whose answers do not count: for each its method, whether
    it is in training mode, its arguments, those with a name, and the dtype that it had ("" for that of its state).
    """

    args: tuple[Data, ...] = ()
    kwargs: Mapping[str, Data] = field(default_factory=dict)
    state: Mapping[str, torch.Tensor] = field(default_factory=dict)
    training: bool = False
    method: str = ""
    earlier: tuple[tuple[str, bool, tuple[Data, ...], dict[str, Data], str], ...] = ()


@dataclass(frozen=True)
class Call:
    """One call of the function or class `name`.

    `cotangents` asks for gradients: one tensor (or None) per leaf of the result, in order; the gradient is that of
    sum(leaf * cotangent). `forbidden` names library functions that must not be called, unless by the student's own
    functions `welcome`. `dtype` and `device` are torch's defaults during the call, where given; `seed` seeds random
    numbers. With `once` it is not made a second time to compare. `room` is the most bytes of tensors that the answer
    may have: a larger answer comes without its numbers; None where its size is unknown. `kept` holds what was computed
    of this very object, which must not change then, such as its digest.

    With `turns` it is several calls: each of `args` is a tuple of arguments, and each answer a pair. Call i gets the
    second half of the answer to call `turns[i]` as its last argument (-1: none). The result lists the first halves.
    """

    name: str
    args: tuple[Data, ...] = ()
    kwargs: Mapping[str, Data] = field(default_factory=dict)
    build: Build | None = None
    cotangents: tuple[torch.Tensor | None, ...] | None = None
    forbidden: tuple[str, ...] = ()
    dtype: torch.dtype | None = None
    device: str = ""
    seed: int = 0
    turns: tuple[int, ...] = ()
    welcome: tuple[str, ...] = ()
    once: bool = False
    room: int | None = field(default=None, compare=False)
    kept: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def bare(self) -> bool:
        """Return whether dtype and device of the answer can only come from torch's defaults."""
        return self.build is None and next(tensors((self.args, self.kwargs)), None) is None


def copied(value: Data, leaf: Callable[[torch.Tensor], torch.Tensor], remake: Callable[[Any], Any]) -> Data:
    """Return a copy of `value` that shares no tensor, array or container with it; one object passed twice stays one.

    Args:
        leaf: returns the copy of a tensor.
        remake: returns what replaces the copy of a `Part`, `Build` or `Call`.
    """
    seen: Copies = {}

    def copy(each: Data) -> Data:
        if isinstance(each, torch.Tensor):
            return leaf(each)
        if isinstance(each, np.ndarray | set):
            return each.copy()
        if isinstance(each, str):  # equal ones are several objects, as they are behind the wall
            return "".join([*each])
        if isinstance(each, Part | Build | Call):
            own = {part.name: getattr(each, part.name) for part in fields(each) if part.init}
            return remake(replace(each, **mapped(own, copy, seen)))
        return each

    return mapped(value, copy, seen)


def duplicate(call: Call) -> Call:
    """Return a copy that shares no tensor, array or container; one object passed twice stays one."""
    twin: Call = copied(call, lambda tensor: tensor.detach().clone(), lambda record: record)
    return twin


@dataclass(frozen=True)
class Raised:
    """An exception: the names of its type and its bases, its text and its line."""

    kind: str
    bases: tuple[str, ...]
    message: str
    line: int | None = None
    source: str = ""

    @property
    def is_own(self) -> bool:
        """Return whether its line raises it by `raise` or `assert`: its text is the student's, and no library's."""
        line, kind = self.source.strip(), self.kind.rpartition(".")[2]
        raises = re.match(r"(?:.*: )?raise\b(.*)", line)
        if raises:  # the line may fail before it raises: where it names something that is not there
            again = re.fullmatch(r"(\s*\w+)?", raises[1]) and kind not in ("NameError", "UnboundLocalError")
            return kind in raises[1] or bool(again)
        return kind == "AssertionError" and line.startswith("assert ")


@dataclass(frozen=True)
class Absent:
    """The name is missing, or not a function or class; `found` says what is there instead."""

    found: str


@dataclass(frozen=True)
class Opaque:
    """A value that is not data: the name of its type."""

    type_name: str


@dataclass(frozen=True)
class Observation:
    """The record of one call. `again` is the answer to a second, equal call.

    `arguments` are those of the first call after it; for a module, its mode and state. `changed` names what the
    call changed of the object that was built. `digest` is that of the bytes it was read from, if it was read from any.
    """

    result: Data | Raised | Absent | Opaque
    again: Data | Raised | Opaque = None
    arguments: tuple[Data, ...] = ()
    gradients: Mapping[str, torch.Tensor | None] | Raised | None = None
    changed: tuple[str, ...] = ()
    digest: bytes = field(default=b"", compare=False)


def size_of(seen: Observation) -> int:
    """Return how many bytes the tensors and arrays of what a call showed have."""
    return sum(map(nbytes, (seen.result, seen.again, seen.arguments, seen.gradients)))


def to_meta(value: Data) -> Data:
    """Return the same without the numbers: tensors on the device meta."""
    return mapped(value, lambda leaf: leaf.to("meta") if isinstance(leaf, torch.Tensor) else leaf)


def is_absent(raised: Raised) -> bool:
    """Return whether an import failed because the library is not installed."""
    return "ModuleNotFoundError" in (raised.kind, *raised.bases)


def stops_when_loaded(file: str, raised: Raised, advice: str) -> Message:
    """Return the message about a file that raised."""
    headline = f"{file} stops when it is loaded: {summary(raised)}"
    return Message(headline, advice=advice, line=Line.of(raised.line, raised.source))


def summary(raised: Raised) -> str:
    """Return the type of an exception, and the first line of its text."""
    first = raised.message.partition("\n")[0]
    return f"{raised.kind}: {first}" if first else raised.kind
