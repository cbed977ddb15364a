"""On tensors without data, notice a mixture of devices as a GPU would notice it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import torch
from torch.distributions import Distribution
from torch.overrides import TorchFunctionMode

from autograder.calls.records import tensors

# These carry numbers from one device to another, take an index from anywhere, or look at shapes alone.
MAY_MIX = {
    *("__getitem__", "__setitem__", "__get__", "__set__", "to", "copy_", "set_", "type_as"),
    *("expand_as", "view_as", "reshape_as", "broadcast_tensors"),
}
INDEXED = {"index_put", "index_put_"}  # by their second argument, from anywhere
# Of these a GPU takes a single number from anywhere, and the kernels for tensors without data do not.
TAKE_A_NUMBER = {"masked_fill", "masked_fill_", "index_fill", "index_fill_", "copysign", "copysign_"}


class _OneDevice(TorchFunctionMode):
    """Refuses what a kernel for tensors without data lets pass: `embedding` of an index that lies elsewhere."""

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
    """A single number as a tensor without data, everything else as it is."""
    single = isinstance(value, torch.Tensor) and value.dim() == 0 and value.device.type == "cpu"
    return value.to("meta") if single else value


@contextmanager
def one_device(*values: Any) -> Iterator[None]:
    """Within this context tensors of two devices do not meet, if one of `values` has no data."""
    if any(isinstance(each, torch.Tensor) and each.is_meta for each in tensors(values)):
        # To see whether its parameters are valid, a distribution would look at numbers that are not there.
        validates = Distribution._validate_args
        Distribution.set_default_validate_args(False)
        try:
            with _OneDevice():
                yield
        finally:
            Distribution.set_default_validate_args(validates)
    else:
        yield
