"""Values and records as typed nodes plus raw buffers, and back: nothing else crosses between judge and worker."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch

from autograder.calls.records import Absent, Build, Data, Opaque, Part, Raised, raw
from autograder.core.text import plain
from autograder.sandbox.nodes import (
    COUNT_CAP,
    DEPTH_CAP,
    DTYPE_NAMES,
    DTYPES,
    INT64,
    LONG,
    LONGEST_AXIS,
    MOST_AXES,
    NUMPY,
    NUMPY_NAMES,
    SHORT,
    TEXT_CAP,
    AbsentNode,
    ArrayNode,
    BuildNode,
    DictNode,
    DtypeNode,
    ListNode,
    OpaqueNode,
    PartNode,
    ProtocolError,
    RaisedNode,
    RefNode,
    TupleNode,
    Value,
)


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
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, int | float | str):
            return self._scalar(value)
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

    def _scalar(self, value: int | float | str) -> Value:
        # The unbound methods give the exact type, whatever a subclass defines.
        if isinstance(value, int):
            number = int.__int__(value)
            return number if number in INT64 else self._opaque("int of more than 64 bits")
        if isinstance(value, float):
            return float.__float__(value)
        text = str.__str__(value)
        if len(text) > TEXT_CAP and not self._exact:
            return self._opaque(f"str of {len(text):,} letters")
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            return self._opaque("str that is no Unicode text")
        return text

    def _compound(self, value: Any, depth: int) -> Value:
        if isinstance(value, torch.Tensor | np.ndarray):
            return self.array(value)
        if depth >= DEPTH_CAP:
            return self._opaque(f"{type(value).__name__} nested too deep")
        if isinstance(value, list | tuple):
            items = [self.value(item, depth + 1) for item in value]
            return ListNode(items) if isinstance(value, list) else TupleNode(items)
        if isinstance(value, dict):
            return self._dict(value, depth)
        if self._exact and isinstance(value, Part):
            args = [self.value(item, depth + 1) for item in value.args]
            return PartNode(value.name, args, {key: self.value(item, depth + 1) for key, item in value.kwargs.items()})
        return self._opaque(value.type_name if isinstance(value, Opaque) else type(value).__name__)

    def _dict(self, value: dict[Any, Any], depth: int) -> Value:
        keys = [self._scalar(key) if isinstance(key, str) else None for key in value]
        items = {key: item for key, item in zip(keys, value.values(), strict=True) if isinstance(key, str)}
        if len(items) < len(keys):
            return self._opaque("dict with keys that are no text")
        return DictNode({key: self.value(item, depth + 1) for key, item in items.items()})

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
        self._done: list[Data] = []

    def value(self, node: Value, depth: int = 0) -> Data:
        self._count += 1
        if depth > DEPTH_CAP or self._count > COUNT_CAP:
            raise ProtocolError(f"more than {COUNT_CAP} values, or nested deeper than {DEPTH_CAP}")
        if isinstance(node, RefNode):
            return self._referred(node.index)
        if isinstance(node, DtypeNode):
            return self._dtype(node)
        if isinstance(node, OpaqueNode):
            return Opaque(plain(node.type_name))
        if not isinstance(node, ListNode | TupleNode | DictNode | ArrayNode | PartNode):
            return node
        value = self.array(node) if isinstance(node, ArrayNode) else self._container(node, depth)
        self._done.append(value)
        return value

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

    def _container(self, node: ListNode | TupleNode | DictNode | PartNode, depth: int) -> Data:
        if isinstance(node, PartNode):
            return self._part(node, depth)
        if isinstance(node, DictNode):
            return {key: self.value(item, depth + 1) for key, item in node.items.items()}
        items = [self.value(item, depth + 1) for item in node.items]
        return items if isinstance(node, ListNode) else tuple(items)

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


def _ordered(memory: torch.Tensor, order: list[int] | None) -> torch.Tensor:
    """Return the tensor whose axis order[i] is axis i of `memory`; a wrong order raises a RuntimeError."""
    return memory if order is None else memory.permute(sorted(range(len(order)), key=order.__getitem__))


def build_head(packer: Packer, build: Build) -> BuildNode:
    return BuildNode(
        args=[packer.value(value) for value in build.args],
        kwargs={key: packer.value(value) for key, value in build.kwargs.items()},
        state={name: array_node(packer, value) for name, value in build.state.items()},  # type: ignore[misc]
        training=build.training,
        method=build.method,
        earlier=[packer.value(each) for each in build.earlier],
    )


def built(unpacker: Unpacker, head: BuildNode) -> Build:
    return Build(
        args=tuple(unpacker.value(node) for node in head.args),
        kwargs={key: unpacker.value(node) for key, node in head.kwargs.items()},
        state={name: unpacker.tensor(node) for name, node in head.state.items()},
        training=head.training,
        method=head.method,
        earlier=tuple(unpacker.value(node) for node in head.earlier),
    )


def array_node(packer: Packer, value: torch.Tensor | None) -> ArrayNode | None:
    """Return the node of a tensor; None, which counts as missing, where it cannot be sent."""
    node = None if value is None else packer.array(value)
    return None if isinstance(node, OpaqueNode) else node


def tensor_or_none(unpacker: Unpacker, node: ArrayNode | None) -> torch.Tensor | None:
    return None if node is None else unpacker.tensor(node)


def outcome_node(packer: Packer, value: Any) -> Value | RaisedNode | AbsentNode:
    if isinstance(value, Raised):
        return raised_node(value)
    return AbsentNode(plain(value.found[:SHORT])) if isinstance(value, Absent) else packer.value(value)


def outcome(unpacker: Unpacker, node: Value | RaisedNode | AbsentNode) -> Any:
    if isinstance(node, RaisedNode):
        return raised_of(node)
    return Absent(plain(node.found)) if isinstance(node, AbsentNode) else unpacker.value(node)


def gradient_nodes(packer: Packer, gradients: Any) -> dict[str, ArrayNode | None] | RaisedNode | None:
    if isinstance(gradients, Mapping):
        return {plain(name[:SHORT]): array_node(packer, value) for name, value in gradients.items()}
    return None if gradients is None else raised_node(gradients)


def gradients_of(unpacker: Unpacker, nodes: Any) -> Mapping[str, torch.Tensor | None] | Raised | None:
    if isinstance(nodes, RaisedNode):
        return raised_of(nodes)
    return None if nodes is None else {name: tensor_or_none(unpacker, node) for name, node in nodes.items()}


def raised_node(raised: Raised) -> RaisedNode:
    return RaisedNode(
        kind=plain(raised.kind[:SHORT]),
        bases=[plain(base[:SHORT]) for base in raised.bases[:64]],
        message=plain(raised.message[:LONG]),
        line=raised.line,
        source=plain(raised.source[:LONG]),
    )


def raised_of(node: RaisedNode) -> Raised:
    return Raised(plain(node.kind), tuple(node.bases), plain(node.message), node.line, plain(node.source))
