"""Errors for mixed devices on tensors without data, as a GPU would raise them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from autograder.calls.records import tensors
from autograder.internals.classes import without_validation

# Functions that move numbers between devices, take an index from any device, or look only at shapes.
MAY_MIX = {
    *("__getitem__", "__setitem__", "__get__", "__set__", "to", "copy_", "set_", "type_as"),
    *("expand_as", "view_as", "reshape_as", "broadcast_tensors"),
}
INDEXED = {"index_put", "index_put_"}  # the second argument may be on any device
# A GPU takes a single number for these from any device; the kernels for tensors without data do not.
TAKE_A_NUMBER = {"masked_fill", "masked_fill_", "index_fill", "index_fill_", "copysign", "copysign_"}


class _OneDevice(TorchFunctionMode):
    """A mode that refuses what kernels for tensors without data accept, such as `embedding` with an index elsewhere."""

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Collection[type],
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        named, name = kwargs or {}, getattr(func, "__name__", "")
        if name in TAKE_A_NUMBER:
            args, named = tuple(map(_without_data, args)), {key: _without_data(each) for key, each in named.items()}
        if name not in MAY_MIX:
            looked_at = (args[:1], args[2:]) if name in INDEXED else args
            met = {tensor.device for tensor in tensors((looked_at, *named.values())) if tensor.dim()}
            if len(met) > 1:
                names = " and ".join(sorted(map(str, met)))
                raise RuntimeError(f"Expected all tensors to be on the same device, but found {names}")
        return func(*args, **named)


def _without_data(value: Any) -> Any:
    """Return a single number as a tensor without data, anything else as it is."""
    single = isinstance(value, torch.Tensor) and value.dim() == 0 and value.device.type == "cpu"
    return value.to("meta") if single else value


@contextmanager
def one_device(*values: Any) -> Iterator[None]:
    """Raise where tensors of two devices meet in this context, if one of `values` has no data."""
    if any(each.is_meta for each in tensors(values)):
        with without_validation(), _OneDevice():
            yield
    else:
        yield
