"""The messages between the grading side, the workers and their nodes: bytes of JSON, and no pickled object of ours.

A node gets `NodeOrders` once, then a `Batch` at a time. It answers the orders with `Ready` or `Refused`, and each
batch with a `Graded` for each submission as it is finished, and `Done`; a `Kept` goes before its `Graded`.
"""

from __future__ import annotations

import hashlib
import json
import struct
from typing import IO, Any, Final

import msgspec

from autograder.core.records import SubmissionResult
from autograder.core.submission import Submission
from autograder.course.model import Exercise
from autograder.judging.process import Replies
from autograder.sandbox.limits import Limits

_SIZE: Final = struct.Struct(">Q")


class NodeOrders(msgspec.Struct, frozen=True):
    """What every node of a run needs to know.

    `replies` asks for the recorded answers of submissions' code as well. `jobs` is the most submissions that a node
    grades at a time; None for one per thread of its dask worker. `software` is what the grading side runs: a node with
    anything else refuses.
    """

    package: bytes
    exercises: tuple[Exercise, ...]
    seed: int
    limits: Limits
    replies: bool
    level: str
    jobs: int | None
    software: dict[str, str]


class Batch(msgspec.Struct, frozen=True):
    """Submissions to grade now."""

    submissions: tuple[Submission, ...]


class Ready(msgspec.Struct, frozen=True, tag="ready"):
    """A node has its sandbox, of a tier; `sentence` describes it."""

    tier: str
    sentence: str


class Kept(msgspec.Struct, frozen=True, tag="kept"):
    """The recorded answers of a submission's code; `place` is the submission's place in the batch."""

    place: int
    replies: Replies


class Graded(msgspec.Struct, frozen=True, tag="graded"):
    """One finished submission."""

    result: SubmissionResult


class Done(msgspec.Struct, frozen=True, tag="done"):
    """The batch is finished."""


class Refused(msgspec.Struct, frozen=True, tag="refused"):
    """A node cannot work at all, and trying again would not help; one sentence says why."""

    why: str


class NodeLost(msgspec.Struct, frozen=True, tag="lost"):
    """A node ended in the middle of its work, which may go better next time; one sentence says why."""

    why: str


class Results(msgspec.Struct, frozen=True, tag="results"):
    """All answers of a node to a batch, in order of completion."""

    said: tuple[Kept | Graded, ...]


Trouble = Refused | NodeLost
FromNode = Ready | Refused | Kept | Graded | Done
FromWorker = Ready | Refused | NodeLost | Results


def encode(message: msgspec.Struct) -> bytes:
    """Return JSON in ASCII: a student's text may hold a lone surrogate, which UTF-8 cannot encode."""
    return json.dumps(msgspec.to_builtins(message)).encode("ascii")


def decode(data: bytes, kind: Any) -> Any:
    """Return the message in `data`.

    Raises:
        msgspec.ValidationError: it is not a message of `kind`.
    """
    return msgspec.convert(json.loads(data), kind)


def digest(orders: bytes) -> str:
    return hashlib.sha256(orders).hexdigest()


def send(stream: IO[bytes], data: bytes) -> None:
    """Write one frame: its length, then `data`."""
    stream.write(_SIZE.pack(len(data)) + data)
    stream.flush()


def receive(stream: IO[bytes]) -> bytes:
    """Read one frame.

    Raises:
        EOFError: the other side has closed the stream, or ended.
    """
    return _exactly(stream, *_SIZE.unpack(_exactly(stream, _SIZE.size)))


def _exactly(stream: IO[bytes], size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data
