"""What counts as data beside tensors, arrays and containers: the types of numbers, and values without parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, TypeAlias

import numpy as np
import torch

DTYPES: Final[Mapping[str, torch.dtype]] = {
    "float64": torch.float64,
    "float32": torch.float32,
    "float16": torch.float16,
    "bfloat16": torch.bfloat16,
    "complex128": torch.complex128,
    "complex64": torch.complex64,
    "int64": torch.int64,
    "int32": torch.int32,
    "int16": torch.int16,
    "int8": torch.int8,
    "uint8": torch.uint8,
    "bool": torch.bool,
}
"""The dtypes of tensors that are data."""
DTYPE_NAMES: Final = {dtype: name for name, dtype in DTYPES.items()}
NUMPY: Final = {name: np.dtype(name) for name in (*DTYPES, "uint64", "uint32", "uint16") if name != "bfloat16"}
"""The dtypes of arrays of numbers that are data."""
NUMPY_NAMES: Final = {dtype: name for name, dtype in NUMPY.items()}

MOST_BITS: Final = 12_288
"""A larger integer is no data: Python refuses to write it in decimal."""
LONGEST_TEXT: Final = 100_000
"""The letters of a text, or bytes, that an answer may hold."""
MOST_VALUES: Final = 200_000
"""The values that an answer may hold."""
MOST_MEMBERS: Final = 10_000
"""The members that the sets of an answer may have together, with the keys of its dicts that are no text."""

Exact: TypeAlias = int | Decimal | Fraction
EXACT: Final = (int, Decimal, Fraction)
"""Numbers of any size."""
SINGLE: Final = (bool, int, float, complex, str, bytes, Decimal, Fraction, type(None))
"""Values without parts."""

_AS_KIND: Final[Sequence[tuple[type, Callable[[Any], Any]]]] = (
    (int, int.__int__),
    (float, float.__float__),
    (complex, complex.__complex__),
    (str, str.__str__),
    (bytes, bytes.__bytes__),
    (Decimal, Decimal),
)


def is_large(number: Exact) -> bool:
    """Return whether a number has more digits than an answer may have, or is a NaN that no comparison survives."""
    if isinstance(number, Decimal):
        return number.is_snan() or len(number.as_tuple().digits) * 4 > MOST_BITS
    return number.numerator.bit_length() + number.denominator.bit_length() > MOST_BITS


def is_text(value: str) -> bool:
    """Return whether a string has no half of a pair of surrogates, which no file can hold."""
    try:
        return value.isascii() or bool(value.encode("utf-8"))
    except UnicodeEncodeError:
        return False


def is_key(value: Any) -> bool:
    """Return whether a value may be a key of a dict, or a member of a set: it stays as it is, and is quick to hash."""
    if isinstance(value, tuple | frozenset):
        return all(map(is_key, value))
    return isinstance(value, SINGLE)


def in_order(values: Iterable[Any]) -> list[Any]:
    """Return the members of a set, or keys, in an order that is the same in each process: first numbers, by size."""
    return sorted(values, key=_rank)


def _rank(value: Any) -> tuple[int, float, str]:
    if isinstance(value, int | float) and value == value and abs(value) < 1e300:
        return 0, float(value), repr(value)
    return 1, 0.0, f"{type(value).__name__} {written(value)}"


def written(value: Any) -> str:
    """Return the repr of a value without parts, or of sets and tuples of them, the same in each process."""
    if isinstance(value, set | frozenset):
        inner = ", ".join(map(written, in_order(value)))
        whole = f"{{{inner}}}" if inner else ""
        return f"frozenset({whole})" if isinstance(value, frozenset) else whole or "set()"
    if isinstance(value, tuple):
        return f"({', '.join(map(written, value))}{',' * (len(value) == 1)})"
    return repr(value)


def as_python(value: Any) -> Any:
    """Return a value without parts as its exact type, whatever a subclass defines; NumPy's numbers become Python's."""
    if isinstance(value, np.generic) and value.dtype.kind not in "mM":
        long = isinstance(value, np.longdouble | np.clongdouble)  # whose `item` is no number of Python's
        return _exact((complex(value) if value.dtype.kind == "c" else float(value)) if long else value.item())
    return _exact(value)


_EXACT_TYPES: Final = frozenset({bool, *(kind for kind, _ in _AS_KIND)})


def _exact(value: Any) -> Any:
    if type(value) in _EXACT_TYPES:
        return value
    return next((as_kind(value) for kind, as_kind in _AS_KIND if isinstance(value, kind)), value)


def texts_of(array: np.ndarray) -> np.ndarray | None:
    """Return an array of texts in NumPy's usual form; None for any other array."""
    kind = array.dtype.kind
    if kind == "O":
        return np.array(array, dtype=str) if array.size and all(type(each) is str for each in array.flat) else None
    return np.array(array, dtype=str) if kind in "UT" else None
