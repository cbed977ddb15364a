"""How a check builds an object of the student's class: constructor arguments, and parameters that it sets itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import torch

from autograder.calls.records import Build, Data, tensors
from autograder.compare.draw import Draw
from autograder.compare.oracle import digest
from autograder.core.errors import BrokenCheckError

_STATES: Final[dict[tuple[Callable[..., Any], bytes], Mapping[str, torch.Tensor]]] = {}


Called: TypeAlias = tuple[str, bool, tuple[Data, ...], dict[str, Data], str]


@dataclass(frozen=True)
class Module:
    """The arguments of `module`."""

    args: tuple[Data, ...] = ()
    kwargs: Mapping[str, Data] = field(default_factory=dict)
    fill: Mapping[str, float | torch.Tensor] = field(default_factory=dict)
    training: bool = False
    dtype: torch.dtype | None = None
    method: str = ""
    after: Sequence[Called] = ()


def called(
    *args: Data, method: str = "", training: bool = False, dtype: torch.dtype | None = None, **kwargs: Data
) -> Called:
    """Describe a call that an object has answered before, for `after` of `module`.

    Args:
        args: its arguments.
        method: the method that was called, instead of the object itself.
        training: whether in training mode.
        dtype: that the object had then; by default the one that it has later.
        kwargs: arguments with a name.
    """
    return method, training, args, kwargs, str(dtype).removeprefix("torch.") if dtype else ""


def module(
    *args: Data,
    fill: Mapping[str, float | torch.Tensor] | None = None,
    training: bool = False,
    dtype: torch.dtype | None = None,
    method: str = "",
    after: Sequence[Called] = (),
    **kwargs: Data,
) -> Module:
    """Describe an object of the exercise's class, for `build=`.

    Args:
        args: the arguments of the constructor.
        kwargs: those with a name.
        fill: parameters that are not drawn: maps a dotted name, or its beginning, to a number or a tensor.
        training: training mode instead of evaluation mode.
        dtype: of the parameters; by default that of the first floating argument of the call, else float64.
        method: the method to call, instead of the object itself.
        after: calls that the same object answers before, each by `called(...)`.
    """
    return Module(args, kwargs, fill or {}, training, dtype, method, after)


def built(reference: Callable[..., Any], wanted: Module, arguments: tuple[Data, ...], draw: Draw) -> Build:
    """Return the construction, with random values for the reference's parameters."""
    given = list(tensors(arguments))
    dtypes = [tensor.dtype for tensor in given if tensor.is_floating_point()]
    dtype = wanted.dtype or (dtypes[0] if dtypes else torch.float64)
    device = given[0].device if given else torch.device("cpu")
    shapes = _state_of(reference, wanted)
    state = {name: draw.parameter(value, dtype=dtype, device=device) for name, value in shapes.items()}
    for prefix, value in wanted.fill.items():
        _fill(state, prefix, value)
    return Build(wanted.args, wanted.kwargs, state, wanted.training, wanted.method, tuple(wanted.after))


def _state_of(reference: Callable[..., Any], wanted: Module) -> Mapping[str, torch.Tensor]:
    """Return the state of the reference's new object, which is built once for all submissions."""
    key = reference, digest((wanted.args, wanted.kwargs))
    if key not in _STATES:
        _STATES[key] = reference(*wanted.args, **wanted.kwargs).state_dict()
    return _STATES[key]


def unbuilt(wanted: Module) -> Build:
    """Return the construction without parameters, for a constructor that must raise."""
    return Build(wanted.args, wanted.kwargs)


def as_module(wanted: Module | Sequence[Data]) -> Module:
    """Return the value of `build=` as a `Module`."""
    return wanted if isinstance(wanted, Module) else Module(tuple(wanted))


def _fill(state: dict[str, torch.Tensor], prefix: str, value: float | torch.Tensor) -> None:
    names = [name for name in state if name == prefix or name.startswith(f"{prefix}.")]
    if not names:
        raise BrokenCheckError(f"there is no parameter {prefix}, only {', '.join(state)}")
    for name in names:
        state[name] = torch.empty_like(state[name]).copy_(torch.as_tensor(value))
