"""Recorded answers of a submission's code, call by call, which can be replayed without running it."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from typing import Final

import msgspec

from autograder.core.errors import WorkerLost
from autograder.core.message import Message, of_first_version
from autograder.core.records import Status

DIGEST_BYTES: Final = 16


def digest(data: bytes) -> bytes:
    """Return a digest of the bytes."""
    return hashlib.blake2b(data, digest_size=DIGEST_BYTES).digest()


class Lost(msgspec.Struct, frozen=True):
    """The verdict on code that gave no usable answer; tapes of version 1 have its message as one text."""

    status: Status
    message: Message | str

    @classmethod
    def of(cls, error: WorkerLost) -> Lost:
        return cls(error.status, error.message)

    def error(self) -> WorkerLost:
        """Return the error again."""
        known = self.message
        return WorkerLost(self.status, of_first_version(known) if isinstance(known, str) else known)


class RecordedCall(msgspec.Struct, frozen=True):
    """The digest of a call's frame, and the frame of its reply."""

    call: bytes
    reply: bytes | Lost


class Tape:
    """Recorded answers of one chapter, by call; a call made twice has two answers, in their order."""

    def __init__(self, recorded: Iterable[RecordedCall] = ()) -> None:
        self._replies: dict[tuple[bytes, int], bytes | Lost] = {}
        self._asked: Counter[bytes] = Counter()
        times: Counter[bytes] = Counter()
        for each in recorded:
            self._replies[each.call, times[each.call]] = each.reply
            times[each.call] += 1

    def next(self, call: bytes) -> bytes | Lost | None:
        """Return the answer to the next call with this digest; None if the tape has no more."""
        number = self._asked[call]
        self._asked[call] += 1
        return self._replies.get((call, number))
