"""`python -m autograder.sandbox.template FD`: a process with torch loaded, from which workers are forked.

It holds no secret and runs no student's code. For each worker it forks a supervisor, which leaves the namespaces, forks
the worker, and tells the judge how it ended. The worker is the first process of a pid namespace: all that it started
ends with it. When the judge closes a supervisor's socket, or dies, the worker is killed. When the judge closes the
template's socket, the template ends, and everything with it.
"""

from __future__ import annotations

import gc
import importlib.util
import os
import select
import signal
import socket
import sys
from pathlib import Path
from types import ModuleType
from typing import Never

import msgspec

from autograder.internals.compiler import load_compiler
from autograder.internals.grading_mode import grading_mode
from autograder.sandbox import walls, worker
from autograder.sandbox.control import ENVIRONMENT, SPAWN, Setup, Share, Walls, receive, send
from autograder.sandbox.warm_up import warm_up


def main(control: socket.socket) -> None:
    """Serve spawn requests on `control` until the judge closes it."""
    load_compiler()
    setup = msgspec.json.decode(receive(control), type=Setup)
    with grading_mode():
        _serve(control, setup)


def _serve(control: socket.socket, setup: Setup) -> None:
    """Get ready, tell the judge which walls there are, and spawn workers."""
    warm_up()
    sys.path[:] = [path for path in sys.path if path and path not in setup.hidden_path]
    for name in set(os.environ) - set(ENVIRONMENT):
        del os.environ[name]
    _provide_blocks(setup.blocks)
    found = walls.found() if setup.walled else Walls()
    # The kernel reaps supervisors from here on: the template does not wait for them.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    gc.collect()
    gc.freeze()
    send(control, found)
    while _spawn_one(control, setup, found):
        pass


def _provide_blocks(path: str | None) -> None:
    """Provide a package `reference` with `reference.blocks`, if the course has it, and nothing else."""
    package = ModuleType("reference")
    package.__path__ = []
    sys.modules["reference"] = package
    if path is None:
        return
    spec = importlib.util.spec_from_file_location("reference.blocks", Path(path) / "__init__.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["reference.blocks"] = module
    spec.loader.exec_module(module)
    package.blocks = module  # type: ignore[attr-defined]


def _spawn_one(control: socket.socket, setup: Setup, found: Walls) -> bool:
    data, descriptors, _, _ = socket.recv_fds(control, SPAWN.size, 2)
    if len(data) < SPAWN.size or len(descriptors) < 2:
        return False
    memory_bytes, cpu_seconds, core = SPAWN.unpack(data)
    template = os.getpid()
    if os.fork() == 0:
        control.close()
        _supervise(setup, found, descriptors, Share(memory_bytes, cpu_seconds), core, template)
    for descriptor in descriptors:
        os.close(descriptor)
    return True


def _supervise(setup: Setup, found: Walls, descriptors: list[int], share: Share, core: int, template: int) -> Never:
    channel, judge = descriptors
    try:
        if core >= 0:
            os.sched_setaffinity(0, {core})
        walls.unshare(found.namespaces)
        walls.die_with_parent()
        if os.getppid() != template:
            os._exit(1)
        ended = _notice_of_children()
        child = os.fork()
        if child == 0:
            walls.die_with_parent()
            worker.main(setup, found, channel, share)
        os.close(channel)
        select.select([judge, ended], [], [])
        _finish(child, judge)
    finally:
        os._exit(0)


def _notice_of_children() -> int:
    """Return a file descriptor that becomes readable when a child ends."""
    ended, waker = os.pipe()
    os.set_blocking(waker, False)
    signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    return ended


def _finish(child: int, judge: int) -> None:
    """Tell the judge how the worker ended; one that still runs is killed, because the judge has hung up."""
    pid, status = os.waitpid(child, os.WNOHANG)
    if pid == 0:
        os.kill(child, signal.SIGKILL)
        status = os.waitpid(child, 0)[1]
    code = os.waitstatus_to_exitcode(status)
    stopped = pid == 0 and code == -signal.SIGKILL
    kind = b"S" if stopped else b"E" if code >= 0 else b"K"
    os.write(judge, kind + bytes([abs(code)]))


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])))
    os._exit(0)  # torch takes its time to end in order
