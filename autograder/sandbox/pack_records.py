"""The records of a call as typed nodes, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch

from autograder.calls.records import Absent, Build, Raised
from autograder.core.text import plain
from autograder.sandbox.nodes import (
    LONG,
    SHORT,
    AbsentNode,
    ArrayNode,
    BuildNode,
    OpaqueNode,
    RaisedNode,
    Value,
)
from autograder.sandbox.pack import Packer, Unpacker


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
