"""Begins to speak, and ends in the middle of a word."""

# expects: crash, protocol

import contextlib
import os


def soften(x):
    for number in range(3, 64):
        with contextlib.suppress(OSError):
            os.write(number, (1000).to_bytes(4, "little") + bytes(8) + b"{")
    os._exit(0)
