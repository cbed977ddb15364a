"""Kernels for tensors without data: for the commonest operators torch has them in C++, but runs others in Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any, Final

import torch
from torch._ops import OpOverload

COMMON: Final = frozenset(
    """add sub rsub mul div neg abs exp log sqrt rsqrt pow sin cos tanh sigmoid gelu maximum minimum eq ne lt le gt ge
    mm addmm bmm baddbmm _softmax _log_softmax sum mean cat""".split()
)
"""Operators whose two kernels allow and refuse the same; those for `clamp`, for example, do not."""
PRECEDENCE: Final = ("meta", "post_autograd", "pre_autograd")
"""Torch's tables of kernels in Python; the first that has an operator counts."""


_are_native = False
_stay_native = False


def prefer_native() -> None:
    """Use the kernels in C++ for common operators on tensors without data, from now on in this process.

    They take about a microsecond instead of a hundred. torch prefers those in Python for sizes that are symbols, which
    a grader never has. Where this version of torch keeps them in another way, nothing changes.
    """
    global _stay_native
    _stay_native = True
    _use_native()


@contextmanager
def native_kernels() -> Iterator[None]:
    """Prefer the kernels in C++ within this context alone, in a process that goes on with other things."""
    if _are_native:
        yield
        return
    _use_native()
    try:
        yield
    finally:
        if not _stay_native:
            _use_python()


def _use_native() -> None:
    global _are_native
    in_python = _in_python()
    if not in_python or _are_native:
        return
    _library().m.reset()
    try:
        _register({name: kernel for name, kernel in in_python.items() if not _is_native(name)})
    except BaseException:  # such as Ctrl-C: a notebook goes on, and needs all of them
        _library().m.reset()
        _register(in_python)
        raise
    _are_native = True


def _use_python() -> None:
    global _are_native
    _register({name: kernel for name, kernel in _in_python().items() if _is_native(name)})
    _are_native = False


def _library() -> Any:
    """Return torch's library of kernels in Python for tensors without data; None where this torch has none."""
    return getattr(getattr(torch, "_meta_registrations", None), "_meta_lib_dont_use_me_use_register_meta", None)


@cache
def _in_python() -> dict[str, Callable[..., Any]]:
    """Return the kernels in Python that torch has registered; none where it keeps them in another way."""
    library, tables = _library(), getattr(getattr(torch, "_meta_registrations", None), "global_decomposition_table", {})
    if not hasattr(library, "_op_impls") or not tables.keys() >= {*PRECEDENCE}:
        return {}
    known: dict[str, Callable[..., Any]] = {}
    for kind in PRECEDENCE:
        named = ((each._name, function) for each, function in tables[kind].items() if isinstance(each, OpOverload))
        for name, function in named:
            known.setdefault(name, function)
    registered = ["aten::" + key.split("/")[1] for key in library._op_impls]
    return {name: known[name] for name in registered}


def _register(kernels: Mapping[str, Callable[..., Any]]) -> None:
    for name, kernel in kernels.items():
        _library().m.impl(name, "Meta", kernel)


@cache
def _is_native(name: str) -> bool:
    """Return whether a common operator has a kernel in C++ too: asked first while those in Python are not there."""
    return _is_common(name) and torch._C._dispatch_has_kernel_for_dispatch_key(name, "Meta")


def _is_common(name: str) -> bool:
    return name.removeprefix("aten::").partition(".")[0].rstrip("_") in COMMON
