"""On tensors without data, notice a mixture of devices as a GPU would notice it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from autograder.calls import tensors

# These carry numbers from one device to another, take an index from anywhere, or look at shapes alone.
MAY_MIX = {
    *("__getitem__", "__setitem__", "__get__", "__set__", "to", "copy_", "set_", "type_as"),
    *("expand_as", "view_as", "reshape_as", "broadcast_tensors"),
}


class _OneDevice(TorchFunctionMode):
    """Refuses what a kernel for tensors without data lets pass: `embedding` of an index that lies elsewhere."""

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Collection[type],
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        named = kwargs or {}
        if getattr(func, "__name__", "") not in MAY_MIX:
            met = {tensor.device for tensor in tensors((args, *named.values())) if tensor.dim()}
            if len(met) > 1:
                names = " and ".join(sorted(map(str, met)))
                raise RuntimeError(f"Expected all tensors to be on the same device, but found {names}")
        return func(*args, **named)


@contextmanager
def one_device(*values: Any) -> Iterator[None]:
    """Within this context tensors of two devices do not meet, if one of `values` has no data."""
    if any(isinstance(each, torch.Tensor) and each.is_meta for each in tensors(values)):
        with _OneDevice():
            yield
    else:
        yield
