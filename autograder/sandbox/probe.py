"""A probe that tries what a submission must not be able to do, and reports the outcome of each act.

The doctor sends this file to a worker in place of a submission, so it must not import the engine.
"""

from __future__ import annotations

import ctypes
import importlib
import mmap
import os
import socket
import subprocess
from collections.abc import Callable
from typing import Any

Wanted = dict[str, Any]


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
    return _first_done(lambda act: act(process), [_limits, _cores, _priority, _owner, _thread])


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
    if ctypes.CDLL(None, use_errno=True).tgkill(process, process, 0):
        raise PermissionError(ctypes.get_errno(), "tgkill")


def _environment(wanted: Wanted) -> str:
    names = sorted(set(os.environ) - set(wanted["environment"]))
    if not names:
        raise LookupError("nothing is in it")
    return ", ".join(names)


def _memory(wanted: Wanted) -> str:
    with mmap.mmap(-1, wanted["memory"]) as memory:
        return f"{len(memory)} bytes"


def _namespace(_wanted: Wanted) -> str:
    if ctypes.CDLL(None, use_errno=True).unshare(0x10000000):
        raise PermissionError(ctypes.get_errno(), "unshare")
    return "a user namespace"


ACTS: dict[str, Callable[[Wanted], object]] = {
    "read the course's answers": lambda wanted: _first_done(_read, wanted["secrets"]),
    "import the course's answers": lambda wanted: _first_done(importlib.import_module, wanted["modules"]),
    "read files of the system or of people": lambda wanted: _first_done(_read, wanted["files"]),
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
}
