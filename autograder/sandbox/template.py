"""`python -m autograder.sandbox.template FD`: a process with torch loaded, from which workers are forked.

It holds no secret and runs no student's code. For each worker it forks a supervisor, which leaves the namespaces, forks
the worker, and tells the judge on a socket of its own first that the walls are up, or what failed, and then how the
worker ended. The worker is the first process of a pid namespace: all that it started ends with it. When the judge
closes a supervisor's socket, or dies, the worker is killed. When the judge closes the template's socket, the template
ends, and everything with it.

Before the first fork it warms up: what that loads and changes in memory, all workers share.
"""

from __future__ import annotations

import gc
import importlib.util
import linecache
import os
import select
import signal
import socket
import sys
import tempfile
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any, Final, Never

import einops
import msgspec
import numpy as np
import torch

from autograder.calls.records import Build, Call
from autograder.internals import library
from autograder.internals.grading_mode import grading_mode
from autograder.sandbox import walls, worker
from autograder.sandbox.control import ENVIRONMENT, FAULT, FAULT_BYTES, READY, SPAWN, Setup, Share, Walls, receive, send
from autograder.sandbox.frames import PREFIX, lengths
from autograder.sandbox.wire import Ask, Load, encode_request

WARM_UP: Final = "warm_up"
CHAPTER: Final = """
import numpy as np
import torch
from torch import nn


def weights(x):
    return torch.softmax(x @ x.transpose(-2, -1) / x.shape[-1] ** 0.5, -1)


def means(x):
    return np.asarray(x).mean(-1).tolist(), {"shape": x.shape}


def past_the_end(x):
    return x[len(x)]


class Layer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)
        self.norm = nn.LayerNorm(width)

    def forward(self, x):
        y = self.norm(x + torch.relu(self.linear(x)))
        return y.masked_fill(y > 1, 0.0)


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.attention = nn.MultiheadAttention(width, 2, batch_first=True)
        self.layer = Layer(width)

    def forward(self, x):
        return self.layer(self.attention(x, x, x)[0])
"""
FORBIDDEN: Final = ("softplus",)  # which nothing above uses


def main(control: socket.socket) -> None:
    """Serve spawn requests on `control` until the judge closes it."""
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
    walls.keep_to_itself()
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
        child, fault = _fork_worker(setup, found, channel, share)
        os.close(channel)
        if fault:
            os.write(judge, FAULT + fault)
        else:
            os.write(judge, READY)
            os.write(judge, _last_words(child, share, judge, ended))
    except OSError as error:
        with suppress(OSError):
            os.write(judge, FAULT + str(error).encode(errors="replace")[:FAULT_BYTES])
    finally:
        os._exit(0)


def _fork_worker(setup: Setup, found: Walls, channel: int, share: Share) -> tuple[int, bytes]:
    """Return the worker, and what failed of its walls, which is nothing once they are up."""
    told, fault = os.pipe()
    child = os.fork()
    if child == 0:
        walls.die_with_parent()
        worker.main(setup, found, channel, share, fault)
    os.close(fault)
    with open(told, "rb") as pipe:
        return child, pipe.read(FAULT_BYTES)


def _notice_of_children() -> int:
    """Return a file descriptor that becomes readable when a child ends."""
    ended, waker = os.pipe()
    os.set_blocking(waker, False)
    signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    return ended


def _last_words(child: int, share: Share, judge: int, ended: int) -> bytes:
    """Return how the worker ended. It is killed if the judge hangs up, or if someone has stopped it from outside."""
    while True:
        ready, _, _ = select.select([judge, ended], [], [])
        pid, status, usage = os.wait4(child, os.WNOHANG | os.WUNTRACED)
        if pid == 0 and judge not in ready:
            os.read(ended, 1)
            continue
        is_stopped = pid != 0 and os.WIFSTOPPED(status)
        if pid == 0 or is_stopped:
            os.kill(child, signal.SIGKILL)
            _, status, usage = os.wait4(child, 0)
        code = os.waitstatus_to_exitcode(status)
        if code == -signal.SIGKILL and pid == 0:
            return b"S" + bytes([signal.SIGKILL])
        return _ending(code, is_stopped, usage.ru_utime + usage.ru_stime >= share.cpu_seconds)


def _ending(code: int, is_stopped: bool, is_spent: bool) -> bytes:
    """Return the message on a worker that was not killed for the judge.

    The kernel ends one that goes on past its processor time as it ends one where memory runs out: `is_spent` tells.
    """
    if code == -signal.SIGKILL:
        code = -signal.SIGSTOP if is_stopped else -signal.SIGXCPU if is_spent else code
    return (b"E" if code >= 0 else b"K") + bytes([abs(code)])


def warm_up() -> None:
    """Use one thread, and call functions that read /proc or /sys, or write a file, the first time."""
    torch.set_num_threads(1)
    tempfile.gettempdir()
    square = torch.ones(8, 8)
    (square @ square).softmax(-1)
    torch.nn.functional.layer_norm(square, (8,))
    np.ones((8, 8)) @ np.ones((8, 8))
    einops.rearrange(square, "a b -> b a")
    library.prepare()
    answer_calls()


def answer_calls() -> None:
    """Load a chapter and answer calls of it, as a worker does; nothing of them stays but memory that is warm."""
    namespace: dict[str, Any] = {}
    requests: list[Load | Ask] = [Load(WARM_UP, CHAPTER), *map(Ask, range(9), _calls())]
    for request in requests:
        frame = encode_request(request)
        header, _ = lengths(frame[: PREFIX.size])
        worker.replied(frame[PREFIX.size : PREFIX.size + header], frame[PREFIX.size + header :], namespace)
    del sys.modules[WARM_UP]
    linecache.cache.pop(f"{WARM_UP}.py", None)


def _calls() -> Iterator[Call]:
    x = torch.linspace(0, 1, 24).reshape(2, 3, 4)
    yield Call("weights", (x,), cotangents=(torch.ones(2, 3, 3),), forbidden=FORBIDDEN)
    yield Call("weights", (x.double(),), forbidden=FORBIDDEN)
    yield Call("means", (x.numpy(),))
    yield Call("past_the_end", (x,))
    yield Call("missing", (x,))
    state = dict(
        torch.nn.Sequential(OrderedDict(linear=torch.nn.Linear(4, 4), norm=torch.nn.LayerNorm(4))).state_dict()
    )
    yield Call("Layer", (x,), build=Build((4,), state=state), cotangents=(torch.ones(2, 3, 4),), forbidden=FORBIDDEN)
    yield Call("Block", (x,), build=Build((4,)))
    yield Call("Block", (x.to("meta"),), build=Build((4,)), device="meta", forbidden=FORBIDDEN)


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])))
    os._exit(0)  # torch takes its time to end in order
