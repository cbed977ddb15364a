"""Filters of system calls, which libseccomp makes: the few of its functions that a worker needs."""

from __future__ import annotations

import ctypes
import errno
import os
from functools import cache
from typing import Final

LIBRARY: Final = "libseccomp.so.2"
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_NOT_EQUAL, _MASKED_EQUAL = 1, 7
_UNKNOWN: Final = -1


class Condition(ctypes.Structure):
    """A condition on an argument of a call, as in C; make it with `differs` or `has_bits`."""

    _fields_ = (
        ("place", ctypes.c_uint),
        ("operator", ctypes.c_int),
        ("first", ctypes.c_uint64),
        ("second", ctypes.c_uint64),
    )


def differs(place: int, value: int) -> Condition:
    """Return the condition that the argument number `place` is not `value`."""
    return Condition(place, _NOT_EQUAL, value, 0)


def has_bits(place: int, mask: int, value: int) -> Condition:
    """Return the condition that the bits in `mask` of the argument number `place` are those of `value`."""
    return Condition(place, _MASKED_EQUAL, mask, value)


@cache
def _library() -> ctypes.CDLL:
    found = ctypes.CDLL(LIBRARY)
    found.seccomp_init.argtypes, found.seccomp_init.restype = (ctypes.c_uint32,), ctypes.c_void_p
    found.seccomp_load.argtypes = (ctypes.c_void_p,)
    found.seccomp_syscall_resolve_name.argtypes = (ctypes.c_char_p,)
    found.seccomp_rule_add_array.argtypes = (
        *(ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int),
        *(ctypes.c_uint, ctypes.POINTER(Condition)),
    )
    return found


class Filter:
    """A filter that allows every call but those refused. It is never released: a worker needs it to its end.

    Raises:
        OSError: libseccomp is not there, or has no memory.
    """

    def __init__(self) -> None:
        self._library = _library()
        self._filter = self._library.seccomp_init(_ALLOW)
        if not self._filter:
            raise OSError(errno.ENOMEM, "seccomp_init")

    def refuse(self, call: str | int, *conditions: Condition, error: int = errno.EPERM) -> None:
        """Let a call fail with `error` where all conditions hold.

        Raises:
            OSError: libseccomp does not know the call, or refuses the rule.
        """
        number = call if isinstance(call, int) else self._library.seccomp_syscall_resolve_name(call.encode())
        if number == _UNKNOWN:
            raise OSError(errno.ENOSYS, f"libseccomp knows no call {call}")
        all_of = (Condition * len(conditions))(*conditions)
        _check(self._library.seccomp_rule_add_array(self._filter, _ERRNO | error, number, len(conditions), all_of))

    def load(self) -> None:
        """Put the filter up for good.

        Raises:
            OSError: the kernel refuses.
        """
        _check(self._library.seccomp_load(self._filter))


def _check(status: int) -> None:
    if status < 0:
        raise OSError(-status, f"libseccomp: {os.strerror(-status)}")
