"""What is called in a student's chapter, and what is seen of it: plain records, the same on both sides of the wall."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import torch

Data = Any
"""None, bool, int, float, str, Tensor, ndarray, `Part`, or a list, tuple or str-keyed dict of Data."""
PARTS = "reference.blocks"


def arrays(value: Data) -> Iterator[torch.Tensor | np.ndarray]:
    """Every tensor and array in `value`, in order."""
    if isinstance(value, torch.Tensor | np.ndarray):
        yield value
    elif isinstance(value, list | tuple):
        for item in value:
            yield from arrays(item)
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from arrays(item)


def tensors(value: Data) -> Iterator[torch.Tensor]:
    """Every tensor in `value`, in order."""
    return (each for each in arrays(value) if isinstance(each, torch.Tensor))


def nbytes(value: Data) -> int:
    """Bytes of all tensors and arrays in `value`."""
    return sum(each.nbytes for each in arrays(value))


def identical(first: Data, second: Data) -> bool:
    """Whether two answers are of the same types and numbers; a NaN is not like another."""
    if type(first) is not type(second):
        return False
    if isinstance(first, torch.Tensor):
        alike = first.dtype == second.dtype and first.device == second.device
        return alike and not first.is_meta and torch.equal(first, second)
    if isinstance(first, np.ndarray):
        return first.dtype == second.dtype and np.array_equal(first, second)
    if isinstance(first, list | tuple):
        return len(first) == len(second) and all(map(identical, first, second))
    if isinstance(first, dict):
        return [*first] == [*second] and all(map(identical, first.values(), second.values()))
    return bool(first == second)


def raw(tensor: torch.Tensor) -> torch.Tensor:
    """The bytes of a tensor with data, row by row."""
    tensor = tensor.detach()
    if not tensor.is_contiguous() or tensor.is_neg():
        tensor = tensor.resolve_neg().contiguous()
    flat = tensor.reshape(-1)
    if flat.stride() != (1,):  # one number counts as contiguous whatever its stride, but cannot be viewed as bytes
        flat = torch.empty(flat.shape, dtype=flat.dtype).copy_(flat)
    return flat.view(torch.uint8)


@dataclass(frozen=True)
class Part:
    """An argument that is no data: the part `name` of `reference.blocks`, made anew where the call is made.

    As with other arguments, one `Part` passed twice is one object.
    """

    name: str
    args: tuple[Data, ...] = ()
    kwargs: Mapping[str, Data] = field(default_factory=dict)

    def make(self) -> Any:
        """The object itself."""
        return getattr(importlib.import_module(PARTS), self.name)(*self.args, **self.kwargs)


@dataclass(frozen=True)
class Build:
    """How a class is constructed before it is called: arguments, named state, mode, and what to call ("" is itself)."""

    args: tuple[Data, ...] = ()
    kwargs: Mapping[str, Data] = field(default_factory=dict)
    state: Mapping[str, torch.Tensor] = field(default_factory=dict)
    training: bool = False
    method: str = ""


@dataclass(frozen=True)
class Call:
    """One call of the function or class `name`.

    `cotangents` asks for gradients: one tensor (or None) per leaf of the result, in order; the gradient is that of
    sum(leaf * cotangent). `forbidden` are names of library functions that must not be called meanwhile, unless by the
    student's own functions `welcome`; `dtype` and `device` are torch's defaults meanwhile, where given; `seed` begins
    torch's random numbers. `room` is how many bytes of tensors the answer may have: what is larger comes without its
    numbers; None where nothing is known of its size.

    With `turns` it is several calls: each of `args` is a tuple of arguments, each answer a pair, and turn i is handed
    the second half of the answer to turn `turns[i]` as its last argument (-1: nothing). The result is the list of
    first halves.
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
    room: int | None = field(default=None, compare=False)

    @property
    def bare(self) -> bool:
        """Whether dtype and device of the answer can only come from torch's defaults."""
        return self.build is None and next(tensors((self.args, self.kwargs)), None) is None


def duplicate(call: Call) -> Call:
    """A copy that shares no tensor or container; what is one object stays one."""
    seen: dict[int, Data] = {}
    build = call.build
    if build is not None:
        args, kwargs, state = (_duplicate(part, seen) for part in (build.args, build.kwargs, build.state))
        build = replace(build, args=args, kwargs=kwargs, state=state)
    args, kwargs, cotangents = (_duplicate(part, seen) for part in (call.args, call.kwargs, call.cotangents))
    return replace(call, args=args, kwargs=kwargs, cotangents=cotangents, build=build)


def _duplicate(value: Data, seen: dict[int, Data]) -> Data:
    """`seen` is by the ids of what lives on in the call that is copied."""
    if id(value) in seen:
        return seen[id(value)]
    copy: Data = value
    if isinstance(value, torch.Tensor):
        copy = value.detach().clone()
    elif isinstance(value, np.ndarray):
        copy = value.copy()
    elif isinstance(value, Part):
        copy = replace(value, args=_duplicate(value.args, seen), kwargs=_duplicate(value.kwargs, seen))
    elif isinstance(value, list | tuple):
        copy = type(value)(_duplicate(item, seen) for item in value)
    elif isinstance(value, Mapping):
        copy = {key: _duplicate(item, seen) for key, item in value.items()}
    seen[id(value)] = copy
    return copy


@dataclass(frozen=True)
class Raised:
    """An exception: its type's name, the names of the types it derives from, text and line."""

    kind: str
    bases: tuple[str, ...]
    message: str
    line: int | None = None
    source: str = ""


@dataclass(frozen=True)
class Absent:
    """The name is not there, or is no function or class; `found` says what is there instead."""

    found: str


@dataclass(frozen=True)
class Opaque:
    """A value that is no data: its type's name."""

    type_name: str


@dataclass(frozen=True)
class Observation:
    """What one call showed. `again` is the answer to a second, equal call.

    `arguments` are those of the first call after it; of a module, its mode and state. `changed` names what the
    call changed of the object that was built.
    """

    result: Data | Raised | Absent | Opaque
    again: Data | Raised | Opaque = None
    arguments: tuple[Data, ...] = ()
    gradients: Mapping[str, torch.Tensor | None] | Raised | None = None
    changed: tuple[str, ...] = ()


def to_meta(value: Data) -> Data:
    """The same without the numbers: tensors on the device meta."""
    if isinstance(value, list | tuple):
        return type(value)(to_meta(item) for item in value)
    return value.to("meta") if isinstance(value, torch.Tensor) else value
