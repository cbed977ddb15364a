"""What tests of the wire lean on: the way there and back, when two values are the same, and values of every kind."""

from __future__ import annotations

import math
import struct
from typing import Any

import numpy as np
import torch
from hypothesis import strategies as st

from autograder.calls.records import Call, Observation
from autograder.sandbox import wire
from autograder.sandbox.frames import PREFIX, lengths
from autograder.sandbox.wire import Answer, Ask

DTYPES = [
    *("float64", "float32", "float16", "bfloat16", "complex128", "complex64"),
    *("int64", "int32", "int16", "int8", "uint8", "bool"),
]


def parts(frame: bytes) -> tuple[bytes, bytes]:
    header, body = lengths(frame[: PREFIX.size])
    rest = frame[PREFIX.size :]
    assert len(rest) == header + body
    return rest[:header], rest[header:]


def sent(value: Any) -> Any:
    """`value` after the way to a worker."""
    request = wire.decode_request(*parts(wire.encode_request(Ask(1, Call("f", (value,))))))
    assert isinstance(request, Ask)
    return request.call.args[0]


def answered(value: Any) -> Any:
    """`value` after the way back."""
    reply = wire.decode_reply(*parts(wire.encode_reply(Answer(1, Observation(result=value)))))
    assert isinstance(reply, Answer)
    return reply.observation.result


def same(one: Any, other: Any) -> bool:
    """Equal in type and value, NaN and -0.0 included."""
    if type(one) is not type(other):
        return False
    if isinstance(one, torch.Tensor):
        return same_tensor(one, other)
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return list(one) == list(other) and all(map(same, one.values(), other.values()))
    return struct.pack("d", one) == struct.pack("d", other) if isinstance(one, float) else bool(one == other)


def same_tensor(one: torch.Tensor, other: torch.Tensor) -> bool:
    if (one.dtype, one.shape, one.device) != (other.dtype, other.shape, other.device):
        return False
    if one.device.type == "meta":
        return True
    return torch.equal(one.reshape(-1).view(torch.uint8), other.reshape(-1).view(torch.uint8))


shapes = st.lists(st.integers(0, 4), max_size=4)
tensors = st.builds(
    lambda name, shape, seed, device: (
        torch.randint(0, 2 if name == "bool" else 100, shape, generator=torch.Generator().manual_seed(seed))
        .to(getattr(torch, name))
        .to(device)
    ),
    st.sampled_from(DTYPES),
    shapes,
    st.integers(0, 9),
    st.sampled_from(["cpu", "cpu", "meta"]),
)
arrays = st.builds(
    lambda name, shape: np.arange(math.prod(shape)).reshape(shape).astype(name),
    st.sampled_from([name for name in DTYPES if name != "bfloat16"]),
    shapes,
)
texts = st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=3), min_size=1).map(np.array)
keys = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary() | st.fractions()
plain = keys | st.floats() | st.complex_numbers(allow_nan=False) | st.decimals(allow_nan=False)
sets = st.sets(keys, max_size=4) | st.frozensets(keys | st.tuples(keys, keys), max_size=4)
data = st.recursive(
    plain | tensors | arrays | texts | sets,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(st.text(), inner, max_size=4)
        | st.dictionaries(keys, inner, max_size=4)
    ),
    max_leaves=8,
)
