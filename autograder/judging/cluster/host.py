"""The part that runs in a dask worker: it keeps one node process, and hands it one batch at a time.

A node grades a batch with as many judges as its worker has threads. So one batch keeps the whole machine busy,
and others wait at a lock. Torch, the suites and students' code stay out of the dask worker.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from typing import Final

from autograder.judging.cluster.messages import (
    Batch,
    Done,
    FromNode,
    FromWorker,
    Graded,
    Kept,
    NodeLost,
    NodeOrders,
    Ready,
    Refused,
    Results,
    decode,
    digest,
    encode,
    receive,
    send,
)
from autograder.judging.cluster.software import difference, software

_GRACE_SECONDS: Final = 5.0
_lock = threading.Lock()
_nodes: dict[str, Node] = {}  # at most one, by the digest of its orders


class _NoNodeError(Exception):
    """There is no node, or it has ended; `answer` goes to the grading side."""

    def __init__(self, answer: Refused | NodeLost) -> None:
        super().__init__(answer.why)
        self.answer = answer


class Node:
    """A node process of this worker.

    Raises:
        _NoNodeError: the process refuses its orders, or ends.
    """

    def __init__(self, orders: bytes, threads: int) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="attend-node-")
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 (it lives as long as the process)
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "autograder.judging.cluster.node", self._folder.name, str(threads)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            start_new_session=True,  # Ctrl-C in the worker's terminal is the worker's affair
        )
        try:
            self._send(orders)
            answer = self._receive()
            if isinstance(answer, Refused):
                raise _NoNodeError(answer)
            assert isinstance(answer, Ready)
            self.ready = answer
        except _NoNodeError:
            self.close()
            raise

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def grade(self, batch: Batch) -> Results:
        """Grade a batch.

        Raises:
            _NoNodeError: the process has ended.
        """
        self._send(encode(batch))
        graded: list[Kept | Graded] = []
        while isinstance(answer := self._receive(), Kept | Graded):
            graded.append(answer)
        assert isinstance(answer, Done)
        return Results(tuple(graded))

    def close(self) -> None:
        """End the process and everything it started. It removes its own folder, unless it is killed."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(_GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
        self._log.close()
        with suppress(OSError):
            self._folder.cleanup()

    def _send(self, data: bytes) -> None:
        assert self._process.stdin is not None
        try:
            send(self._process.stdin, data)
        except OSError as error:
            raise _NoNodeError(self._lost()) from error

    def _receive(self) -> FromNode:
        assert self._process.stdout is not None
        try:
            answer: FromNode = decode(receive(self._process.stdout), FromNode)
        except EOFError as error:
            raise _NoNodeError(self._lost()) from error
        return answer

    def _lost(self) -> NodeLost:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_GRACE_SECONDS)
        log = ""
        with suppress(ValueError):  # `close` has closed it meanwhile
            self._log.seek(0)
            log = self._log.read().decode("utf-8", "replace")
        last = next((line.strip() for line in reversed(log.split("\n")) if line.strip()), "its log is empty")
        return NodeLost(f"its process ended (exit status {self._process.returncode}): {last}")


def prepare(orders: bytes) -> bytes:
    """Start the node for `orders`, unless it runs already; return an encoded `FromWorker`."""
    return encode(_attempt(orders, None))


def grade(orders: bytes, batch: bytes) -> bytes:
    """Grade an encoded `Batch`; return an encoded `FromWorker`."""
    return encode(_attempt(orders, decode(batch, Batch)))


def stop(identifier: str) -> None:
    """End the node with these orders, even in the middle of a batch. Return at once: workers call it in their loop."""
    node = _nodes.pop(identifier, None)
    if node is not None:
        threading.Thread(target=node.close, daemon=True).start()


def _attempt(orders: bytes, batch: Batch | None) -> FromWorker:
    with _lock:
        try:
            node = _node(orders)
            return node.grade(batch) if batch is not None else node.ready
        except _NoNodeError as error:
            return error.answer


def _node(orders: bytes) -> Node:
    identifier = digest(orders)
    node = _nodes.get(identifier)
    if node is not None and node.is_alive:
        return node
    for other in list(_nodes.values()):
        other.close()
    _nodes.clear()
    wanted: NodeOrders = decode(orders, NodeOrders)
    if differs := difference(wanted.software, software()):
        raise _NoNodeError(Refused(differs))
    from distributed import get_worker  # the grading side imports this module too, and may lack the package

    _nodes[identifier] = Node(orders, get_worker().state.nthreads)
    return _nodes[identifier]
