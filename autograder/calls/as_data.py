"""What a student's code returned, as data."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import torch
from torch.nn.parameter import is_lazy

from autograder.calls.device_transfer import home
from autograder.calls.records import Data, Opaque
from autograder.calls.unfit import StrayError

SHRUNK: Final = "tensor whose memory was resized"
"""The kind of a tensor whose numbers would lie past the end of its memory."""


def learning_of(owner: Any) -> tuple[str, ...]:
    """Return the names of the parameters that are not frozen."""
    if not isinstance(owner, torch.nn.Module):
        return ()
    return tuple(name for name, parameter in owner.named_parameters() if parameter.requires_grad)


def state_of(module: torch.nn.Module) -> dict[str, Data]:
    """Return the state of a module, and which parameters learn."""
    return {
        "learning": list(learning_of(module)),
        **{name: as_data(item) for name, item in module.state_dict().items()},
    }


def as_data(value: Any, depth: int = 0) -> Data:
    """Return a detached copy of `value` on the CPU: for a module its state, for anything but data `Opaque`."""
    if isinstance(value, torch.nn.Module) and not depth:
        return state_of(value)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, torch.Tensor):
        return _dense(value)
    if isinstance(value, np.ndarray) and value.dtype.kind in "biufU":
        return np.array(value)
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, list | tuple) and depth < 8:
        items = [as_data(item, depth + 1) for item in value]
        return items if isinstance(value, list) else tuple(items)
    if isinstance(value, dict) and depth < 8 and all(isinstance(key, str) for key in value):
        return {key: as_data(item, depth + 1) for key, item in value.items()}
    return Opaque(type(value).__name__)


def _dense(tensor: torch.Tensor) -> torch.Tensor | Opaque:
    """Return a detached copy of an ordinary tensor on the CPU; of any other its kind."""
    try:
        if kind := _odd_kind(tensor):
            return Opaque(kind)
        bare = home(tensor.detach()).as_subclass(torch.Tensor)  # a subclass may lie about its numbers
        return bare.clone() if type(bare) is torch.Tensor else Opaque(type(tensor).__name__)
    except StrayError:
        raise
    except Exception:  # as that of a tensor which only pretends to have numbers
        return Opaque(f"{type(tensor).__name__} that cannot be copied")


def _odd_kind(tensor: torch.Tensor) -> str:
    """Return the kind of a tensor whose numbers do not lie in a block of memory, in words; "" if they do."""
    if is_lazy(tensor):
        return "tensor without a shape"
    if tensor.is_nested:
        return "nested tensor"
    if tensor.layout is not torch.strided:
        return f"{str(tensor.layout).removeprefix('torch.').strip('_').replace('_', ' ')} tensor"
    return SHRUNK if _lacks_memory(tensor) else ""


def _lacks_memory(tensor: torch.Tensor) -> bool:
    """Return whether numbers lie past the end of the memory, which reading them would not survive."""
    count = tensor.numel()
    if not count or not tensor.is_cpu:
        return False
    if not tensor.is_contiguous():
        count = 1 + sum((size - 1) * stride for size, stride in zip(tensor.shape, tensor.stride(), strict=True))
    return tensor.untyped_storage().nbytes() < (tensor.storage_offset() + count) * tensor.itemsize
