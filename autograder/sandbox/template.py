"""`python -m autograder.sandbox.template FD`: a process with torch loaded, from which workers are forked.

It holds no secret and runs no student's code. For each worker it forks a supervisor, which leaves the
namespaces, forks the worker (the first process of a pid namespace, so that its end is the end of all it
started), and tells the judge how it ended. When the judge closes a supervisor's socket, or dies, the
worker is killed; when the judge closes the template's, the template ends, and everything with it.
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

import einops
import msgspec
import numpy as np
import torch
import torch._dynamo  # otherwise the first optimizer of every worker would import it, for seconds

from autograder.calls.compiler import as_it_is
from autograder.sandbox import walls, worker
from autograder.sandbox.control import ENVIRONMENT, SPAWN, Setup, Share, Walls, receive, send


def main(control: socket.socket) -> None:
    """Serve spawn requests on `control` until the judge closes it."""
    setup = msgspec.json.decode(receive(control), type=Setup)
    _warm_up()
    sys.path[:] = [path for path in sys.path if path and path not in setup.hidden_path]
    for name in set(os.environ) - set(ENVIRONMENT):
        del os.environ[name]
    _provide_blocks(setup.blocks)
    found = walls.found() if setup.walled else Walls()
    # From here on nobody waits for children, so that the kernel reaps supervisors.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    gc.collect()
    gc.freeze()
    send(control, found)
    while _spawn_one(control, setup, found):
        pass


def _warm_up() -> None:
    """One thread, and the first use of what reads /proc or /sys at its first use."""
    torch.set_num_threads(1)
    torch.compile = as_it_is  # a compiler wants a disk, another program and seconds
    square = torch.ones(8, 8)
    (square @ square).softmax(-1)
    torch.nn.functional.layer_norm(square, (8,))
    np.ones((8, 8)) @ np.ones((8, 8))
    einops.rearrange(square, "a b -> b a")


def _provide_blocks(path: str | None) -> None:
    """`reference` with nothing in it but `reference.blocks`, where the course has that."""
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
    """A file that becomes readable when a child ends."""
    ended, waker = os.pipe()
    os.set_blocking(waker, False)
    signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    return ended


def _finish(child: int, judge: int) -> None:
    """Tell the judge how the worker ended; if it has not yet, the judge wants it to."""
    pid, status = os.waitpid(child, os.WNOHANG)
    if pid == 0:
        os.kill(child, signal.SIGKILL)
        status = os.waitpid(child, 0)[1]
    code = os.waitstatus_to_exitcode(status)
    stopped = pid == 0 and code == -signal.SIGKILL
    said = b"S" if stopped else b"E" if code >= 0 else b"K"
    os.write(judge, said + bytes([abs(code)]))


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])))
    os._exit(0)  # torch takes its time to end in order
