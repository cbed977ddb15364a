"""Frames: a prefix with two lengths, a header, and a body; every length is checked before memory is taken."""

from __future__ import annotations

import struct
from typing import Final

from autograder.sandbox.nodes import ProtocolError

PREFIX: Final = struct.Struct("<IQ")
HEADER_CAP: Final = 4 << 20
LEFT_OUT: Final = 2**64 - 1  # stands for a body that was too long to read; no body has this length


def lengths(prefix: bytes, header_cap: int = HEADER_CAP) -> tuple[int, int]:
    """Return the sizes of the header and the body that follow `prefix`, in bytes.

    Raises:
        ProtocolError: the header is over its cap.
    """
    header, body = PREFIX.unpack(prefix)
    if header > header_cap:
        raise ProtocolError(f"{size(header)} of values came where at most {size(header_cap)} are allowed")
    return header, body


def without_body(header: bytes) -> bytes:
    """Return the frame of a reply whose body was too long to read: shapes and types, but no numbers."""
    return PREFIX.pack(len(header), LEFT_OUT) + header


def is_without_body(frame: bytes) -> bool:
    """Return whether the frame comes from `without_body`."""
    return bool(PREFIX.unpack(frame[: PREFIX.size])[1] == LEFT_OUT)


def size(count: int) -> str:
    """Return a number of bytes as megabytes, for people."""
    return f"{count / 1e6:,.1f} MB"
