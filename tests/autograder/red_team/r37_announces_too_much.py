"""Announces more bytes than there are."""

# expects: protocol

import contextlib
import os


def soften(x):
    for number in range(3, 64):
        with contextlib.suppress(OSError):
            os.write(number, b"\xff" * 12)
    return 0 * x
