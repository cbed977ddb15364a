"""Messages between the judge and a worker, as bytes.

A frame is a prefix (lengths of header and body), a msgpack header of typed structs, and a body of raw tensor bytes in
the order of the header. Nothing is unpickled, no name from outside selects a type, and every length is checked before
memory is taken.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

import msgspec
from msgspec import Meta

from autograder.calls.loading import MOST, WHY, Unfinished
from autograder.calls.records import Call, Observation, Raised
from autograder.core.text import one_line, plain
from autograder.sandbox.frames import PREFIX, is_without_body
from autograder.sandbox.nodes import (
    LONG,
    SHORT,
    AbsentNode,
    ArrayNode,
    BuildNode,
    DtypeNode,
    Long,
    ProtocolError,
    RaisedNode,
    SameNode,
    Short,
    Value,
)
from autograder.sandbox.pack import Packer, Unpacker
from autograder.sandbox.pack_records import (
    array_node,
    build_head,
    built,
    gradient_nodes,
    gradients_of,
    outcome,
    outcome_node,
    raised_node,
    raised_of,
    tensor_or_none,
)
from autograder.sandbox.tape import digest

_Many = Meta(max_length=10_000)
STOPPED_NAMES: Final = 50


class Load(msgspec.Struct, frozen=True, tag="load"):
    """A request to execute `source` as the module `chapter`, which may import the modules `beside` by their texts.

    After so many `seconds` a statement is passed over.
    """

    chapter: str
    source: str
    beside: dict[str, str] = {}
    seconds: float = 60.0


class Ask(msgspec.Struct, frozen=True):
    """A request to make a call."""

    number: int
    call: Call


class StoppedNode(msgspec.Struct, frozen=True, array_like=True):
    """A statement that did not run to its end."""

    file: Short
    line: int
    names: Annotated[list[Short], Meta(max_length=STOPPED_NAMES)]
    why: Long
    is_late: bool


class Loaded(msgspec.Struct, frozen=True, tag="loaded"):
    """The reply of a worker that has loaded the module, but for statements that were `stopped`."""

    stopped: Annotated[list[StoppedNode], Meta(max_length=MOST)] = []

    @classmethod
    def but_for(cls, stopped: Iterable[Unfinished]) -> Loaded:
        """Return the reply, of very many statements with the first."""
        return cls([*map(_stopped_node, islice(stopped, MOST))])

    def statements(self) -> list[Unfinished]:
        """Return the statements, which may be anything that a worker makes up, as plain text."""
        return [
            Unfinished(
                plain(each.file), each.line, tuple(map(plain, each.names)), one_line(each.why, WHY), each.is_late
            )
            for each in self.stopped
        ]


def _stopped_node(each: Unfinished) -> StoppedNode:
    names = [plain(name)[:SHORT] for name in each.names[:STOPPED_NAMES]]
    return StoppedNode(plain(each.file)[:SHORT], each.line, names, plain(each.why)[:LONG], each.is_late)


class Failed(msgspec.Struct, frozen=True):
    """The reply of a worker whose module raised, or did not compile."""

    compiled: bool
    raised: Raised


class Answer(msgspec.Struct, frozen=True):
    """The reply of a worker: the observation of the call `number`."""

    number: int
    observation: Observation


class Parts(NamedTuple):
    """A message before it is a frame: its header, and the raw bytes of each tensor."""

    header: bytes
    buffers: list[Any]


class Question(NamedTuple):
    """A call ready to be sent: its frame and digest, the number of its answer, its name and its room."""

    frame: bytes
    digest: bytes
    number: int
    name: str
    room: int | None


Request: TypeAlias = Load | Ask
Reply: TypeAlias = Loaded | Failed | Answer


class _AskHead(msgspec.Struct, frozen=True, tag="ask"):
    number: int
    name: str
    args: list[Value]
    kwargs: dict[str, Value]
    build: BuildNode | None
    cotangents: list[ArrayNode | None] | None
    forbidden: list[str]
    welcome: list[str]
    dtype: DtypeNode | None
    device: str
    seed: int
    turns: list[int]
    once: bool


class _FailedHead(msgspec.Struct, frozen=True, tag="failed"):
    compiled: bool
    raised: RaisedNode


class _AnswerHead(msgspec.Struct, frozen=True, tag="answer"):
    number: int
    result: Value | RaisedNode | AbsentNode
    again: Value | RaisedNode | SameNode
    arguments: Annotated[list[Value], _Many]
    gradients: Annotated[dict[str, ArrayNode | None], _Many] | RaisedNode | None
    changed: Annotated[list[Short], _Many]


_ENCODER: Final = msgspec.msgpack.Encoder()
_REQUEST: Final = msgspec.msgpack.Decoder(Load | _AskHead)
_REPLY: Final = msgspec.msgpack.Decoder(Loaded | _FailedHead | _AnswerHead)


def encode_request(request: Request) -> bytes:
    """Return a frame for the worker; raises as `request_parts`."""
    return _frame(request, []) if isinstance(request, Load) else _framed(request_parts(request))


def request_parts(ask: Ask) -> Parts:
    """Return the parts of the frame for a call.

    Raises:
        ProtocolError: the call holds something that is not data.
    """
    head, buffers = _asked(ask.call)
    return Parts(_ENCODER.encode(msgspec.structs.replace(head, number=ask.number)), buffers)


def question(call: Call) -> Question:
    """Return the question for `call`, always the same for the same call; raises as `request_parts`."""
    head, buffers = _asked(call)
    found = digest(_frame(head, buffers))
    number = int.from_bytes(found[:7], "little")
    return Question(_frame(msgspec.structs.replace(head, number=number), buffers), found, number, call.name, call.room)


def _asked(call: Call) -> tuple[_AskHead, list[Any]]:
    packer = Packer(exact=True)
    head = _AskHead(
        number=0,
        name=call.name,
        args=[packer.value(value) for value in call.args],
        kwargs={key: packer.value(value) for key, value in call.kwargs.items()},
        build=None if call.build is None else build_head(packer, call.build),
        cotangents=None if call.cotangents is None else [array_node(packer, leaf) for leaf in call.cotangents],
        forbidden=list(call.forbidden),
        welcome=list(call.welcome),
        dtype=None if call.dtype is None else packer.value(call.dtype),  # type: ignore[arg-type]
        device=call.device,
        seed=call.seed,
        turns=list(call.turns),
        once=call.once,
    )
    return head, packer.buffers


def decode_request(header: bytes, body: bytes) -> Request:
    """Return the judge's request."""
    head = _parse(_REQUEST, header)
    if isinstance(head, Load):
        return head
    unpacker = Unpacker(memoryview(body), references=True)
    call = Call(
        name=head.name,
        args=tuple(unpacker.value(node) for node in head.args),
        kwargs={key: unpacker.value(node) for key, node in head.kwargs.items()},
        build=None if head.build is None else built(unpacker, head.build),
        cotangents=None if head.cotangents is None else tuple(tensor_or_none(unpacker, n) for n in head.cotangents),
        forbidden=tuple(head.forbidden),
        welcome=tuple(head.welcome),
        dtype=None if head.dtype is None else unpacker.value(head.dtype),
        device=head.device,
        seed=head.seed,
        turns=tuple(head.turns),
        once=head.once,
    )
    unpacker.finish()
    return Ask(head.number, call)


def encode_reply(reply: Reply) -> bytes:
    """Return a frame for the judge; values that are not data become `Opaque`."""
    if isinstance(reply, Failed):
        return _frame(_FailedHead(reply.compiled, raised_node(reply.raised)), [])
    if not isinstance(reply, Answer):
        return _frame(reply, [])
    return _framed(reply_parts(reply))


def reply_parts(reply: Answer) -> Parts:
    """Return the parts of the frame for an answer, as `encode_reply`."""
    packer, seen = Packer(exact=False), reply.observation
    head = _AnswerHead(
        number=reply.number,
        result=outcome_node(packer, seen.result),
        again=SameNode() if seen.again is seen.result else outcome_node(packer, seen.again),  # type: ignore[arg-type]
        arguments=[packer.value(value) for value in seen.arguments],
        gradients=gradient_nodes(packer, seen.gradients),
        changed=[plain(name[:SHORT]) for name in seen.changed],
    )
    return Parts(_ENCODER.encode(head), packer.buffers)


def decode_reply(header: bytes, body: bytes | None) -> Reply:
    """Return a worker's reply, whose bytes may be anything at all.

    Args:
        body: None if it was left out: tensors are then on `meta`, and arrays hold zeros that take no memory.

    Raises:
        ProtocolError: the reply breaks the protocol; nothing else is raised.
    """
    head = _parse(_REPLY, header)
    unpacker = Unpacker(None if body is None else memoryview(body), references=False)
    reply = _reply(unpacker, head)
    unpacker.finish()
    return reply


def read_reply(frame: bytes) -> Reply:
    """Return the reply in a whole frame of a worker, as `decode_reply`."""
    header, _ = PREFIX.unpack(frame[: PREFIX.size])
    body = None if is_without_body(frame) else frame[PREFIX.size + header :]
    return decode_reply(frame[PREFIX.size : PREFIX.size + header], body)


def _reply(unpacker: Unpacker, head: Any) -> Reply:
    if isinstance(head, _FailedHead):
        return Failed(head.compiled, raised_of(head.raised))
    if isinstance(head, Loaded):
        return head
    result = outcome(unpacker, head.result)
    observation = Observation(
        result=result,
        again=result if isinstance(head.again, SameNode) else outcome(unpacker, head.again),
        arguments=tuple(unpacker.value(node) for node in head.arguments),
        gradients=gradients_of(unpacker, head.gradients),
        changed=tuple(plain(name) for name in head.changed),
    )
    return Answer(head.number, observation)


def _frame(head: Any, buffers: list[Any]) -> bytes:
    return _framed(Parts(_ENCODER.encode(head), buffers))


def _framed(parts: Parts) -> bytes:
    body = b"".join(parts.buffers)
    return PREFIX.pack(len(parts.header), len(body)) + parts.header + body


def _parse(decoder: msgspec.msgpack.Decoder[Any], header: bytes) -> Any:
    try:
        return decoder.decode(header)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise ProtocolError(f"the message cannot be read: {plain(str(error))}") from error
