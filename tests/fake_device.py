"""A device that stands in for a GPU: its tensors hold their numbers in ordinary memory, and meet no others.

It takes the place of torch's device "lazy", whose own kernels are not loaded: unlike others, that one needs no driver
and no thread for gradients. It refuses what a GPU refuses: two tensors of different devices in one operation (but for a
single number, or an index), random generators of the CPU, and NumPy. It shows where a tensor is made on the wrong
device, and nothing of rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import pytest
import torch
from torch.utils._python_dispatch import return_and_correct_aliasing
from torch.utils._pytree import tree_leaves, tree_map

NAME, CPU = "lazy", torch.device("cpu")
MAY_MIX = {"copy_", "_to_copy", "index", "index_put", "index_put_", "_index_put_impl_"}
NEW = """
    empty.memory_format empty_strided eye eye.m arange arange.start arange.start_step linspace logspace randperm
    randperm.generator tril_indices triu_indices
"""
"""Operators that make a tensor of nothing; torch makes all others with these."""

_lacks_float64 = False


class FakeDeviceTensor(torch.Tensor):
    """A tensor on the device; `near` has its numbers."""

    near: torch.Tensor

    @staticmethod
    def __new__(cls, near: torch.Tensor) -> FakeDeviceTensor:
        if _lacks_float64 and near.dtype == torch.float64:
            raise TypeError("there is no float64 on this device")
        made = torch.Tensor._make_wrapper_subclass(  # type: ignore[attr-defined]
            cls,
            near.shape,
            strides=near.stride(),
            storage_offset=near.storage_offset(),
            dtype=near.dtype,
            layout=near.layout,
            device=torch.device(NAME, 0),
        )
        made.near = near
        return made

    def __repr__(self) -> str:  # type: ignore[override]
        return f"fake device {self.near}"

    def tolist(self) -> Any:
        return self.near.tolist()

    @property
    def data(self) -> torch.Tensor:  # type: ignore[override]
        return torch.Tensor.data.__get__(self)  # type: ignore[attr-defined]

    @data.setter
    def data(self, new: FakeDeviceTensor) -> None:
        """Take the numbers over too, as `module.to(dtype)` asks of a parameter."""
        torch.Tensor.data.__set__(self, new)  # type: ignore[attr-defined]
        self.near = new.near

    @classmethod
    def __torch_dispatch__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        named, name = dict(kwargs or {}), func.overloadpacket.__name__
        met = [each for each in tree_leaves((args, named)) if isinstance(each, torch.Tensor)]
        if name not in MAY_MIX and any(not isinstance(each, FakeDeviceTensor) and each.dim() for each in met):
            raise RuntimeError("Expected all tensors to be on the same device, but found at least two, lazy and cpu!")
        _refuse_generators((*args, *named.values()))
        device = named.pop("device", None)
        named.pop("pin_memory", None)
        inner = tree_map(_near, named) | ({"device": CPU} if device else {})
        out = func(*tree_map(_near, args), **inner)
        if name == "copy_":
            return args[0]
        if name in ("_conj", "_neg_view"):  # marks on the outside; the numbers are inside
            return FakeDeviceTensor(out.resolve_conj().resolve_neg())
        if name == "_local_scalar_dense" or (device and device.type == "cpu"):
            return out
        return return_and_correct_aliasing(func, args, kwargs or {}, tree_map(_on_fake_device, out))


def _refuse_generators(values: tuple[Any, ...]) -> None:
    """Refuse those that torch has: each belongs to another device."""
    for each in values:
        if isinstance(each, torch.Generator):
            raise RuntimeError(f"Expected a '{NAME}' device type for generator but found '{each.device}'")


def _near(value: Any) -> Any:
    return value.near if isinstance(value, FakeDeviceTensor) else value


def _on_fake_device(value: Any) -> Any:
    return FakeDeviceTensor(value) if isinstance(value, torch.Tensor) else value


def _made_near(operator: str) -> Callable[..., FakeDeviceTensor]:
    """Return a kernel that makes a new tensor in ordinary memory and takes it to the device."""
    name, _, overload = operator.partition(".")
    make = getattr(getattr(torch.ops.aten, name), overload or "default")

    def kernel(*args: Any, **named: Any) -> FakeDeviceTensor:
        _refuse_generators((*args, *named.values()))
        return FakeDeviceTensor(make(*args, **named | {"device": CPU, "pin_memory": None}))

    return kernel


def _copy_from(source: torch.Tensor, target: torch.Tensor, non_blocking: bool = False) -> torch.Tensor:
    _near(target).copy_(_near(source))
    return target


@cache
def fake_device() -> torch.device:
    """Return the device, which is set up when it is first asked for."""
    library = torch.library.Library("aten", "IMPL")
    for operator in NEW.split():
        library.impl(operator, _made_near(operator), "Lazy")
    library.impl("_copy_from", _copy_from, "Lazy")
    _kept.append(library)
    return torch.device(NAME)


_kept: list[torch.library.Library] = []


def device_there(name: str) -> torch.device:
    """Return the device of this name, for a test that runs on several."""
    return fake_device() if name == NAME else torch.device(name)


each_device = pytest.mark.parametrize(
    "device",
    [
        NAME,
        pytest.param("cuda", marks=pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no CUDA here")),
    ],
)


@contextmanager
def without_float64() -> Iterator[None]:
    """Within this context the device has no float64, as Apple's graphics processors have none."""
    global _lacks_float64
    _lacks_float64 = True
    try:
        yield
    finally:
        _lacks_float64 = False
