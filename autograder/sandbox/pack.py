"""Values as typed nodes plus raw buffers, and back: nothing else crosses between judge and worker."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, TypeAlias

import numpy as np
import torch

from autograder.calls.records import Data, Opaque, Part, raw
from autograder.calls.values import (
    DTYPE_NAMES,
    DTYPES,
    LONGEST_TEXT,
    MOST_BITS,
    MOST_MEMBERS,
    MOST_VALUES,
    NUMPY,
    NUMPY_NAMES,
    SINGLE,
    Exact,
    as_python,
    in_order,
    is_key,
    is_large,
    is_text,
)
from autograder.core.text import plain
from autograder.sandbox.nodes import (
    DEPTH_CAP,
    INT64,
    LONGEST_AXIS,
    MOST_AXES,
    SHORT,
    TEXT_ARRAY_CAP,
    ArrayNode,
    BytesNode,
    ComplexNode,
    DictNode,
    DtypeNode,
    ExactNode,
    ListNode,
    MapNode,
    OpaqueNode,
    PartNode,
    ProtocolError,
    RefNode,
    SetNode,
    TextsNode,
    TupleNode,
    Value,
)

_Container: TypeAlias = ListNode | TupleNode | DictNode | MapNode | SetNode | PartNode
_Compound: TypeAlias = _Container | ArrayNode | TextsNode
_COMPOUND: Final = (ListNode, TupleNode, DictNode, MapNode, SetNode, PartNode, ArrayNode, TextsNode)


class Packer:
    """A converter of values into nodes; it gathers their bytes in `buffers`.

    Args:
        exact: for the judge, which keeps identity and raises `ProtocolError` where a value cannot be sent. Otherwise
            such a value becomes an `OpaqueNode`.
    """

    def __init__(self, *, exact: bool) -> None:
        self.buffers: list[Any] = []
        self._exact = exact
        self._seen: dict[int, int] = {}
        self._kept: list[Any] = []  # keeps ids unique while packing

    def value(self, value: Data, depth: int = 0) -> Value:
        if isinstance(value, SINGLE):
            return self._single(as_python(value))
        if self._exact and isinstance(value, torch.dtype) and value in DTYPE_NAMES:
            return DtypeNode(DTYPE_NAMES[value])  # type: ignore[arg-type]
        if self._exact and id(value) in self._seen:
            return RefNode(self._seen[id(value)])
        node = self._compound(value, depth)
        if not isinstance(node, OpaqueNode):
            self._seen[id(value)] = len(self._kept)
            self._kept.append(value)
        return node

    def array(self, value: torch.Tensor | np.ndarray) -> ArrayNode | OpaqueNode:
        """Return the node of one tensor or array; identity is not kept."""
        if isinstance(value, torch.Tensor):
            return self._tensor(value)
        return self._ndarray(value)

    def _single(self, value: Any) -> Value:
        if isinstance(value, Decimal | Fraction) or (isinstance(value, int) and value not in INT64):
            return self._exact_number(value)
        if isinstance(value, complex):
            return ComplexNode(value.real, value.imag)
        if isinstance(value, str | bytes) and len(value) > LONGEST_TEXT and not self._exact:
            return self._opaque(f"{type(value).__name__} of {len(value):,} letters")
        if isinstance(value, str) and not is_text(value):
            return self._opaque("str that is no Unicode text")
        return BytesNode(value) if isinstance(value, bytes) else value

    def _exact_number(self, value: Exact) -> Value:
        if is_large(value):
            return self._opaque(f"{type(value).__name__} of more than {MOST_BITS} bits")
        if isinstance(value, Decimal):
            return ExactNode("decimal", str(value))
        if isinstance(value, Fraction):
            return ExactNode("fraction", f"{value.numerator:x}/{value.denominator:x}")
        return ExactNode("int", f"{value:x}")

    def _compound(self, value: Any, depth: int) -> Value:
        if isinstance(value, np.ndarray) and value.dtype.kind == "U":
            return self._texts(value)
        if isinstance(value, torch.Tensor | np.ndarray):
            return self.array(value)
        if depth >= DEPTH_CAP:
            return self._opaque(f"{type(value).__name__} nested too deep")
        if isinstance(value, list | tuple):
            items = [self.value(item, depth + 1) for item in value]
            return ListNode(items) if isinstance(value, list) else TupleNode(items)
        if isinstance(value, dict | set | frozenset) and not all(map(is_key, value)):
            return self._opaque(f"{type(value).__name__} with what is no data in it")
        if isinstance(value, dict):
            return self._dict(value, depth)
        if isinstance(value, set | frozenset):
            return SetNode([self.value(item, depth + 1) for item in in_order(value)], isinstance(value, frozenset))
        if self._exact and isinstance(value, Part):
            args = [self.value(item, depth + 1) for item in value.args]
            return PartNode(value.name, args, {key: self.value(item, depth + 1) for key, item in value.kwargs.items()})
        return self._opaque(value.type_name if isinstance(value, Opaque) else type(value).__name__)

    def _dict(self, value: dict[Any, Any], depth: int) -> Value:
        items = [(self.value(key, depth + 1), self.value(item, depth + 1)) for key, item in value.items()]
        texts = {key: item for key, item in items if isinstance(key, str)}
        return DictNode(texts) if len(texts) == len(items) else MapNode(items)

    def _tensor(self, tensor: torch.Tensor) -> ArrayNode | OpaqueNode:
        name = DTYPE_NAMES.get(tensor.dtype)
        device = tensor.device.type
        if name is None or tensor.layout is not torch.strided or device not in ("cpu", "meta"):
            return self._opaque(f"Tensor of {tensor.dtype}, {tensor.layout} on {device}")
        if trouble := _oversize(tensor.shape):
            return self._opaque(f"tensor {trouble}")
        order = None
        if self._exact and not tensor.is_contiguous():
            order = sorted(range(tensor.dim()), key=tensor.stride, reverse=True)
            tensor = tensor.permute(order)
        if device == "cpu":
            self.buffers.append(raw(tensor).numpy().data)
        return ArrayNode("torch", name, list(tensor.shape), device, order)  # type: ignore[arg-type]

    def _ndarray(self, array: np.ndarray) -> ArrayNode | OpaqueNode:
        name = NUMPY_NAMES.get(array.dtype.newbyteorder("="))
        if name is None:
            return self._opaque(f"ndarray of {array.dtype}")
        if trouble := _oversize(array.shape):
            return self._opaque(f"ndarray {trouble}")
        self.buffers.append(np.asarray(array, dtype=NUMPY[name]).tobytes())
        return ArrayNode("numpy", name, list(array.shape))  # type: ignore[arg-type]

    def _texts(self, array: np.ndarray) -> TextsNode | OpaqueNode:
        if trouble := _oversize(array.shape):
            return self._opaque(f"ndarray {trouble}")
        if array.nbytes > TEXT_ARRAY_CAP or array.size > MOST_VALUES:
            return self._opaque(f"ndarray of {array.size:,} texts")
        items: list[str] = array.ravel().tolist()
        if not is_text("".join(items)):
            return self._opaque("ndarray of texts that are no Unicode")
        return TextsNode(items, [*array.shape])

    def _opaque(self, type_name: str) -> OpaqueNode:
        if self._exact:
            raise ProtocolError(f"a value of type {type_name} cannot be sent to a worker; send data")
        return OpaqueNode(plain(type_name[:SHORT]))


def _oversize(shape: Sequence[int]) -> str:
    """Return what of a shape is more than a message has room for, in words; "" if nothing is."""
    if len(shape) > MOST_AXES:
        return f"of {len(shape)} axes"
    longest = max(shape, default=0)
    return f"with an axis of size {longest}" if longest > LONGEST_AXIS else ""


class Unpacker:
    """A converter of nodes back into values; their bytes come from `body` in order, and must be used up.

    Args:
        body: None for values without their numbers: tensors on `meta`, arrays of zeros that take no memory.
        references: whether one object may occur twice. A worker may not send such: nested references to containers
            would make the judge walk an exponential tree.
    """

    def __init__(self, body: memoryview | None, *, references: bool) -> None:
        self._body = body
        self._references = references
        self._offset = 0
        self._count = 0
        self._members = 0
        self._done: list[Data] = []

    def value(self, node: Value, depth: int = 0) -> Data:
        self._count += 1
        if depth > DEPTH_CAP or self._count > MOST_VALUES:
            raise ProtocolError(f"more than {MOST_VALUES} values, or nested deeper than {DEPTH_CAP}")
        if isinstance(node, RefNode):
            return self._referred(node.index)
        if isinstance(node, DtypeNode):
            return self._dtype(node)
        if isinstance(node, OpaqueNode):
            return Opaque(plain(node.type_name))
        if isinstance(node, BytesNode):
            return node.data
        if isinstance(node, ComplexNode):
            return complex(node.real, node.imag)
        if isinstance(node, ExactNode):
            return _exact_number(node)
        if not isinstance(node, _COMPOUND):
            return node
        value = self._compound(node, depth)
        self._done.append(value)
        return value

    def _compound(self, node: _Compound, depth: int) -> Data:
        if isinstance(node, ArrayNode):
            return self.array(node)
        return _texts(node) if isinstance(node, TextsNode) else self._container(node, depth)

    def array(self, node: ArrayNode) -> torch.Tensor | np.ndarray:
        try:
            return self._numpy(node) if node.kind == "numpy" else _ordered(self._torch(node), node.order)
        except (RuntimeError, ValueError, OverflowError) as error:
            raise ProtocolError(f"no tensor can have the shape {node.shape}") from error

    def tensor(self, node: ArrayNode) -> torch.Tensor:
        """Return the tensor of a node.

        Raises:
            ProtocolError: the node is a numpy array.
        """
        value = self.array(node)
        if not isinstance(value, torch.Tensor):
            raise ProtocolError("an array came where a tensor belongs")
        return value

    def finish(self) -> None:
        """Raise `ProtocolError` if bytes of the body are left."""
        if self._body is not None and self._offset != len(self._body):
            raise ProtocolError(f"{len(self._body) - self._offset} bytes belong to no tensor")

    def _container(self, node: _Container, depth: int) -> Data:
        if isinstance(node, PartNode):
            return self._part(node, depth)
        if isinstance(node, DictNode):
            return {key: self.value(item, depth + 1) for key, item in node.items.items()}
        if isinstance(node, MapNode):
            return {self._member(key, depth + 1): self.value(item, depth + 1) for key, item in node.items}
        if isinstance(node, SetNode):
            members = [self._member(item, depth + 1) for item in node.items]
            return frozenset(members) if node.frozen else {*members}
        items = [self.value(item, depth + 1) for item in node.items]
        return items if isinstance(node, ListNode) else tuple(items)

    def _member(self, node: Value, depth: int) -> Data:
        """Return a key of a dict, or a member of a set, of which few enough come that hashing them is quick."""
        self._members += 1
        key = self.value(node, depth)
        if self._members > MOST_MEMBERS or not is_key(key):
            raise ProtocolError(f"more than {MOST_MEMBERS} members of sets and keys, or one that is no data")
        return key

    def _part(self, node: PartNode, depth: int) -> Part:
        if not self._references:
            raise ProtocolError("a part came where an answer belongs")
        args = tuple(self.value(item, depth + 1) for item in node.args)
        return Part(node.name, args, {key: self.value(item, depth + 1) for key, item in node.kwargs.items()})

    def _dtype(self, node: DtypeNode) -> torch.dtype:
        if not self._references:
            raise ProtocolError("a dtype came where an answer belongs")
        return DTYPES[node.name]

    def _referred(self, index: int) -> Data:
        if not self._references or index >= len(self._done):
            raise ProtocolError("a reference to nothing")
        return self._done[index]

    def _take(self, size: int) -> memoryview:
        assert self._body is not None
        start, self._offset = self._offset, self._offset + size
        if self._offset > len(self._body):
            raise ProtocolError(f"a tensor of {size} bytes where {max(0, len(self._body) - start)} are left")
        return self._body[start : self._offset]

    def _torch(self, node: ArrayNode) -> torch.Tensor:
        if node.dtype not in DTYPES:
            raise ProtocolError(f"torch has no {node.dtype} here")
        dtype = DTYPES[node.dtype]
        if node.device == "meta" or self._body is None:
            return torch.empty(node.shape, dtype=dtype, device="meta")
        raw = self._take(math.prod(node.shape) * dtype.itemsize)
        if not raw:
            return torch.empty(node.shape, dtype=dtype)
        stored = torch.uint8 if dtype is torch.bool else dtype
        flat = torch.frombuffer(bytearray(raw), dtype=stored)
        # A bool byte other than 0 and 1 would make torch's own answers undefined.
        return (flat != 0 if dtype is torch.bool else flat).reshape(node.shape)

    def _numpy(self, node: ArrayNode) -> np.ndarray:
        if node.dtype == "bfloat16" or node.device == "meta":
            raise ProtocolError(f"numpy has no {node.dtype} on {node.device}")
        dtype = NUMPY[node.dtype]
        if self._body is None:
            return np.broadcast_to(np.zeros((), dtype), node.shape)
        raw = self._take(math.prod(node.shape) * dtype.itemsize)
        stored = np.dtype(np.uint8) if node.dtype == "bool" else dtype
        flat = np.frombuffer(raw, dtype=stored)
        return (flat != 0 if node.dtype == "bool" else flat.copy()).reshape(node.shape)


def _exact_number(node: ExactNode) -> Exact:
    try:
        if node.kind == "decimal":
            number: Exact = Decimal(node.text)
        else:
            number = int((parts := node.text.partition("/"))[0], 16)
            number = Fraction(number, int(parts[2], 16)) if node.kind == "fraction" else number
    except (ArithmeticError, ValueError) as error:
        raise ProtocolError(f"no {node.kind} is written so") from error
    if is_large(number):
        raise ProtocolError(f"a {node.kind} of more than {MOST_BITS} bits")
    return number


def _texts(node: TextsNode) -> np.ndarray:
    width = max(map(len, node.items), default=0)
    if len(node.items) != math.prod(node.shape) or 4 * width * len(node.items) > TEXT_ARRAY_CAP:
        raise ProtocolError(f"{len(node.items)} texts, the longest of {width} letters, for the shape {node.shape}")
    return np.array(node.items, dtype=f"<U{max(width, 1)}").reshape(node.shape)


def _ordered(memory: torch.Tensor, order: list[int] | None) -> torch.Tensor:
    """Return the tensor whose axis order[i] is axis i of `memory`; a wrong order raises a RuntimeError."""
    return memory if order is None else memory.permute(sorted(range(len(order)), key=order.__getitem__))
