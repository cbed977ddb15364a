"""The system calls that a worker may make, on x86_64 and on ARM: what is not here is refused.

Python, torch and NumPy need these once they are loaded. None changes a file, starts a process, changes or signals
another one, or leaves an object, an attribute, a lock or a key behind. `docs/threat-model.md` lists the side channels.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from typing import Final

from autograder.sandbox.seccomp import Condition, Rule, has_bits

# From 424 on a call has the same number on every architecture, and older libseccomp knows no name for it.
_CLOSE_RANGE, _FACCESSAT2, _EPOLL_PWAIT2 = 436, 439, 441
_CLONE3, _OPENAT2, _FUTEX_WAITV = 435, 437, 449
_NEW: Final = range(454, 512)

_FREE: Final[tuple[str | int, ...]] = (
    *("read", "readv", "pread64", "preadv", "write", "writev", "pwrite64", "pwritev", "lseek", "close", _CLOSE_RANGE),
    *("stat", "fstat", "lstat", "newfstatat", "statx", "statfs", "fstatfs", "access", "faccessat", _FACCESSAT2),
    *("readlink", "readlinkat", "getdents", "getdents64", "getcwd", "chdir", "fchdir", "umask"),
    *("dup", "dup2", "dup3", "pipe", "pipe2", "poll", "ppoll", "select", "pselect6", "eventfd", "eventfd2"),
    *("epoll_create", "epoll_create1", "epoll_ctl", "epoll_wait", "epoll_pwait", _EPOLL_PWAIT2),
    *("mmap", "munmap", "mremap", "mprotect", "brk", "msync"),
    *("futex", "set_robust_list", "rseq", "set_tid_address", "sched_yield", "exit", "exit_group", "restart_syscall"),
    *("clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday", "time", "times", "getrusage"),
    *("getitimer", "setitimer", "alarm", "timerfd_create", "timerfd_settime", "timerfd_gettime", "pause"),
    *("rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "rt_sigpending", "rt_sigsuspend", "rt_sigtimedwait"),
    *("sigaltstack", "wait4", "waitid", "getrandom", "uname", "sysinfo", "getcpu", "arch_prctl"),
    *("getpid", "gettid", "getppid", "getpgrp", "getuid", "geteuid", "getgid", "getegid", "getgroups"),
    *("getresuid", "getresgid", "getrlimit", "sched_get_priority_max", "sched_get_priority_min"),
)
# Calls whose first argument is a process or thread: 0 is the caller, another one may be the grader itself.
_FOR_ONESELF: Final = (
    *("sched_getaffinity", "sched_setaffinity", "sched_getscheduler", "sched_getparam", "sched_getattr"),
    *("sched_rr_get_interval", "getpgid", "getsid"),
)
# Calls that do something else for each number in one argument, its place, and the harmless numbers.
_BY_COMMAND: Final = {
    # F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC, F_GETPIPE_SZ, F_GET_SEALS
    ("fcntl", 1): (0, 1, 2, 3, 1030, 1032, 1034),
    # TCGETS, TCGETS2, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX
    ("ioctl", 1): (0x5401, 0x802C542A, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451),
    # PR_GET_PDEATHSIG, PR_GET_DUMPABLE, PR_GET_NAME, PR_CAPBSET_READ, PR_SET_TIMERSLACK,
    # PR_GET_TIMERSLACK, PR_GET_NO_NEW_PRIVS, PR_SVE_GET_VL, PR_SME_GET_VL, PR_SET_VMA
    ("prctl", 0): (2, 3, 16, 23, 29, 30, 39, 51, 64, 0x53564D41),
    # MADV_NORMAL, _RANDOM, _SEQUENTIAL, _DONTNEED, _FREE, _DONTFORK, _DOFORK, _HUGEPAGE, _NOHUGEPAGE, _DONTDUMP,
    # _DODUMP, _WIPEONFORK, _KEEPONFORK
    ("madvise", 2): (0, 1, 2, 4, 8, 10, 11, 14, 15, 16, 17, 18, 19),
}
_LOW: Final = 0xFFFFFFFF  # the kernel reads only these bits of a command, of flags and of a process
_EVERY: Final = 0xFFFFFFFFFFFFFFFF
_WRITING: Final = os.O_ACCMODE | os.O_CREAT | os.O_TRUNC
_F_SETFL, _O_ASYNC = 4, 0o20000
_CLONE_THREAD, _NEW_NAMESPACES = 0x00010000, 0x7E020080
_SEND_FLAGS: Final = 0x4040  # MSG_DONTWAIT, MSG_NOSIGNAL
# All but SIGKILL and SIGSTOP and its kin, an end for which the machine would be blamed; `abort` signals its own thread.
_SIGNALS: Final = (*range(9), *range(10, 19), *range(23, 65))
OWN: Final = 0x4F574E21  # in the rules this stands for the worker's process; no process has so high a number


def rules() -> Iterator[Rule]:
    """Yield the rules of a worker's filter, in which `OWN` stands for the number of its process."""
    yield from (Rule(call) for call in _FREE)
    yield from (Rule(call, (_is(0, process),)) for call in _FOR_ONESELF for process in (0, OWN))
    yield from (Rule("tgkill", (_is(0, OWN), _is(2, number))) for number in _SIGNALS)
    for (call, place), commands in _BY_COMMAND.items():
        yield from (Rule(call, (_is(place, command),)) for command in commands)
    yield from (Rule(call, (_lacks(place, _WRITING),)) for call, place in (("open", 1), ("openat", 2)))
    yield Rule("fcntl", (_is(1, _F_SETFL), _lacks(2, _O_ASYNC)))
    yield Rule("clone", (has_bits(0, _CLONE_THREAD | _NEW_NAMESPACES, _CLONE_THREAD),))
    yield Rule("prlimit64", (_is(0, 0), has_bits(2, _EVERY, 0)))  # its own limits, and no new ones
    yield Rule("getpriority", (_is(0, 0), _is(1, 0)))
    yield Rule("sendto", (_lacks(3, _LOW & ~_SEND_FLAGS), has_bits(4, _EVERY, 0)))  # to the judge, who has no address
    yield Rule("recvfrom", (_is(3, 0),))
    # A missing file need not be deleted: that must not be an error to those who expect it.
    yield from (Rule(call, error=errno.ENOENT) for call in ("unlink", "unlinkat", "rmdir"))
    # libc then does without: with clone, whose flags are not in memory, where no filter can see them.
    yield from (Rule(call, error=errno.ENOSYS) for call in (_CLONE3, _OPENAT2, _FUTEX_WAITV, *_NEW))


def _is(place: int, value: int) -> Condition:
    return has_bits(place, _LOW, value)


def _lacks(place: int, bits: int) -> Condition:
    return has_bits(place, bits, 0)
