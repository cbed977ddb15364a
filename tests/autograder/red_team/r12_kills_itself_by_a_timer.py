"""Lets a timer of the kernel send it the signal of the out-of-memory killer."""

# expects: blocked, error, failed

import ctypes
import time

LIBC = ctypes.CDLL(None, use_errno=True)


class Event(ctypes.Structure):
    _fields_ = [("value", ctypes.c_void_p), ("signal", ctypes.c_int), ("notify", ctypes.c_int)]
    _fields_ += [("rest", ctypes.c_char * 48)]


def soften(x):
    timer = ctypes.c_void_p()
    if LIBC.timer_create(1, ctypes.byref(Event(None, 9, 0)), ctypes.byref(timer)):
        raise OSError(ctypes.get_errno(), "timer_create")
    LIBC.timer_settime(timer, 0, (ctypes.c_long * 4)(0, 0, 0, 1000), None)
    time.sleep(0.2)
    return 0 * x
