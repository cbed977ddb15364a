"""Keep torch's compiler out of a process that compiles nothing."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

NAME = "torch._dynamo"


class _StandIn(ModuleType):
    """Says that there is nothing to compile; asked for anything else, it makes way for the real one."""

    def __init__(self, path: list[str]) -> None:
        super().__init__(NAME)
        self.__path__ = path

    @staticmethod
    def disable(function: Any, *_: object, **__: object) -> Any:
        return function

    @staticmethod
    def graph_break(*_: object, **__: object) -> None:
        """Optimizers ask for one at each step."""

    def __getattr__(self, name: str) -> Any:
        if sys.modules.get(NAME) is self:
            del sys.modules[NAME]
        return getattr(importlib.import_module(NAME), name)


@contextmanager
def without_compiler() -> Iterator[None]:
    """For the first calls on tensors without data, and for optimizers.

    torch imports its compiler for these, which takes about as long as torch itself, only to have them left out of
    compilation.
    """
    spec = None if NAME in sys.modules else importlib.util.find_spec(NAME)
    if spec is None:
        yield
        return
    stand_in = _StandIn(list(spec.submodule_search_locations or []))
    sys.modules[NAME] = stand_in
    try:
        yield
    finally:
        if sys.modules.get(NAME) is stand_in:
            del sys.modules[NAME]


def as_it_is(model: Any = None, **_: object) -> Any:
    """`torch.compile` where nothing can be compiled: the function stays as it is."""
    return as_it_is if model is None else model
