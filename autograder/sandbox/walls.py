"""The walls that a worker puts up before it reads the first byte of a student's code.

Each wall stands alone, so a machine that lacks one still has the others. `found` returns the available ones; a worker
puts up exactly these, and a wall that fails is a fault of the grader.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import resource
import struct
import sys
from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import pairwise
from typing import Any, Final

from autograder.sandbox import allowed, seccomp
from autograder.sandbox.control import Setup, Share, Walls

_NEWIPC, _NEWUSER, _NEWPID, _NEWNET = 0x08000000, 0x10000000, 0x20000000, 0x40000000
_LIBC: Final = ctypes.CDLL(None, use_errno=True)
_OWN_WORLD: Final = _NEWPID | _NEWNET | _NEWIPC
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_NO_NEW_PRIVS = 1, 4, 38
_PR_CAPBSET_DROP, _PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL = 24, 47, 4
# Landlock's calls have the same numbers on every architecture. An ABI knows so many rights on files, each one bit.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_ASK_FOR_VERSION, _PATH_BENEATH = 1, 1
_FILE_RIGHTS: Final = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
_READ_FILE, _READ_DIR = 1 << 2, 1 << 3
_BIND_AND_CONNECT, _SOCKETS_AND_SIGNALS = 3, 3
_STACK_BYTES: Final = 8 << 20
_MOST_FILES, _MOST_TASKS = 64, 256
_CPU_GRACE_SECONDS: Final = 5


def found() -> Walls:
    """Return the walls that this machine has."""
    if sys.platform != "linux":
        return Walls()
    return Walls(_namespaces(), landlock_abi(), _has_seccomp())


def unshare(flags: int) -> None:
    """Leave the namespaces in `flags`; children start in new ones.

    Raises:
        OSError: the kernel, or a policy of the machine, refuses.
    """
    if flags:
        _call("unshare", flags)


def die_with_parent() -> None:
    """Let the kernel kill this process when its parent ends. A change of credentials undoes this."""
    if sys.platform == "linux":
        _call("prctl", _PR_SET_PDEATHSIG, 9, 0, 0, 0)


def keep_to_itself() -> None:
    """Let no other process of the same user reach this one's memory and files through /proc."""
    if sys.platform == "linux":
        _call("prctl", _PR_SET_DUMPABLE, 0, 0, 0, 0)


def put_up(walls: Walls, setup: Setup, channel: int, share: Share, *more: int) -> None:
    """Wall in the calling process for good, and close all its files but `channel` and `more`.

    Raises:
        OSError: a wall that `walls` promises cannot be put up.
    """
    os.setsid()
    _silence()
    keep_to_itself()
    limit(share, tasks=bool(walls.namespaces & _NEWUSER))
    if sys.platform == "linux":
        _call("prctl", _PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if setup.walled and sys.platform == "linux":
        _drop_capabilities()
    if walls.landlock:
        _restrict_files(walls.landlock, setup.readable, setup.listable)
    _close_all_but(channel, *more)
    if walls.seccomp:
        _restrict_calls()


def limit(share: Share, *, tasks: bool) -> None:
    """Set resource limits; `tasks` limits processes and threads too, which works only in a namespace of its own."""
    at_most(resource.RLIMIT_CORE, 0)
    at_most(resource.RLIMIT_FSIZE, 0)
    at_most(resource.RLIMIT_CPU, share.cpu_seconds)
    at_most(resource.RLIMIT_NOFILE, _MOST_FILES)
    at_most(resource.RLIMIT_STACK, _STACK_BYTES)
    if sys.platform == "linux":
        at_most(resource.RLIMIT_AS, own_memory() + share.memory_bytes)
    if tasks:
        at_most(resource.RLIMIT_NPROC, _MOST_TASKS)


def landlock_abi() -> int:
    """Return the kernel's Landlock version; 0 without it."""
    try:
        return _call("syscall", _CREATE_RULESET, None, 0, _ASK_FOR_VERSION)
    except OSError:
        return 0


def own_memory() -> int:
    """Return how many bytes of address space this process has."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[0]) * resource.getpagesize()


def at_most(kind: int, value: int) -> None:
    """Lower a limit of this process to `value`; for processor time a signal comes before the end."""
    hard = resource.getrlimit(kind)[1]
    most = value + _CPU_GRACE_SECONDS if kind == resource.RLIMIT_CPU else value
    soft, last = (each if hard == resource.RLIM_INFINITY else min(each, hard) for each in (value, most))
    resource.setrlimit(kind, (soft, last))


def _call(name: str, *args: Any) -> int:
    function = getattr(_LIBC, name)
    result: int = function(*(ctypes.c_ulong(arg) if isinstance(arg, int) else arg for arg in args))
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
    return result


def _silence() -> None:
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    if null > 2:
        os.close(null)


def _close_all_but(*kept: int) -> None:
    for before, after in pairwise([2, *sorted(kept), max(os.sysconf("SC_OPEN_MAX"), 1 << 20)]):
        os.closerange(before + 1, after)


def _drop_capabilities() -> None:
    """Drop all capabilities; the kernel may refuse a process without any."""
    with contextlib.suppress(OSError):
        for capability in range(64):  # the kernel refuses the first number it does not know
            _call("prctl", _PR_CAPBSET_DROP, capability, 0, 0, 0)
    with contextlib.suppress(OSError):
        _call("prctl", _PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    _call("capset", ctypes.byref(header), ctypes.byref((ctypes.c_uint32 * 6)()))


def _restrict_files(abi: int, readable: Sequence[str], listable: Sequence[str]) -> None:
    """Allow reading files in `readable` and names in `listable`, and nothing else.

    From `abi` 4 on TCP is forbidden too, from 6 on abstract sockets and signals to the outside.
    """
    files = (1 << _FILE_RIGHTS.get(abi, max(_FILE_RIGHTS.values()))) - 1
    handled = struct.pack("=3Q", files, _BIND_AND_CONNECT, _SOCKETS_AND_SIGNALS)
    ruleset = _call("syscall", _CREATE_RULESET, handled, 24 if abi >= 6 else 16 if abi >= 4 else 8, 0)
    for path in readable:
        with contextlib.suppress(FileNotFoundError):
            _allow(ruleset, path, _READ_FILE | _READ_DIR if os.path.isdir(path) else _READ_FILE)
    for path in listable:
        _allow(ruleset, path, _READ_DIR)
    _call("syscall", _RESTRICT_SELF, ruleset, 0)


def _allow(ruleset: int, path: str, rights: int) -> None:
    """Add the rule that the file, or what is in the folder, may be used in these ways."""
    opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        _call("syscall", _ADD_RULE, ruleset, _PATH_BENEATH, struct.pack("=Qi", rights, opened), 0)
    finally:
        os.close(opened)


def _restrict_calls() -> None:
    """Allow the listed system calls alone: threads can start, but no processes, even for root, without RLIMIT_NPROC."""
    own, mine = (number.to_bytes(4, sys.byteorder) for number in (allowed.OWN, os.getpid()))
    seccomp.load(_filter().replace(own, mine))


@cache
def _filter() -> bytes:
    return seccomp.compiled(allowed.rules(), errno.EPERM)


def _has_seccomp() -> bool:
    try:
        empty = seccomp.compiled(())
    except OSError:
        return False
    # Try an empty filter: if ours does not load, that is a fault, not a machine without seccomp.
    if not _in_a_child(partial(seccomp.load, empty)):
        return False
    _filter()  # once for all workers, which are forks of this process
    return True


def _namespaces() -> int:
    choices = (_OWN_WORLD | _NEWUSER, _OWN_WORLD)  # the second is for root, where users may make none
    return next((flags for flags in choices if _in_a_child(partial(unshare, flags))), 0)


def _in_a_child(action: Callable[[], None]) -> bool:
    """Return whether `action` succeeds, tried in a process of its own; once more if that is killed."""
    for _ in range(2):
        child = os.fork()
        if child == 0:
            with contextlib.suppress(BaseException):
                action()
                os._exit(0)
            os._exit(1)
        status = os.waitpid(child, 0)[1]
        if not os.WIFSIGNALED(status):
            break
    return status == 0
