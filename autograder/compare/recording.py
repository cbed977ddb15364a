"""Recorded calls and answers as one file, without pickle; each tensor is stored once, however many answers hold it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any

import msgspec
import torch

from autograder.calls.records import Call, Observation
from autograder.compare.locks import Lock, Mark
from autograder.sandbox.frames import PREFIX
from autograder.sandbox.wire import Answer, Ask, Parts, decode_reply, decode_request, reply_parts, request_parts


class Entry(msgspec.Struct, frozen=True, array_like=True):
    """A message of the wire: its header, and the pieces that make up its body."""

    header: bytes
    pieces: list[int]


class Asked(msgspec.Struct, frozen=True, array_like=True):
    """A call that a check makes with one of the seeds, the right answer, and the locks of known mistakes."""

    check: str
    seed: int
    call: int
    right: int
    locks: list[Lock]


class Notes(msgspec.Struct, frozen=True):
    """The record of one exercise.

    `plans` have the numbers of the calls that a check makes, by seed and check, and `signatures` the names of
    parameters, by method.
    """

    asked: list[Asked]
    plans: dict[str, list[int]]
    signatures: dict[str, list[str]]


class Mistake(msgspec.Struct, frozen=True):
    """The sealed part of a known mistake: its words, and a mark for its answer to each call of its exercise.

    A mark is None where the answer is as good as right. `example` is the number of a call, `sheet` holds its answer.
    """

    identifier: str
    says: str
    advice: str
    marks: list[Mark | None]
    example: int
    sheet: bytes
    cure: str = ""


class Sheet(msgspec.Struct, frozen=True):
    """The record of a chapter; `drawn` is by seed and check, then by number and shape, `sealed` by mistake number."""

    lengths: list[int]
    entries: list[Entry]
    exercises: dict[str, Notes]
    drawn: dict[str, dict[str, int]]
    sealed: list[bytes]


class Writer:
    """Gathers entries. Equal entries, and equal pieces of different entries, are stored once.

    Pieces that `base` has are not written again, so `base` must not change any more.
    """

    def __init__(self, base: Writer | None = None) -> None:
        self._pieces: dict[bytes, int] = {**base._pieces} if base else {}
        self._before = len(self._pieces)
        self._bytes: list[bytes] = []
        self._entries: dict[tuple[bytes, tuple[int, ...]], int] = {}

    def call(self, call: Call) -> int:
        """Add a call and return its number.

        Raises:
            ProtocolError: the call holds something that is not data.
        """
        return self._entry(request_parts(Ask(0, call)))

    def seen(self, seen: Observation) -> int:
        """Add an observation and return its number."""
        return self._entry(reply_parts(Answer(0, seen)))

    def value(self, value: torch.Tensor | Mapping[str, torch.Tensor]) -> int:
        return self.seen(Observation(value))

    def file(
        self, exercises: dict[str, Notes], drawn: dict[str, dict[str, int]], closed: Sequence[bytes] = ()
    ) -> bytes:
        """Return the file that `Reader` reads."""
        entries = [Entry(header, [*pieces]) for header, pieces in self._entries]
        sheet = Sheet([len(piece) for piece in self._bytes], entries, exercises, drawn, [*closed])
        header, body = msgspec.msgpack.encode(sheet), b"".join(self._bytes)
        return PREFIX.pack(len(header), len(body)) + header + body

    def _entry(self, parts: Parts) -> int:
        key = parts.header, tuple(self._piece(bytes(buffer)) for buffer in parts.buffers)
        return self._entries.setdefault(key, len(self._entries))

    def _piece(self, data: bytes) -> int:
        number = self._pieces.setdefault(hashlib.sha256(data).digest(), len(self._pieces))
        if number == self._before + len(self._bytes):
            self._bytes.append(data)
        return number


class Reader:
    """Reads the entries of a file."""

    def __init__(self, data: bytes, base: Reader | None = None) -> None:
        """Read `data`, which must be unchanged since a `Writer` on the same `base` wrote it."""
        size, _ = PREFIX.unpack(data[: PREFIX.size])
        self.sheet = msgspec.msgpack.decode(data[PREFIX.size : PREFIX.size + size], type=Sheet)
        body = memoryview(data)[PREFIX.size + size :]
        ends = [0, *accumulate(self.sheet.lengths)]
        own = [body[first:last] for first, last in pairwise(ends)]
        self._pieces: list[memoryview] = [*base._pieces, *own] if base else own
        self._seen: dict[int, Observation] = {}

    def call(self, number: int) -> Call:
        asked = decode_request(*self._message(number))
        assert isinstance(asked, Ask)
        return asked.call

    def seen(self, number: int) -> Observation:
        """Return an observation, the same object each time; do not change it."""
        if number not in self._seen:
            self._seen[number] = self._fresh(number)
        return self._seen[number]

    def value(self, number: int) -> Any:
        """Return a new copy of a value each time, as a check may change what it has drawn."""
        return self._fresh(number).result

    def _fresh(self, number: int) -> Observation:
        answer = decode_reply(*self._message(number))
        assert isinstance(answer, Answer)
        return answer.observation

    def _message(self, number: int) -> tuple[bytes, bytes]:
        entry = self.sheet.entries[number]
        return entry.header, b"".join(self._pieces[piece] for piece in entry.pieces)
