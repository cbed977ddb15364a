"""Writes over the objects of its own interpreter."""

# expects: crash

import ctypes


def soften(x):
    for kind in (int, dict, tuple, type):
        ctypes.memset(id(kind), 255, 400)
    return 0 * x
