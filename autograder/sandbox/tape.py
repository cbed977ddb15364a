"""What a submission's code said, call by call, so that it can be heard again without being run."""

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
    """The same for equal bytes, and for no others."""
    return hashlib.blake2b(data, digest_size=DIGEST_BYTES).digest()


class Lost(msgspec.Struct, frozen=True):
    """The code gave no usable answer: what the check then says; tapes of version 1 have it as one text."""

    status: Status
    message: Message | str

    @classmethod
    def of(cls, error: WorkerLost) -> Lost:
        return cls(error.status, error.message)

    def error(self) -> WorkerLost:
        """It again, to be raised."""
        known = self.message
        return WorkerLost(self.status, of_first_version(known) if isinstance(known, str) else known)


class RecordedCall(msgspec.Struct, frozen=True):
    """One call, by the digest of its frame, and the frame that came back."""

    call: bytes
    reply: bytes | Lost


class Tape:
    """What was heard of one chapter's source before, by call; a call made twice has two answers.

    Answers are handed out in the order in which they were given.
    """

    def __init__(self, heard: Iterable[RecordedCall] = ()) -> None:
        self._replies: dict[tuple[bytes, int], bytes | Lost] = {}
        self._asked: Counter[bytes] = Counter()
        times: Counter[bytes] = Counter()
        for each in heard:
            self._replies[each.call, times[each.call]] = each.reply
            times[each.call] += 1

    def next(self, call: bytes) -> bytes | Lost | None:
        """The answer to the next `call` of this digest; None if it was never asked so often."""
        number = self._asked[call]
        self._asked[call] += 1
        return self._replies.get((call, number))
