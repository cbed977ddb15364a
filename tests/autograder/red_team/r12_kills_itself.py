"""Kills itself with the signal of the out-of-memory killer."""

# expects: blocked, failed

import signal


def soften(x):
    signal.raise_signal(signal.SIGKILL)
