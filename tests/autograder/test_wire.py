"""What crosses between judge and worker arrives as it was, and nothing else gets through."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.calls import Absent, Build, Call, Observation, Opaque, Part, Raised
from autograder.sandbox import wire
from autograder.sandbox.nodes import DEPTH_CAP, DtypeNode, PartNode, ProtocolError
from autograder.sandbox.pack import Unpacker
from autograder.sandbox.wire import PREFIX, Answer, Ask, Failed, Fault, Load, Loaded

F64 = torch.float64
DTYPES = ["float64", "float32", "float16", "bfloat16", "int64", "int32", "int16", "int8", "uint8", "bool"]


def parts(frame: bytes) -> tuple[bytes, bytes]:
    header, body = wire.lengths(frame[: PREFIX.size])
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
plain = st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats() | st.text()
data = st.recursive(
    plain | tensors | arrays,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(st.text(), inner, max_size=4)
    ),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None, database=None)
@given(data)
def test_every_kind_of_data_arrives_unchanged_both_ways(value: Any) -> None:
    assert same(sent(value), value)
    assert same(answered(value), value)


@settings(max_examples=300, deadline=None, database=None)
@given(st.binary(max_size=200), st.binary(max_size=64))
def test_garbage_raises_a_protocol_error_and_nothing_else(header: bytes, body: bytes) -> None:
    with pytest.raises(ProtocolError):
        wire.decode_reply(header, body)


@settings(max_examples=300, deadline=None, database=None)
@given(data, st.integers(0, 10**6), st.integers(0, 255), st.booleans())
def test_one_wrong_byte_is_read_or_refused_but_never_breaks_the_judge(
    value: Any, place: int, byte: int, cut: bool
) -> None:
    header, body = parts(wire.encode_reply(Answer(1, Observation(result=value, arguments=(value,)))))
    damaged = bytearray(header)
    damaged[place % len(damaged)] = byte
    with suppress(ProtocolError):
        wire.decode_reply(bytes(damaged[: place % len(damaged)] if cut else damaged), body)


def test_a_whole_call_arrives() -> None:
    build = Build((3,), {"bias": True}, {"weight": torch.ones(2, 3)}, training=True, method="encode")
    call = Call("Layer", (torch.ones(2),), {"mask": None}, build, (torch.ones(2), None), ("softmax",), F64, "meta", 7)
    request = wire.decode_request(*parts(wire.encode_request(Ask(7, call))))
    assert isinstance(request, Ask)
    assert request.number == 7
    assert same(
        [request.call.name, request.call.args, dict(request.call.kwargs)],
        ["Layer", call.args, {"mask": None}],
    )
    assert request.call.build is not None
    assert request.call.build.training
    assert same(dict(request.call.build.state), dict(build.state))
    assert same(request.call.cotangents, call.cotangents)
    assert request.call.build.method == "encode"
    assert request.call.forbidden == ("softmax",)
    assert (request.call.dtype, request.call.device, request.call.seed) == (F64, "meta", 7)


def test_a_whole_observation_arrives() -> None:
    raised = Raised("ValueError", ("ValueError", "Exception"), "no", 3, "raise ValueError('no')")
    gradients = {"argument 0": torch.ones(1), "argument 1": None}
    observation = Observation((1, torch.ones(2)), raised, ([1.5],), gradients, ("bias",))
    reply = wire.decode_reply(*parts(wire.encode_reply(Answer(3, observation))))
    assert isinstance(reply, Answer)
    assert reply.number == 3
    assert same(reply.observation.result, observation.result)
    assert reply.observation.again == raised
    assert reply.observation.changed == ("bias",)
    assert same(reply.observation.arguments, observation.arguments)
    assert same(dict(reply.observation.gradients), dict(observation.gradients))  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [Opaque("generator"), Absent("nothing"), Raised("KeyError", ("KeyError",), "x")])
def test_what_is_no_data_arrives_as_itself(value: Any) -> None:
    assert answered(value) == value


@pytest.mark.parametrize("message", [Load("ch01", "x = 1"), Loaded(), Fault("no"), Failed(False, Raised("E", (), ""))])
def test_every_other_message_arrives(message: Any) -> None:
    if isinstance(message, Load):
        assert wire.decode_request(*parts(wire.encode_request(message))) == message
    else:
        assert wire.decode_reply(*parts(wire.encode_reply(message))) == message


def test_a_part_arrives_with_what_it_is_made_of() -> None:
    inner = Part("Inner", (torch.ones(2),))
    part = Part("Outer", (inner, 3), {"name": "x"})
    request = wire.decode_request(*parts(wire.encode_request(Ask(1, Call("f", (part, inner))))))
    assert isinstance(request, Ask)
    outer, again = request.call.args
    assert (outer.name, outer.args[1], outer.kwargs) == ("Outer", 3, {"name": "x"})
    assert outer.args[0] is again
    assert torch.equal(again.args[0], torch.ones(2))


def test_an_answer_has_no_part_and_no_dtype() -> None:
    assert answered(Part("Inner")) == Opaque("Part")
    for node in (PartNode("Inner", [], {}), DtypeNode("float64")):
        with pytest.raises(ProtocolError, match="came where an answer belongs"):
            Unpacker(memoryview(b""), references=False).value(node)


def test_one_object_passed_twice_stays_one_object() -> None:
    tensor, items = torch.ones(2), [1, 2]
    call = Call("f", (tensor, [items, tensor], items), {"again": tensor})
    request = wire.decode_request(*parts(wire.encode_request(Ask(1, call))))
    assert isinstance(request, Ask)
    first, (inner, second), third = request.call.args
    assert first is second is request.call.kwargs["again"]
    assert inner is third


@pytest.mark.parametrize(
    "value",
    [
        2**63,
        object(),
        {1: 2},
        np.array(["a"]),
        np.array([object()]),
        torch.ones(2, dtype=torch.complex64),
        "\ud800",
    ],
)
def test_what_cannot_be_sent_is_opaque_from_a_worker_and_refused_from_the_judge(value: Any) -> None:
    assert isinstance(answered(value), Opaque)
    with pytest.raises(ProtocolError):
        sent(value)


@pytest.mark.parametrize("name", DTYPES)
def test_a_dtype_is_an_argument_but_no_answer(name: str) -> None:
    dtype = getattr(torch, name)
    assert sent(dtype) is dtype
    assert answered(dtype) == Opaque("dtype")


def test_a_dtype_forged_as_an_answer_is_refused() -> None:
    honest = wire.encode_reply(Answer(1, Observation(result=Opaque("float32"))))
    header, body = parts(honest)
    node = msgspec.msgpack.encode(["opaque", "float32"])
    assert node in header
    with pytest.raises(ProtocolError, match="dtype"):
        wire.decode_reply(header.replace(node, msgspec.msgpack.encode(["dtype", "float32"])), body)


class Loud(float):
    def __float__(self) -> float:
        raise AssertionError("the student's code ran while packing")


@pytest.mark.parametrize(
    ("value", "plain"), [(Loud(1.5), 1.5), (np.float64(2.5), 2.5), (type("S", (str,), {})("a"), "a")]
)
def test_subclasses_arrive_as_the_plain_type(value: Any, plain: Any) -> None:
    assert same(answered(value), plain)


@pytest.mark.parametrize(
    "tensor",
    [
        torch.arange(6).reshape(2, 3).T,
        torch.ones(1).expand(4),
        torch.ones(2, requires_grad=True),
        torch.tensor(3.0),
    ],
)
def test_any_layout_of_a_tensor_arrives_by_value(tensor: torch.Tensor) -> None:
    assert same(sent(tensor), tensor.detach().contiguous())


def array_head(**changes: Any) -> bytes:
    """A worker's header with one array, forged."""
    array = {"kind": "torch", "dtype": "float64", "shape": [2], "device": "cpu"} | changes
    head = {"type": "answer", "number": 1, "result": ["array", *array.values()], "again": None}
    return msgspec.msgpack.encode(head | {"arguments": [], "gradients": None, "changed": []})


def test_the_forged_header_is_read_when_nothing_is_wrong_with_it() -> None:
    assert isinstance(wire.decode_reply(array_head(), bytes(16)), Answer)


@pytest.mark.parametrize(
    ("changes", "body"),
    [
        ({"dtype": "object"}, 16),
        ({"dtype": "complex64"}, 16),
        ({"kind": "pickle"}, 16),
        ({"device": "cuda"}, 16),
        ({"kind": "numpy", "device": "meta"}, 0),
        ({"kind": "numpy", "dtype": "bfloat16"}, 4),
        ({"shape": [-2]}, 16),
        ({"shape": [2**40, 2**40]}, 16),
        ({"shape": [0, 2**40, 2**40]}, 0),
        ({"shape": [2**40] * 32, "device": "meta"}, 0),
        ({"shape": [1] * 33}, 8),
        ({}, 8),
        ({}, 24),
    ],
    ids=str,
)
def test_a_forged_array_is_refused_before_memory_is_taken(changes: dict[str, Any], body: int) -> None:
    with pytest.raises(ProtocolError):
        wire.decode_reply(array_head(**changes), bytes(body))


def test_a_bool_of_neither_zero_nor_one_becomes_true() -> None:
    reply = wire.decode_reply(array_head(dtype="bool"), b"\x02\x00")
    assert isinstance(reply, Answer)
    assert reply.observation.result.view(torch.uint8).tolist() == [1, 0]


def nested(depth: int) -> Any:
    return ["list", [nested(depth - 1)]] if depth else None


@pytest.mark.parametrize(
    "result",
    [
        ["ref", 0],
        ["list", [["list", []], ["ref", 0]]],
        nested(DEPTH_CAP + 2),
        nested(300),
        ["list", [None] * 300_000],
    ],
    ids=["reference", "inner", "deep", "deeper", "many"],
)
def test_references_depth_and_number_are_limited_for_a_worker(result: Any) -> None:
    head = {
        "type": "answer",
        "number": 1,
        "result": result,
        "again": None,
        "arguments": [],
        "gradients": None,
    }
    with pytest.raises(ProtocolError):
        wire.decode_reply(msgspec.msgpack.encode(head), b"")


@pytest.mark.parametrize(("header", "body"), [(wire.HEADER_CAP + 1, 0), (0, 1001), (2**32 - 1, 2**64 - 1)])
def test_a_frame_over_its_cap_is_refused_from_its_prefix_alone(header: int, body: int) -> None:
    assert wire.lengths(PREFIX.pack(10, 1000), 1000) == (10, 1000)
    with pytest.raises(ProtocolError, match="MB"):
        wire.lengths(PREFIX.pack(header, body), 1000)


@pytest.mark.parametrize("text", [Opaque, Absent, lambda text: Raised("E", (), text)])
def test_text_that_could_steer_a_terminal_is_defused(text: Callable[[str], Any]) -> None:
    assert answered(text("\x1b[2Jgone\u202e")) == text("\ufffd[2Jgone\ufffd")


@pytest.mark.parametrize("order", [(1, 0, 2), (2, 1, 0), (1, 2, 0)])
@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_an_argument_that_is_not_contiguous_arrives_so(order: tuple[int, ...], device: str) -> None:
    value = torch.arange(24.0, device=device).reshape(2, 3, 4).permute(order)
    got = sent(value)
    assert same(got, value)
    assert got.stride() == value.stride()


@pytest.mark.parametrize("dtype", [torch.float32, F64, torch.bfloat16, torch.bool, torch.int64])
@pytest.mark.parametrize("shape", [(1,), (1, 1, 1)])
def test_one_number_of_stride_zero_crosses_both_ways(dtype: torch.dtype, shape: tuple[int, ...]) -> None:
    one = torch.tensor(1, dtype=dtype).expand(shape)
    assert set(one.stride()) == {0}
    assert same_tensor(sent(one), one.new_ones(shape))
    assert same_tensor(answered(one), one.new_ones(shape))
