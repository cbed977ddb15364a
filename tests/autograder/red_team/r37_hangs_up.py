"""Tries to end its side of the channel, which stays open otherwise."""

# expects: failed

import ctypes

SHUT_WR = 1


def soften(x):
    for number in range(3, 64):
        ctypes.CDLL(None).shutdown(number, SHUT_WR)
    return 0 * x
