"""Changes of an object's parameters: one left out, two exchanged, one used for another, one for all blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import combinations
from typing import Any

import torch

from autograder.calls.records import Call
from autograder.compare.change import Change, Function
from autograder.course.model import Misconception

DEEPEST = 2
"""Parts of parts of a model, such as `attention.w_q`; what lies deeper was written in another exercise."""


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
