"""What a student's code returned, as data."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import torch
from torch.nn.parameter import is_lazy

from autograder.calls.device_transfer import home
from autograder.calls.records import Data, Opaque, Part, leaves
from autograder.calls.unfit import StrayError
from autograder.calls.values import (
    DTYPE_NAMES,
    EXACT,
    LONGEST_TEXT,
    MOST_BITS,
    MOST_MEMBERS,
    MOST_VALUES,
    NUMPY_NAMES,
    SINGLE,
    as_python,
    is_key,
    is_large,
    is_text,
    texts_of,
)

SHRUNK: Final = "tensor whose memory was resized"
"""The kind of a tensor whose numbers would lie past the end of its memory."""
DEEPEST: Final = 8
"""Containers inside more containers than this are no data."""
NARROW: Final = frozenset(map(np.dtype, ("float16", "float32", "complex64")))
"""Types of NumPy's numbers that Python has no equal of."""


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
    """Return a detached copy of `value` on the CPU: for a module its state, for anything but data `Opaque`.

    A named tuple becomes a tuple, a number of NumPy's one of Python's, but for those of less than double precision,
    which become arrays without axes. A pandas frame becomes a dict of its columns, with its index if it has one.
    """
    if value is None or type(value) in (float, bool):  # of which lists have many
        return value
    if isinstance(value, torch.nn.Module) and not depth:
        return state_of(value)
    if isinstance(value, torch.Tensor):
        return _dense(value)
    if isinstance(value, np.ndarray) or (isinstance(value, np.generic) and value.dtype in NARROW):
        return _array(np.array(value, subok=isinstance(value, np.ma.MaskedArray)))
    if isinstance(value, list | tuple | dict | set | frozenset):
        return _container(value, depth) if depth < DEEPEST else Opaque(f"{type(value).__name__} nested too deep")
    if type(value).__module__.partition(".")[0] == "pandas" and hasattr(value, "to_numpy"):
        return _table(value, depth)
    return _single(as_python(value))


def _container(value: Any, depth: int) -> Data:
    if isinstance(value, list | tuple):
        items = [as_data(item, depth + 1) for item in value]
        return items if isinstance(value, list) else tuple(items)
    keys = [*map(_key, value)]
    kind = "dict" if isinstance(value, dict) else "frozenset" if isinstance(value, frozenset) else "set"
    if odd := next((key for key in keys if not is_key(key)), None):
        return Opaque(f"{kind} with a {'key' if kind == 'dict' else 'member'} of type {type(odd).__name__}")
    if len(keys) > MOST_MEMBERS and not (kind == "dict" and all(isinstance(key, str) for key in keys)):
        return Opaque(f"{kind} of {len(keys):,} {'keys' if kind == 'dict' else 'members'}")
    if isinstance(value, dict):
        return {key: as_data(item, depth + 1) for key, item in zip(keys, value.values(), strict=True)}
    return frozenset(keys) if isinstance(value, frozenset) else {*keys}


def _key(value: Any) -> Any:
    if isinstance(value, tuple | frozenset):
        return (tuple if isinstance(value, tuple) else frozenset)(map(_key, value))
    return as_python(value)


def _single(value: Any) -> Data:
    """Return a value without parts, if answers may hold it."""
    if isinstance(value, str | bytes) and len(value) > LONGEST_TEXT:
        return Opaque(f"{type(value).__name__} of {len(value):,} {'letters' if isinstance(value, str) else 'bytes'}")
    if isinstance(value, str) and not is_text(value):
        return Opaque("str that is no Unicode text")
    if isinstance(value, EXACT) and is_large(value):
        return Opaque(f"{type(value).__name__} of more than {MOST_BITS} bits")
    return value if isinstance(value, SINGLE) else Opaque(type(value).__name__)


def _array(array: np.ndarray) -> np.ndarray | Opaque:
    if isinstance(array, np.ma.MaskedArray):  # of which two are equal only with their masks
        return Opaque("MaskedArray")
    known = NUMPY_NAMES.get(array.dtype.newbyteorder("="))
    if known:
        return array.astype(known, copy=False)
    texts = texts_of(array)
    return Opaque(f"ndarray of {array.dtype}") if texts is None else texts


def _table(value: Any, depth: int) -> Data:
    """Return a frame of pandas as a dict of its columns, a series or index as an array; with an index, as a dict."""
    if not hasattr(value, "index"):
        return _column(value, depth)
    numbered = type(value.index).__name__ == "RangeIndex" and (value.index.start, value.index.step) == (0, 1)
    index = {} if numbered else {"index": _column(value.index, depth + 1)}
    if not hasattr(value, "columns"):
        return {**index, "values": _column(value, depth + 1)} if index else _column(value, depth)
    names = [*map(_key, value.columns), *index]
    if len({*names}) < len(names) or not all(map(is_key, names)):
        return Opaque(f"{type(value).__name__} whose columns need other names")
    columns = (_column(value.iloc[:, place], depth + 1) for place in range(value.shape[1]))
    return dict(zip(names, (*columns, *index.values()), strict=True))


def _column(value: Any, depth: int) -> Data:
    array = value.to_numpy()
    return as_data(array.tolist() if array.dtype.kind == "O" and texts_of(array) is None else array, depth)


def _dense(tensor: torch.Tensor) -> torch.Tensor | Opaque:
    """Return a detached copy of an ordinary tensor on the CPU; of any other its kind."""
    try:
        if kind := _odd_kind(tensor):
            return Opaque(kind)
        if tensor.dtype not in DTYPE_NAMES:
            return Opaque(f"{type(tensor).__name__} of {tensor.dtype}")
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


def unfit_result(value: Data) -> str:
    """Return what no other answer can be compared with in a result, in words; "" if there is nothing."""
    found = [*leaves(value)]
    if odd := next((leaf for leaf in found if isinstance(leaf, Opaque)), None):
        return f"a value of type {odd.type_name}"
    members = _members(value)
    if len(found) > MOST_VALUES or members > MOST_MEMBERS:
        return f"{len(found):,} values, {members:,} of them members of sets or keys"
    return ""


def _members(value: Data) -> int:
    """Return how many members the sets in a value have, and keys that are no text the dicts."""
    if isinstance(value, set | frozenset):
        return len(value)
    if isinstance(value, dict):
        return sum(not isinstance(key, str) for key in value) + sum(map(_members, value.values()))
    return sum(map(_members, value)) if isinstance(value, list | tuple) else 0


def as_argument(leaf: Any) -> Data:
    """Return what a call gets in the place of an argument, or of an item of one: `Opaque` for what cannot be sent."""
    if isinstance(leaf, torch.Tensor):
        return leaf if leaf.dtype in DTYPE_NAMES else Opaque(f"Tensor of {leaf.dtype}")
    if isinstance(leaf, np.ndarray):
        return _array(leaf)
    if isinstance(leaf, set | frozenset):
        return _container(leaf, DEEPEST - 1)
    return leaf if isinstance(leaf, Part | torch.dtype) else _single(as_python(leaf))
