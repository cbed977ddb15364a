"""Leaves its channel open, but for its own side of it."""

# expects: crash
# says: closed the channel

import contextlib
import socket


def soften(x):
    for number in range(3, 64):
        with contextlib.suppress(OSError):
            socket.socket(fileno=number).shutdown(socket.SHUT_WR)
    return 0 * x
