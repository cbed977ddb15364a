"""The typed nodes that stand for values on the wire, and their limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal, TypeAlias

import msgspec
import numpy as np
import torch
from msgspec import Meta

from autograder.core.errors import AttendError

DEPTH_CAP: Final = 16
COUNT_CAP: Final = 200_000
TEXT_CAP: Final = 100_000  # letters of a text that is answered
INT64: Final = range(-(2**63), 2**63)

_Dtype = Literal[
    "float64", "float32", "float16", "bfloat16", "int64", "int32", "int16", "int8", "uint8", "bool"
]  # fmt: skip
DTYPES: Final[Mapping[str, torch.dtype]] = {
    "float64": torch.float64,
    "float32": torch.float32,
    "float16": torch.float16,
    "bfloat16": torch.bfloat16,
    "int64": torch.int64,
    "int32": torch.int32,
    "int16": torch.int16,
    "int8": torch.int8,
    "uint8": torch.uint8,
    "bool": torch.bool,
}
DTYPE_NAMES: Final = {dtype: name for name, dtype in DTYPES.items()}
NUMPY: Final = {name: np.dtype(name) for name in DTYPES if name != "bfloat16"}
NUMPY_NAMES: Final = {dtype: name for name, dtype in NUMPY.items()}

SHORT: Final = 200
LONG: Final = 4000
Short = Annotated[str, Meta(max_length=SHORT)]
Long = Annotated[str, Meta(max_length=LONG)]
LONGEST_AXIS: Final = 2**40
MOST_AXES: Final = 32
_Size = Annotated[int, Meta(ge=0, le=LONGEST_AXIS)]
_Index = Annotated[int, Meta(ge=0, le=COUNT_CAP)]


class ProtocolError(AttendError):
    """The message breaks the protocol."""


class ListNode(msgspec.Struct, frozen=True, array_like=True, tag="list"):
    items: list[Value]


class TupleNode(msgspec.Struct, frozen=True, array_like=True, tag="tuple"):
    items: list[Value]


class DictNode(msgspec.Struct, frozen=True, array_like=True, tag="dict"):
    items: dict[str, Value]


class ArrayNode(msgspec.Struct, frozen=True, array_like=True, tag="array"):
    """A tensor or array; its bytes are the next ones of the body, none if it is on `meta`.

    `order` is for arguments that are not contiguous: `shape` is then the shape in memory, and axis i of the memory is
    axis order[i] of the tensor.
    """

    kind: Literal["torch", "numpy"]
    dtype: _Dtype
    shape: Annotated[list[_Size], Meta(max_length=MOST_AXES)]
    device: Literal["cpu", "meta"] = "cpu"
    order: Annotated[list[_Index], Meta(max_length=MOST_AXES)] | None = None


class RefNode(msgspec.Struct, frozen=True, array_like=True, tag="ref"):
    """A reference to the `index`-th tensor, array or container completed before."""

    index: _Index


class DtypeNode(msgspec.Struct, frozen=True, array_like=True, tag="dtype"):
    """A dtype as an argument; answers have none."""

    name: _Dtype


class PartNode(msgspec.Struct, frozen=True, array_like=True, tag="part"):
    """An argument that the worker makes from `reference.blocks`; answers have none."""

    name: Short
    args: list[Value]
    kwargs: dict[str, Value]


class OpaqueNode(msgspec.Struct, frozen=True, array_like=True, tag="opaque"):
    type_name: Short


Value: TypeAlias = (
    bool
    | int
    | float
    | str
    | ListNode
    | TupleNode
    | DictNode
    | ArrayNode
    | RefNode
    | DtypeNode
    | PartNode
    | OpaqueNode
    | None
)


class RaisedNode(msgspec.Struct, frozen=True, array_like=True, tag="raised"):
    kind: Short
    bases: Annotated[list[Short], Meta(max_length=64)]
    message: Long
    line: int | None
    source: Long


class AbsentNode(msgspec.Struct, frozen=True, array_like=True, tag="absent"):
    found: Short


class SameNode(msgspec.Struct, frozen=True, array_like=True, tag="same"):
    """The second answer, where it equals the first."""


class BuildNode(msgspec.Struct, frozen=True):
    """The construction of an object by the worker."""

    args: list[Value]
    kwargs: dict[str, Value]
    state: dict[str, ArrayNode]
    training: bool
    method: str
    earlier: list[Value] = []
