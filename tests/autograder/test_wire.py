"""What crosses between judge and worker arrives as it was."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings

from autograder.calls.records import Absent, Build, Call, Observation, Opaque, Part, Raised
from autograder.sandbox import wire
from autograder.sandbox.nodes import DtypeNode, PartNode, ProtocolError
from autograder.sandbox.pack import Unpacker
from autograder.sandbox.wire import Answer, Ask, Failed, Load, Loaded
from tests.autograder.crossing import DTYPES, answered, data, parts, same, same_tensor, sent

F64 = torch.float64


@settings(max_examples=150, deadline=None, database=None)
@given(data)
def test_every_kind_of_data_arrives_unchanged_both_ways(value: Any) -> None:
    assert same(sent(value), value)
    assert same(answered(value), value)


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


def test_an_answer_that_is_the_same_twice_travels_once() -> None:
    answer, other = torch.ones(1000), torch.zeros(1000)

    def arrived(again: Any) -> tuple[Observation, int]:
        frame = wire.encode_reply(Answer(1, Observation(answer, again)))
        reply = wire.decode_reply(*parts(frame))
        assert isinstance(reply, Answer)
        return reply.observation, len(frame)

    (once, short), (both, long) = arrived(answer), arrived(other)
    assert once.again is once.result
    assert same(both.again, other)
    assert long > short + 4000


@pytest.mark.parametrize("value", [Opaque("generator"), Absent("nothing"), Raised("KeyError", ("KeyError",), "x")])
def test_what_is_no_data_arrives_as_itself(value: Any) -> None:
    assert answered(value) == value


@pytest.mark.parametrize("message", [Load("ch01", "x = 1"), Loaded(), Failed(False, Raised("E", (), ""))])
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
        pytest.param(2**20_000, id="more than Python writes"),
        Decimal("sNaN"),
        object(),
        {object(): 2},
        {object()},
        np.array(["\ud800"]),
        np.array([object()]),
        torch.ones(2, dtype=torch.uint16),
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
