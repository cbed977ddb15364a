"""Reads address zero."""

# expects: crash
# says: SIGSEGV

import ctypes


def soften(x):
    ctypes.string_at(0)
