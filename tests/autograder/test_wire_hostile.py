"""Whatever a worker says, the judge reads an answer or refuses it, without another exception, delay or much memory."""

from __future__ import annotations

import socket
import threading
import time
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.calls.records import Absent, Call, Observation, Opaque, Raised
from autograder.sandbox import wire
from autograder.sandbox.frames import HEADER_CAP, PREFIX, lengths
from autograder.sandbox.handles import Worker
from autograder.sandbox.nodes import DEPTH_CAP, ProtocolError
from autograder.sandbox.wire import Answer
from tests.autograder.crossing import DTYPES, answered, data, parts
from tests.autograder.processes import PATIENCE

SIZES = st.integers(-3, 5) | st.sampled_from([2**31, 2**40, 2**40 + 1, 2**63, -(2**63)])
WORDS = st.text(max_size=5) | st.sampled_from(["tensor", "array", "list", "float", "None", "MemoryError"])
ARRAYS = st.tuples(
    st.just("array"),
    st.sampled_from(["torch", "torch", "numpy", "pickle"]),
    st.sampled_from([*DTYPES, "object", "complex32", "uint64"]),
    st.lists(SIZES, max_size=4) | st.just([1] * 40),
    st.sampled_from(["cpu", "cpu", "meta", "cuda"]),
    st.none() | st.lists(st.integers(-1, 4), max_size=4),
)
NUMBERS = st.floats() | st.integers(-(2**63), 2**64 - 1)
WRITTEN = st.sampled_from(["-ff", "1/3", "1/0", "/", "1e999999", "sNaN", "-Infinity", "f" * 4000, "9" * 4000])
LEAVES = (
    ARRAYS
    | st.none()
    | st.booleans()
    | NUMBERS
    | WORDS
    | st.tuples(st.just("opaque"), WORDS)
    | st.tuples(st.sampled_from(["ref", "dtype"]), SIZES | WORDS)
    | st.tuples(st.just("exact"), st.sampled_from(["int", "fraction", "decimal"]), WRITTEN | WORDS)
    | st.tuples(st.just("complex"), st.floats(), st.floats())
    | st.tuples(st.just("bytes"), st.binary(max_size=3))
    | st.tuples(st.just("texts"), st.lists(WORDS, max_size=3), st.lists(SIZES, max_size=2))
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.tuples(st.sampled_from(["list", "tuple"]), st.lists(inner, max_size=3))
        | st.tuples(st.just("dict"), st.dictionaries(WORDS, inner, max_size=3))
        | st.tuples(st.just("map"), st.lists(st.tuples(inner, inner), max_size=3))
        | st.tuples(st.just("set"), st.lists(inner, max_size=3), st.booleans())
        | st.tuples(st.just("part"), WORDS, st.lists(inner, max_size=2), st.dictionaries(WORDS, inner, max_size=2))
    ),
    max_leaves=6,
)
RAISED = st.tuples(st.just("raised"), WORDS, st.lists(WORDS, max_size=3), WORDS, st.none() | st.integers(), WORDS)
ABSENT = st.tuples(st.just("absent"), WORDS)
HEADS = st.fixed_dictionaries(
    {
        "type": st.sampled_from(["answer"] * 8 + ["failed", "fault", "loaded", "ask", "load"]),
        "number": st.integers(-1, 2),
        "result": VALUES | RAISED | ABSENT,
        "again": VALUES | RAISED,
        "arguments": st.lists(VALUES, max_size=2),
        "gradients": st.none()
        | RAISED
        | st.dictionaries(WORDS | st.just("argument 0"), st.none() | ARRAYS, max_size=2),
        "changed": st.lists(WORDS, max_size=2),
        "message": WORDS,
        "compiled": st.booleans(),
        "raised": RAISED,
    }
)
BODIES = st.binary(max_size=64) | st.integers(0, 40).map(lambda count: bytes(8 * count))


def encoded(head: Any) -> bytes:
    return msgspec.msgpack.encode(head)


def is_encodable(head: Any) -> bool:
    with suppress(OverflowError, UnicodeEncodeError):
        return bool(encoded(head))
    return False


@settings(max_examples=200, deadline=None, database=None)
@given(HEADS.filter(is_encodable), BODIES)
def test_whatever_a_worker_answers_is_read_or_refused(head: Any, body: bytes) -> None:
    with suppress(ProtocolError):
        wire.decode_reply(encoded(head), body)


FRAMES = st.lists(
    st.binary(max_size=30)
    | st.builds(PREFIX.pack, st.integers(0, 2**32 - 1), st.integers(0, 2**64 - 1))
    | st.builds(
        lambda head, body, more: PREFIX.pack(len(encoded(head)) + more, len(body)) + encoded(head) + body,
        HEADS.filter(is_encodable),
        BODIES,
        st.sampled_from([0, 0, 0, 1]),
    ),
    max_size=3,
)


@settings(max_examples=60, deadline=None, database=None)
@given(FRAMES, st.booleans())
def test_whatever_a_worker_says_ends_in_an_answer_or_in_protocol(frames: list[bytes], hangs_up: bool) -> None:
    (ours, theirs), (supervisor, watched) = socket.socketpair(), socket.socketpair()
    worker = Worker(ours, supervisor)

    def speak() -> None:
        with suppress(OSError):
            theirs.recv(1 << 16)  # first hears what it is asked
            theirs.sendall(b"".join(frames))
            if hangs_up:
                theirs.close()

    speaker = threading.Thread(target=speak)
    started = time.monotonic()
    with ours, theirs, supervisor, watched:
        speaker.start()
        with suppress(ProtocolError, EOFError, TimeoutError):
            wire.read_reply(worker.exchange(wire.question(Call("f")).frame, 0.05, 1 << 16))
        ours.shutdown(socket.SHUT_RDWR)  # on a busy machine the time may be over before anything is asked
        speaker.join(PATIENCE)
    assert time.monotonic() - started < PATIENCE


@pytest.mark.parametrize("node", [None, ["list", []], ["opaque", ""], ["array", "torch", "uint8", [0]]], ids=str)
def test_a_header_full_of_the_smallest_values_takes_no_more_than_64_times_its_room(node: Any) -> None:
    one = encoded(node)
    count = HEADER_CAP // 16 // len(one)
    head = {"type": "answer", "number": 1, "again": None, "arguments": [], "gradients": None, "changed": []}
    header = encoded(head | {"result": ["list", []]})
    header = header.replace(encoded(["list", []]), b"\x92\xa4list\xdd" + count.to_bytes(4, "big") + one * count)
    tracemalloc.start()
    with suppress(ProtocolError):
        wire.decode_reply(header, b"")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 64 * len(header)


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


def test_a_dtype_forged_as_an_answer_is_refused() -> None:
    honest = wire.encode_reply(Answer(1, Observation(result=Opaque("float32"))))
    header, body = parts(honest)
    node = msgspec.msgpack.encode(["opaque", "float32"])
    assert node in header
    with pytest.raises(ProtocolError, match="dtype"):
        wire.decode_reply(header.replace(node, msgspec.msgpack.encode(["dtype", "float32"])), body)


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
        ({"dtype": "complex32"}, 16),
        ({"dtype": "uint16"}, 4),
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


@pytest.mark.parametrize("header", [1001, HEADER_CAP + 1, 2**32 - 1])
def test_a_header_over_its_cap_is_refused_from_the_prefix_alone(header: int) -> None:
    assert lengths(PREFIX.pack(10, 2**64 - 1), 1000) == (10, 2**64 - 1)
    with pytest.raises(ProtocolError, match="MB"):
        lengths(PREFIX.pack(header, 0), 1000)


@pytest.mark.parametrize("text", [Opaque, Absent, lambda text: Raised("E", (), text)])
def test_text_that_could_steer_a_terminal_is_defused(text: Callable[[str], Any]) -> None:
    assert answered(text("\x1b[2Jgone\u202e")) == text("gone")
