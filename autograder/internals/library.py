"""Torch's library by public names: the kernels and the functions written in Python that patterns name."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from types import FunctionType
from typing import Any

import torch
from torch import nn

from autograder.source.forbidden import by_last_part, forbidden_among

BLOCKS = "reference.blocks"
WRITTEN_IN_PYTHON = (
    *("torch.functional", "torch.nn.functional", "torch._refs", "torch._refs.nn.functional", "torch._refs.special"),
    *("torch._decomp.decompositions", "torch.masked._ops", "torch.nn.utils.clip_grad", "torch.onnx.ops"),
    *("torch.onnx.ops._impl", "torch.distributions.kl"),
    *("torch.nn.attention.flex_attention", "torch._higher_order_ops.flex_attention"),
    *("torch.optim.adam", "torch.optim.adamw"),
)
COMPUTING = ("forward", "_block", "_call", "log_prob", "_init_group")  # endings of the methods that compute
COMPOSITE = (
    *("CompositeImplicitAutograd", "CompositeImplicitAutogradNestedTensor"),
    *("CompositeExplicitAutograd", "CompositeExplicitAutogradNonFunctional"),
)
KEYS = (
    *(*COMPOSITE, "CPU", "Meta", "NestedTensorCPU", "SparseCPU", "SparseCsrCPU", "QuantizedCPU", "MkldnnCPU"),
    *("CUDA", "MPS", "XPU"),  # for `attend check --device`
    *("FuncTorchBatched", "FuncTorchBatchedDecomposition", "FuncTorchVmapMode", "FuncTorchDynamicLayerFrontMode"),
)


def _public(name: str) -> str:
    """Return a dotted name without leading and trailing underscores of its last part, which count for nothing."""
    home, _, last = name.rpartition(".")
    return f"{home}.{last.strip('_')}"


def is_student_file(filename: str) -> bool:
    """Return whether it is a student's file: their names are relative, all others are absolute or no files."""
    return not Path(filename).is_absolute() and filename[:1] != "<"


@lru_cache(maxsize=64)
def kernels(patterns: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return each forbidden operator with each dispatch key that it has a kernel for."""
    operators, known = _operators(), _operators_by_last_part()
    names = [name for public in forbidden_among(known, patterns) for name in operators[public]]
    return tuple((name, key) for name in names for key in _keys().get(name, ()))


def prepare() -> None:
    """Look up in advance what is the same for every ban: it takes a moment, and processes forked later have it."""
    _written_in_python(torch_modules(len(sys.modules)))
    _operators_by_last_part()
    _keys()


@lru_cache(maxsize=1)
def _operators() -> dict[str, list[str]]:
    """Return torch's operators by their public dotted names."""
    found: dict[str, list[str]] = {}
    for name in torch._C._dispatch_get_all_op_names():
        found.setdefault(_public(dotted(name)), []).append(name)
    return found


@lru_cache(maxsize=1)
def _operators_by_last_part() -> dict[str, list[str]]:
    return by_last_part(_operators())


def dotted(operator: str) -> str:
    """Return "aten._softmax" for "aten::_softmax.out"."""
    space, _, rest = operator.partition("::")
    return f"{space}.{rest.partition('.')[0]}"


@lru_cache(maxsize=1)
def _keys() -> dict[str, list[str]]:
    """Return the dispatch keys of each operator that has kernels."""
    found: dict[str, list[str]] = {}
    for key in KEYS:
        for operator in _registered(key):
            found.setdefault(operator, []).append(key)
    return found


def _registered(key: str) -> list[str]:
    """Return the operators that have a kernel for a dispatch key."""
    try:
        return torch._C._dispatch_get_registrations_for_dispatch_key(key)
    except RuntimeError:  # another torch may not know the key
        return []


def kernel(operator: str, key: str) -> Callable[..., Any] | None:
    """Return the kernel itself; None if this version of torch does not provide it."""
    try:
        return torch.library.get_kernel(operator, key).call_boxed
    except (AttributeError, RuntimeError, ValueError):  # none before torch 2.9, and for some layouts
        return None


@lru_cache(maxsize=64)
def functions(patterns: tuple[str, ...], _modules: int) -> dict[FunctionType, str]:
    """Return each forbidden function that is written in Python, with its public name.

    Args:
        _modules: the number of torch's modules, a key of the cache: a new module may bring more functions.
    """
    known, by_last = _written_in_python(_modules)
    named = [*_blocks(patterns)]
    for public in forbidden_among(by_last, patterns):
        named += known[public]
    return {each: name for each, name in named if _is_of_the_library(each)}


@lru_cache(maxsize=4)
def torch_modules(_modules: int) -> int:
    """Return how many modules are torch's, or of the given parts; `_modules` is the number of all, for the cache."""
    return sum(name.startswith(("torch", BLOCKS)) for name in sys.modules)


@lru_cache(maxsize=4)
def _written_in_python(_modules: int) -> tuple[dict[str, list[tuple[Any, str]]], dict[str, list[str]]]:
    """Return torch's functions by their public dotted names, each with the name to show, and these by last part."""
    found: dict[str, list[tuple[Any, str]]] = {}
    homes: list[Any] = [sys.modules[name] for name in WRITTEN_IN_PYTHON if name in sys.modules]
    for home in (*homes, torch.Tensor):
        for name, value in vars(home).items():
            if callable(value):
                function = getattr(value, "_init_fn", value)  # what an operator written in Python runs
                named = inspect.unwrap(function), name.strip("_")
                found.setdefault(_public(f"{home.__name__}.{name}"), []).append(named)
    homes = [nn.Module, torch.distributions.Transform, torch.distributions.Distribution, torch.optim.Optimizer]
    for kind in (each for home in homes for each in _derived(home)):
        methods = [(method, kind.__name__) for name, method in vars(kind).items() if name.endswith(COMPUTING)]
        found.setdefault(_public(f"{kind.__module__}.{kind.__name__}"), []).extend(methods)
    return found, by_last_part(found)


def _is_of_the_library(value: object) -> bool:
    """Return whether it is a function whose code can be replaced, and not one a student put into the library."""
    if not isinstance(value, FunctionType) or value.__closure__:
        return False
    return not is_student_file(value.__code__.co_filename)


def _blocks(patterns: tuple[str, ...]) -> Iterator[tuple[Any, str]]:
    """Yield the forward methods of the given parts "blocks.Name" among `patterns`."""
    for name in patterns:
        home, _, part = name.partition(".")
        if home == "blocks" and (block := getattr(sys.modules.get(BLOCKS), part, None)):
            yield block.forward, name


def _derived(kind: type[Any]) -> Iterator[type[Any]]:
    """Yield the classes that torch derives from `kind`."""
    for each in kind.__subclasses__():
        if each.__module__.startswith("torch."):
            yield each
        yield from _derived(each)
