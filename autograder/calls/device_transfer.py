"""The device that calls are made on. Data lies on the CPU: copies go to that device, and what they show comes back.

Where tensors have no data, mixed devices raise the errors that a GPU would raise.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from autograder.calls.records import Call, Data, copied, mapped, tensors
from autograder.calls.unfit import StrayError
from autograder.core.errors import UsageError
from autograder.core.text import join_names
from autograder.internals.classes import without_validation

CPU = torch.device("cpu")
KNOWN = ("cuda", "mps", "xpu")
"""Devices beside the CPU, the fastest first."""

_place = CPU

# Functions that move numbers between devices, take an index from any device, or look only at shapes.
MAY_MIX = {
    *("__getitem__", "__setitem__", "__get__", "__set__", "to", "copy_", "set_", "type_as"),
    *("expand_as", "view_as", "reshape_as", "broadcast_tensors"),
}
INDEXED = {"index_put", "index_put_"}  # the second argument may be on any device
# A GPU takes a single number for these from any device; the kernels for tensors without data do not.
TAKE_A_NUMBER = {"masked_fill", "masked_fill_", "index_fill", "index_fill_", "copysign", "copysign_"}


def device_named(name: str) -> torch.device:
    """Return the device of this name; "auto" is the fastest one here.

    Raises:
        UsageError: there is no such device here.
    """
    there = [*(each for each in KNOWN if _is_there(each)), "cpu"]
    if name == "auto":
        return torch.device(there[0])
    if name not in there:
        raise UsageError(f"there is no device '{name}' here; leave --device out, or choose {join_names(there)}")
    return torch.device(name)


def _is_there(kind: str) -> bool:
    home = torch.backends.mps if kind == "mps" else getattr(torch, kind)
    return bool(home.is_available())


def device_for_checks(name: str) -> torch.device:
    """Return the device of this name, on which checks can run; "auto" is the fastest one here.

    Raises:
        UsageError: there is no such device here, or it has no float64.
    """
    device = device_named(name)
    try:
        torch.zeros(1, dtype=torch.float64, device=device)
    except (TypeError, RuntimeError) as error:
        if name == "auto":
            return CPU
        does = f"`attend train --device {name}` works, checks run on the CPU"
        raise UsageError(f"the device '{name}' has no float64, which checks compare in: {does}") from error
    return device


@contextmanager
def calls_on(device: torch.device) -> Iterator[None]:
    """Within this context, calls are made on `device`, with float32 in full precision."""
    global _place
    before, _place = _place, device
    try:
        with nullcontext() if device == CPU else torch.backends.cudnn.flags(enabled=True, allow_tf32=False):
            yield
    finally:
        _place = before


def carried(call: Call) -> Call:
    """Return `call` with its tensors on the device that calls are made on; the same call where that is the CPU."""
    if _place == CPU:
        return call
    moved: Call = copied(call, there, lambda record: record)
    return replace(moved, device=call.device or (str(_place) if call.bare else ""))


def there(value: Any) -> Any:
    """Return a tensor or module on the device that calls are made on; a module itself moves.

    Tensors without data stay as they are.
    """
    if _place == CPU or (isinstance(value, torch.Tensor) and value.is_meta):
        return value
    return value.to(_place) if isinstance(value, torch.Tensor | torch.nn.Module) else value


def seed_there(seed: int) -> None:
    """Seed the random numbers of the device that calls are made on."""
    if _place == CPU:
        torch.default_generator.manual_seed(seed)  # torch.manual_seed would load what belongs to other devices
    else:
        torch.manual_seed(seed)


def home(tensor: torch.Tensor) -> torch.Tensor:
    """Return a tensor that a call showed, on the CPU.

    Raises:
        StrayError: it has data, and does not lie on the device that calls are made on.
    """
    if _place == CPU or tensor.is_meta:
        return tensor
    if tensor.device.type != _place.type:
        raise StrayError(f"a tensor of its answer lies on {tensor.device.type} instead of {_place.type}")
    return tensor.to(CPU)


def all_home(value: Data) -> Data:
    """Return data with its tensors on the CPU, as `home` does."""
    return (
        value if _place == CPU else mapped(value, lambda leaf: home(leaf) if isinstance(leaf, torch.Tensor) else leaf)
    )


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
