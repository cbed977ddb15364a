"""Says, as the grader would, that the grader has failed."""

# expects: protocol

import contextlib
import os

import msgspec

from autograder.sandbox.frames import PREFIX


def soften(x):
    head = msgspec.msgpack.encode({"type": "fault", "message": "a wall could not be put up"})
    for number in range(3, 64):
        with contextlib.suppress(OSError):
            os.write(number, PREFIX.pack(len(head), 0) + head)
    return 0 * x
