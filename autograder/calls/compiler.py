"""Stand-ins for torch's compiler and its algebra of sizes, which a process that compiles nothing need not load."""

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
    """A module with the names that torch looks up without compiling; any other name loads the real module."""

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
    """Return the function: nothing is compiled, so nothing needs to be left out."""
    return function


def _graph_break(*_: object, **__: object) -> None:
    """Do nothing; optimizers call it at each step."""


def _equal(a: Any, b: Any) -> bool:
    """Return whether two sizes or shapes are equal; a list may equal a tuple."""
    return bool(a == b) if isinstance(a, int) else tuple(a) == tuple(b)


def _number(size: int) -> int:
    """Return the size: it is a number already."""
    return size


def _all(*conditions: bool) -> bool:
    return all(conditions)


def _any(*conditions: bool) -> bool:
    return any(conditions)


def _always(_: object) -> bool:
    """Return True: every size is known."""
    return True


def _of_nested(size: Any) -> bool:
    """Return whether the size belongs to a nested tensor, where it is not a number."""
    return hasattr(size, "node") and bool(size.node.is_nested_int())


class _Symbol:
    """A type without instances: every size is a number here."""


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
    """Keep the compiler out of the first calls on tensors without data, and out of optimizers.

    torch imports its compiler for these only to exclude them from compilation, which takes about as long as importing
    torch itself.
    """
    with _without(COMPILER):
        yield


@contextmanager
def without_algebra() -> Iterator[None]:
    """Keep sympy, which torch loads to compare sizes, out of a student's own process.

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
    """Return the function as it is, in place of `torch.compile`."""
    return as_it_is if model is None else model


@contextmanager
def as_in_grading() -> Iterator[None]:
    """Let `torch.compile` leave functions as they are, as in grading: a compiler may be missing, and is slow."""
    import torch

    before, torch.compile = torch.compile, as_it_is
    try:
        yield
    finally:
        torch.compile = before
