"""The typed nodes that stand for values on the wire, and their limits."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta

from autograder.calls.values import MOST_VALUES
from autograder.core.errors import AttendError

DEPTH_CAP: Final = 16
TEXT_ARRAY_CAP: Final = 64 << 20  # bytes
INT64: Final = range(-(2**63), 2**63)

_Dtype = Literal[
    "float64", "float32", "float16", "bfloat16", "complex128", "complex64",
    "int64", "int32", "int16", "int8", "uint64", "uint32", "uint16", "uint8", "bool",
]  # fmt: skip
SHORT: Final = 200
LONG: Final = 4000
Short = Annotated[str, Meta(max_length=SHORT)]
Long = Annotated[str, Meta(max_length=LONG)]
LONGEST_AXIS: Final = 2**40
MOST_AXES: Final = 32
_Size = Annotated[int, Meta(ge=0, le=LONGEST_AXIS)]
_Index = Annotated[int, Meta(ge=0, le=MOST_VALUES)]


class ProtocolError(AttendError):
    """The message breaks the protocol."""


class ListNode(msgspec.Struct, frozen=True, array_like=True, tag="list"):
    items: list[Value]


class TupleNode(msgspec.Struct, frozen=True, array_like=True, tag="tuple"):
    items: list[Value]


class DictNode(msgspec.Struct, frozen=True, array_like=True, tag="dict"):
    items: dict[str, Value]


class MapNode(msgspec.Struct, frozen=True, array_like=True, tag="map"):
    """A dict some of whose keys are no text."""

    items: list[tuple[Value, Value]]


class SetNode(msgspec.Struct, frozen=True, array_like=True, tag="set"):
    """A set or frozenset; its items are without parts, or tuples and frozensets of such."""

    items: list[Value]
    frozen: bool


class BytesNode(msgspec.Struct, frozen=True, array_like=True, tag="bytes"):
    data: bytes


class ComplexNode(msgspec.Struct, frozen=True, array_like=True, tag="complex"):
    real: float
    imag: float


class ExactNode(msgspec.Struct, frozen=True, array_like=True, tag="exact"):
    """A number of any size: an int or a fraction in hexadecimal, or a decimal."""

    kind: Literal["int", "fraction", "decimal"]
    text: Long


class TextsNode(msgspec.Struct, frozen=True, array_like=True, tag="texts"):
    """An array of texts."""

    items: list[str]
    shape: Annotated[list[_Size], Meta(max_length=MOST_AXES)]


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
    | BytesNode
    | ListNode
    | TupleNode
    | DictNode
    | MapNode
    | SetNode
    | ComplexNode
    | ExactNode
    | TextsNode
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
