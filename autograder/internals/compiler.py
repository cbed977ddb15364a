"""Stand-ins for torch's compiler and its algebra of sizes, which a process that compiles nothing need not load."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any


class _StandIn(ModuleType):
    """A module with the names that torch looks up without compiling; any other name loads the real module."""

    def __init__(self, spec: ModuleSpec, package: _StandIn | None = None) -> None:
        super().__init__(spec.name)
        self.__path__ = list(spec.submodule_search_locations or [])
        self.__file__ = spec.origin
        self.__dict__.update(NEEDED[spec.name])
        own = (name.removeprefix(f"{spec.name}.") for name in NEEDED if name.startswith(f"{spec.name}."))
        self.children = {name: _StandIn(ModuleSpec(f"{spec.name}.{name}", None), self) for name in own}
        self.__dict__.update(self.children)
        self._package = package or self

    def __getattr__(self, name: str) -> Any:
        self._package.leave()
        return getattr(importlib.import_module(self.__name__), name)

    def leave(self) -> None:
        """Leave the place to the real module, which the next import loads."""
        for each in (self, *self.children.values()):
            if sys.modules.get(each.__name__) is each:
                del sys.modules[each.__name__]


class _Finder(MetaPathFinder):
    """Finds the modules in a package that has a stand-in: its own, or those of the real package, which is loaded."""

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:  # noqa: ARG002
        package, _, name = fullname.rpartition(".")
        stand_in = sys.modules.get(package)
        if not isinstance(stand_in, _StandIn):
            return None
        if name in stand_in.children:
            return ModuleSpec(fullname, _Loaded(stand_in.children[name]))
        stand_in.leave()
        importlib.import_module(package)
        return ModuleSpec(fullname, _Loaded(sys.modules[fullname])) if fullname in sys.modules else None


class _Loaded(Loader):
    """The loader of a module that is loaded already."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module

    def create_module(self, _: ModuleSpec) -> ModuleType:
        return self._module

    def exec_module(self, _: ModuleType) -> None:
        """Do nothing."""


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
COMPILER = ("torch._dynamo", "torch._inductor")
ALGEBRA = ("torch.fx.experimental.symbolic_shapes", "sympy")
SINCE = "2.13"
NEW, OLD = ("guarding_hint_or_throw", "has_guarding_hint"), ("size_hint", "has_hint")
"""What torch looks up for a size, and whether it is known: since that version, and before it, where it has them."""
NEEDED: dict[str, dict[str, Any]] = {
    COMPILER[0]: {"disable": _disable, "graph_break": _graph_break, "allow_in_graph": _disable},
    f"{COMPILER[0]}.compiled_autograd": {"_disable": nullcontext},  # for torch.func
    COMPILER[1]: {},
    f"{COMPILER[1]}.config": {},  # where torch keeps one of its own settings
    ALGEBRA[0]: {
        **dict.fromkeys(BOOLEAN, bool),
        **{"sym_eq": _equal, "sym_and": _all, "sym_or": _any, "is_nested_int": _of_nested},
        **{number: _number for number, _ in (NEW, OLD)},
        **{known: _always for _, known in (NEW, OLD)},
    },
    ALGEBRA[1]: {"Basic": _Symbol},
}


@contextmanager
def without_compiler() -> Iterator[None]:
    """Keep the compiler out of the first calls on tensors without data, out of optimizers, and of torch's settings.

    torch imports its compiler for these only to exclude them from compilation, which takes about as long as importing
    torch itself.
    """
    with _without(*COMPILER):
        yield


@contextmanager
def without_algebra() -> Iterator[None]:
    """Keep sympy out, which torch loads to compare sizes."""
    with _without(*ALGEBRA):
        yield


@contextmanager
def _without(*names: str) -> Iterator[None]:
    specs = [spec for name in names if name not in sys.modules and (spec := importlib.util.find_spec(name))]
    if not specs:
        yield
        return
    finder, stand_ins = _Finder(), list(map(_StandIn, specs))
    sys.modules.update({each.__name__: each for each in stand_ins})
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for each in stand_ins:
            each.leave()


@contextmanager
def uncompiled() -> Iterator[None]:
    """Let `torch.compile` return functions as they are: a compiler may be missing, and is slow."""
    import torch

    before, torch.compile = torch.compile, _as_it_is
    try:
        yield
    finally:
        torch.compile = before


def _as_it_is(model: Any = None, **_: object) -> Any:
    return _as_it_is if model is None else model
