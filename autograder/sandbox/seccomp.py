"""Filters of system calls, which libseccomp compiles: the few of its functions that a worker needs."""

from __future__ import annotations

import ctypes
import errno
import os
from collections.abc import Iterable
from functools import cache
from typing import Final, NamedTuple

LIBRARY: Final = "libseccomp.so.2"
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_MASKED_EQUAL: Final = 7
_OPTIMIZE, _BINARY_TREE = 8, 2
_PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS, _MODE_FILTER = 22, 38, 2
_INSTRUCTION_BYTES: Final = 8


class Condition(ctypes.Structure):
    """A condition on an argument of a call, as in C; make it with `has_bits`."""

    _fields_ = (
        ("place", ctypes.c_uint),
        ("operator", ctypes.c_int),
        ("first", ctypes.c_uint64),
        ("second", ctypes.c_uint64),
    )


class Rule(NamedTuple):
    """What becomes of a call, by name or by number, where all conditions hold: `error` 0 allows it."""

    call: str | int
    conditions: tuple[Condition, ...] = ()
    error: int = 0


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def has_bits(place: int, mask: int, value: int) -> Condition:
    """Return the condition that the bits in `mask` of the argument number `place` are those of `value`."""
    return Condition(place, _MASKED_EQUAL, mask, value)


def compiled(rules: Iterable[Rule], otherwise: int = 0) -> bytes:
    """Return the program of a filter; a call of which no rule holds fails with the error `otherwise`; 0 lets it pass.

    A call that this architecture lacks, or that an old libseccomp does not know, gets no rule.

    Raises:
        OSError: libseccomp is not there, has no memory, or refuses a rule.
    """
    library = _library()
    made = library.seccomp_init(_action(otherwise))
    if not made:
        raise OSError(errno.ENOMEM, "seccomp_init")
    try:
        library.seccomp_attr_set(made, _OPTIMIZE, _BINARY_TREE)  # which libseccomp before 2.5 does without
        for rule in rules:
            _add(library, made, rule)
        return _exported(library, made)
    finally:
        library.seccomp_release(made)


def load(program: bytes) -> None:
    """Put up a filter, which stays for good; of several, a call must pass each.

    Raises:
        OSError: the kernel refuses.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    given = _Program(len(program) // _INSTRUCTION_BYTES, program)
    for arguments in ((_PR_SET_NO_NEW_PRIVS, 1), (_PR_SET_SECCOMP, _MODE_FILTER, ctypes.byref(given))):
        padded = (*arguments, *[0] * (5 - len(arguments)))
        if libc.prctl(*(ctypes.c_ulong(each) if isinstance(each, int) else each for each in padded)):
            raise OSError(ctypes.get_errno(), "a filter of system calls is refused")


@cache
def _library() -> ctypes.CDLL:
    found = ctypes.CDLL(LIBRARY)
    found.seccomp_init.argtypes, found.seccomp_init.restype = (ctypes.c_uint32,), ctypes.c_void_p
    found.seccomp_attr_set.argtypes = (ctypes.c_void_p, ctypes.c_int, ctypes.c_uint32)
    found.seccomp_export_bpf.argtypes = (ctypes.c_void_p, ctypes.c_int)
    found.seccomp_release.argtypes, found.seccomp_release.restype = (ctypes.c_void_p,), None
    found.seccomp_syscall_resolve_name.argtypes = (ctypes.c_char_p,)
    found.seccomp_rule_add_array.argtypes = (
        *(ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int),
        *(ctypes.c_uint, ctypes.POINTER(Condition)),
    )
    return found


def _action(error: int) -> int:
    return _ERRNO | error if error else _ALLOW


def _add(library: ctypes.CDLL, made: int, rule: Rule) -> None:
    call = rule.call
    number = call if isinstance(call, int) else library.seccomp_syscall_resolve_name(call.encode())
    if number >= 0:
        all_of = (Condition * len(rule.conditions))(*rule.conditions)
        _check(library.seccomp_rule_add_array(made, _action(rule.error), number, len(all_of), all_of))


def _exported(library: ctypes.CDLL, made: int) -> bytes:
    reading, writing = os.pipe()  # a process behind its walls may write no file
    with open(reading, "rb") as file:
        with open(writing, "wb"):
            _check(library.seccomp_export_bpf(made, writing))
        return file.read()


def _check(status: int) -> None:
    if status < 0:
        raise OSError(-status, f"libseccomp: {os.strerror(-status)}")
