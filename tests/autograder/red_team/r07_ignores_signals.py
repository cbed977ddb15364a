"""Ignores every signal that can be ignored, and goes on for ever."""

# expects: timeout

import contextlib
import signal


def soften(x):
    signal.alarm(0)
    for number in range(1, 65):
        with contextlib.suppress(OSError, ValueError):
            signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
    while True:
        pass
