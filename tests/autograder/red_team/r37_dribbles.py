"""Sends one byte at a time, so that there is always something to hope for."""

# expects: timeout

import contextlib
import os
import time


def soften(x):
    while True:
        for number in range(3, 64):
            with contextlib.suppress(OSError):
                os.write(number, b"\x00")
        time.sleep(0.2)
