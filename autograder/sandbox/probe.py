"""A probe that tries what a submission must not be able to do, and reports the outcome of each act.

The doctor sends this file to a worker in place of a submission, so it must not import the engine.
"""

from __future__ import annotations

import ctypes
import errno
import importlib
import mmap
import os
import platform
import socket
import struct
import subprocess
from collections.abc import Callable
from typing import Any

Wanted = dict[str, Any]
# Calls for which the C library has no function: from 424 on they have the same number on every architecture.
_NUMBERS = {"cachestat": 451, "file_getattr": 468, "file_setattr": 469}
_NUMBERS |= {
    "x86_64": {"timer_create": 222, "timer_delete": 226, "keyctl": 250, "migrate_pages": 256},
    "aarch64": {"timer_create": 107, "timer_delete": 111, "keyctl": 219, "migrate_pages": 238},
}.get(platform.machine(), {})
_GET_HINT, _SET_HINT, _OPEN_FILE_LOCK = 1035, 1036, 37
# To read and to set the flags, the extended flags and the version of a file, and how many bytes each has.
_CONTROLS = {
    "flags": (0x80086601, 0x40086602, 8),
    "extended flags": (0x801C581F, 0x401C5820, 28),
    "version": (0x80087601, 0x40087602, 8),
    "version of ext4": (0x80086603, 0x40086604, 8),
}


def attempt(wanted: Wanted) -> dict[str, str]:
    """Try every act, and return "done: ..." for success, "refused: ..." for an exception."""
    return {name: _outcome(act, wanted) for name, act in ACTS.items()}


def _outcome(act: Callable[[Wanted], object], wanted: Wanted) -> str:
    try:
        return f"done: {act(wanted)}"[:300]
    except BaseException as error:
        return f"refused: {type(error).__name__}: {error}"[:300]


def _first_done(act: Callable[[Any], object], choices: list[Any]) -> object:
    """Return the first choice that succeeds; if none does, raise the error of the last."""
    raised: Exception = LookupError("nothing to try")
    for choice in choices:
        try:
            act(choice)
            return choice
        except Exception as error:
            raised = error
    raise raised


def _read(path: str) -> None:
    with open(path, "rb") as file:
        file.read(16)


def _write(folder: str) -> None:
    path = os.path.join(folder, f"attend-probe-{os.getpid()}")
    with open(path, "wb"):
        os.remove(path)


def _tcp(wanted: Wanted) -> str:
    with socket.create_connection(("127.0.0.1", wanted["tcp"]), timeout=1):
        return "a TCP connection"


def _udp(wanted: Wanted) -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as channel:
        channel.connect(("127.0.0.1", wanted["udp"]))
        channel.send(b"probe")
    return "a UDP packet"


def _unix(address: str) -> None:
    with socket.socket(socket.AF_UNIX) as channel:
        channel.connect(address)


def _fork(_wanted: Wanted) -> str:
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return f"process {child}"


def _run(_wanted: Wanted) -> str:
    subprocess.run(["/bin/true"], check=True)
    return "/bin/true"


def _others(_wanted: Wanted) -> str:
    others = [entry for entry in os.listdir("/proc") if entry.isdigit() and int(entry) != os.getpid()]
    if not others:
        raise LookupError("no other process is there")
    return f"{len(others)} processes"


def _signal(wanted: Wanted) -> str:
    os.kill(wanted["process"], 0)
    return f"process {wanted['process']}"


def _steer(wanted: Wanted) -> object:
    """Try limits, cores, priority and signals of another process, without a real change."""
    process = wanted["process"]
    return _first_done(lambda act: act(process), [_limits, _cores, _priority, _owner, _thread, _pages])


def _limits(process: int) -> None:
    import resource  # not on every system

    resource.prlimit(process, resource.RLIMIT_CPU)


def _cores(process: int) -> None:
    os.sched_setaffinity(process, os.sched_getaffinity(process))


def _priority(process: int) -> None:
    os.setpriority(os.PRIO_PROCESS, process, os.getpriority(os.PRIO_PROCESS, process))


def _owner(process: int) -> None:
    """Let the kernel signal the process when data arrives."""
    import fcntl

    fcntl.fcntl(os.pipe()[0], fcntl.F_SETOWN, process)


def _thread(process: int) -> None:
    _ask("tgkill", process, process, 0)


def _pages(process: int) -> None:
    """Move its memory from the first node to the first node."""
    first = ctypes.create_string_buffer(b"\1", 8)
    _ask("migrate_pages", process, 64, first, first)


def _environment(wanted: Wanted) -> str:
    names = sorted(set(os.environ) - set(wanted["environment"]))
    if not names:
        raise LookupError("nothing is in it")
    return ", ".join(names)


def _memory(wanted: Wanted) -> str:
    with mmap.mmap(-1, wanted["memory"]) as memory:
        return f"{len(memory)} bytes"


def _namespace(_wanted: Wanted) -> str:
    _ask("unshare", 0x10000000)
    return "a user namespace"


def _ask(name: str, *arguments: object) -> int:
    """Call a function of the C library, or a system call that has none, and raise its error."""
    library = ctypes.CDLL(None, use_errno=True)
    call = [_NUMBERS[name]] if name in _NUMBERS else []
    given = [ctypes.c_long(each) if isinstance(each, int) else each for each in (*call, *arguments)]
    result = int(getattr(library, "syscall" if call else name)(*given))
    if result < 0:
        raise OSError(ctypes.get_errno(), f"{name}: {os.strerror(ctypes.get_errno())}")
    return result


def _room(size: int) -> ctypes.Array[ctypes.c_char]:
    return ctypes.create_string_buffer(size)


def _each(acts: list[Callable[[str], object]]) -> Callable[[Wanted], object]:
    """Return an act that tries each of `acts` on each file, with the value that the file has."""
    return lambda wanted: _first_done(lambda path: _first_done(lambda act: act(path), acts), wanted["marked"])


def _hint(path: str) -> None:
    import fcntl

    with open(path, "rb") as file:
        fcntl.fcntl(file, _SET_HINT, fcntl.fcntl(file, _GET_HINT, bytes(8)))


def _control(kind: str) -> Callable[[str], None]:
    def act(path: str) -> None:
        import fcntl

        getting, setting, size = _CONTROLS[kind]
        with open(path, "rb") as file:
            fcntl.ioctl(file, setting, fcntl.ioctl(file, getting, bytes(size)))

    return act


def _attributes(path: str) -> None:
    room = _room(24)
    _ask("file_getattr", -100, path.encode(), room, 24, 0)
    _ask("file_setattr", -100, path.encode(), room, 24, 0)


def _times(path: str) -> None:
    now = os.stat(path)
    os.utime(path, ns=(now.st_atime_ns, now.st_mtime_ns))


def _rights(path: str) -> None:
    os.chmod(path, os.stat(path).st_mode & 0o7777)


def _label(path: str) -> None:
    """Remove an extended attribute that is not there."""
    try:
        os.removexattr(path, "user.attend-probe")
    except OSError as error:
        if error.errno != errno.ENODATA:
            raise


def _whole_lock(path: str) -> None:
    import fcntl

    with open(path, "rb") as file:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)


def _range_lock(path: str) -> None:
    import fcntl

    with open(path, "rb") as file:
        fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB)


def _open_file_lock(path: str) -> None:
    import fcntl

    with open(path, "rb") as file:
        fcntl.fcntl(file, _OPEN_FILE_LOCK, struct.pack("hhqqi4x", fcntl.F_RDLCK, os.SEEK_SET, 0, 0, 0))


def _lease(path: str) -> None:
    import fcntl

    with open(path, "rb") as file:
        fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)


def _watch(_wanted: Wanted) -> object:
    """Open what tells of changes to files, and watch none."""
    return _first_done(lambda act: os.close(_ask(*act)), [("inotify_init1", 0), ("fanotify_init", 0x200, 0)])


def _object(_wanted: Wanted) -> object:
    """Make memory, a semaphore, a queue of messages, and remove it, or name the session's keys."""
    made = {"shm": (0, 4096, 0o1600), "sem": (0, 1, 0o1600), "msg": (0, 0o1600)}

    def act(kind: str) -> None:
        if kind == "keys":
            _ask("keyctl", 0, -3, 0)
        else:
            number = _ask(f"{kind}get", *made[kind])
            _ask(f"{kind}ctl", number, *([0] if kind == "sem" else []), 0, 0)

    return _first_done(act, [*made, "keys"])


def _timer(_wanted: Wanted) -> str:
    number = ctypes.c_int()
    _ask("timer_create", 0, None, ctypes.byref(number))
    _ask("timer_delete", number.value)
    return "a timer"


def _cached(path: str) -> None:
    """Read a byte only if it is in memory."""
    with open(path, "rb") as file:
        os.preadv(file.fileno(), [bytearray(1)], 0, os.RWF_NOWAIT)


def _cache_counts(path: str) -> None:
    with open(path, "rb") as file:
        _ask("cachestat", file.fileno(), _room(16), _room(40), 0)


ACTS: dict[str, Callable[[Wanted], object]] = {
    "read the course's answers": lambda wanted: _first_done(_read, wanted["secrets"]),
    "import the course's answers": lambda wanted: _first_done(importlib.import_module, wanted["modules"]),
    "read files of the system or of people": lambda wanted: _first_done(_read, wanted["files"]),
    "see sizes and times of files of the system or of people": lambda wanted: _first_done(os.stat, wanted["unseen"]),
    "write a file": lambda wanted: _first_done(_write, wanted["folders"]),
    "open a TCP connection": _tcp,
    "send a UDP packet": _udp,
    "open a unix socket": lambda wanted: _first_done(_unix, wanted["unix"]),
    "start a process": _fork,
    "run a program": _run,
    "see other processes": _others,
    "signal other processes": _signal,
    "steer other processes": _steer,
    "read the grader's environment": _environment,
    "exceed the memory limit": _memory,
    "make namespaces of its own": _namespace,
    "leave a hint on a file": _each([_hint]),
    "change a file's flags, times or rights": _each([*map(_control, _CONTROLS), _attributes, _times, _rights, _label]),
    "lock a file": _each([_whole_lock, _range_lock, _open_file_lock, _lease]),
    "watch files": _watch,
    "make objects that outlive it": _object,
    "make a timer that signals": _timer,
    "see what others have read": _each([_cached, _cache_counts]),
}
