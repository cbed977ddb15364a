"""Speaks when nobody asked."""

# expects: protocol

import contextlib
import os
import threading
import time


def chatter():
    while True:
        time.sleep(0.02)
        for number in range(3, 64):
            with contextlib.suppress(OSError):
                os.write(number, bytes(12))


class Loaded:
    threading.Thread(target=chatter, daemon=True).start()


def soften(x):
    time.sleep(0.2)
    return 0 * x
