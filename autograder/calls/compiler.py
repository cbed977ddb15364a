"""Keep torch's compiler, and the algebra it does with sizes, out of a process that compiles nothing."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any


class _StandIn(ModuleType):
    """Has what torch asks for on its way past the compiler; asked for anything else, it makes way for the real one."""

    def __init__(self, spec: ModuleSpec) -> None:
        super().__init__(spec.name)
        self.__path__ = list(spec.submodule_search_locations or [])
        self.__file__ = spec.origin
        self.__dict__.update(NEEDED[spec.name])

    def __getattr__(self, name: str) -> Any:
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(importlib.import_module(self.__name__), name)


def _disable(function: Any, *_: object, **__: object) -> Any:
    """Where nothing is compiled, nothing is left out of it."""
    return function


def _graph_break(*_: object, **__: object) -> None:
    """Optimizers ask for one at each step."""


def _equal(a: Any, b: Any) -> bool:
    """Of two sizes or shapes, whether they are the same; a list may be compared with a tuple."""
    return bool(a == b) if isinstance(a, int) else tuple(a) == tuple(b)


def _number(size: int) -> int:
    """A size is its own value already."""
    return size


def _all(*conditions: bool) -> bool:
    return all(conditions)


def _any(*conditions: bool) -> bool:
    return any(conditions)


def _always(_: object) -> bool:
    """A size is known."""
    return True


def _of_nested(size: Any) -> bool:
    """Whether the size is that of a nested tensor, which is no number."""
    return hasattr(size, "node") and bool(size.node.is_nested_int())


class _Symbol:
    """Nothing is one: every size is a number here."""


BOOLEAN = ("expect_true", "guard_or_true", "guard_or_false", "guard_size_oblivious", "statically_known_true")
COMPILER = "torch._dynamo"
ALGEBRA = ("torch.fx.experimental.symbolic_shapes", "sympy")
NEEDED: dict[str, dict[str, Any]] = {
    COMPILER: {"disable": _disable, "graph_break": _graph_break, "allow_in_graph": _disable},
    ALGEBRA[0]: {
        **dict.fromkeys(BOOLEAN, bool),
        **{"sym_eq": _equal, "sym_and": _all, "sym_or": _any, "is_nested_int": _of_nested},
        **{"guarding_hint_or_throw": _number, "has_guarding_hint": _always},
    },
    ALGEBRA[1]: {"Basic": _Symbol},
}


@contextmanager
def without_compiler() -> Iterator[None]:
    """For the first calls on tensors without data, and for optimizers.

    torch imports its compiler for these, which takes about as long as torch itself, only to have them left out of
    compilation.
    """
    with _without(COMPILER):
        yield


@contextmanager
def without_algebra() -> Iterator[None]:
    """For a student's own process: tensors without data, and gradients with weights, load sympy to compare sizes.

    A grader loads it once instead, before it forks its judges.
    """
    with ExitStack() as stack:
        for name in ALGEBRA:
            stack.enter_context(_without(name))
        yield


@contextmanager
def _without(name: str) -> Iterator[None]:
    spec = None if name in sys.modules else importlib.util.find_spec(name)
    if spec is None:
        yield
        return
    stand_in = _StandIn(spec)
    sys.modules[name] = stand_in
    try:
        yield
    finally:
        if sys.modules.get(name) is stand_in:
            del sys.modules[name]


def as_it_is(model: Any = None, **_: object) -> Any:
    """`torch.compile` where nothing can be compiled: the function stays as it is."""
    return as_it_is if model is None else model


@contextmanager
def as_in_grading() -> Iterator[None]:
    """`torch.compile` leaves functions as they are, here too: a compiler may be missing, and takes minutes."""
    import torch

    before, torch.compile = torch.compile, as_it_is
    try:
        yield
    finally:
        torch.compile = before
