"""The grading side's connection to a cluster: the nodes at one address, each with a sandbox that is ready."""

from __future__ import annotations

import asyncio
import logging
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, Future, wait
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, Final, Self

from autograder.core.errors import AttendError, ClusterLostError
from autograder.core.submission import Submission
from autograder.judging.cluster import host, messages
from autograder.judging.cluster.messages import Batch, FromWorker, NodeLost, NodeOrders, Ready
from autograder.judging.cluster.package import pack
from autograder.judging.cluster.software import software
from autograder.judging.process import Orders

CONNECT_SECONDS: Final = 5.0
START_SECONDS: Final = 180.0
STOP_SECONDS: Final = 0.8


class Cluster:
    """What `Wall` is for one machine; use it in a `with`.

    `tier` is the tier of every node's sandbox, `sentence` describes the nodes.

    Args:
        address: of the scheduler, such as tcp://10.0.0.1:8786.
        level: of the sandbox, as for `attend grade --sandbox`.
        jobs: the most submissions graded at a time on one node; None for one per thread of its dask worker.

    Raises:
        AttendError: no scheduler answers there, it has no node, or a node cannot be used.
    """

    def __init__(self, address: str, orders: Orders, level: str, jobs: int | None = None) -> None:
        self.address = address
        self._jobs = jobs
        package, exercises = pack(orders.course), tuple(orders.exercises)
        node = NodeOrders(package, exercises, orders.seed, orders.limits, orders.replies, level, jobs, software())
        self._orders = messages.encode(node)
        with ExitStack() as stack:
            stack.enter_context(_quiet())
            self._client = stack.enter_context(_client(address))
            stack.callback(self._stop_nodes)
            self._executor = self._client.get_executor(pure=False)
            ready = self._prepared()
            self.tier = _common_tier(ready)
            self.sentence = self._count(ready)
            self._stack = stack.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def judges(self) -> Mapping[str, int]:
        """Return how many submissions each node grades at a time, by the address of each node that is there now.

        Raises:
            ClusterLostError: the scheduler is lost.
        """
        try:
            threads: dict[str, int] = self._client.nthreads()
        except Exception as error:  # dask raises a dozen kinds, and documents none
            raise self.lost() from error
        return {address: min(count, self._jobs or count) for address, count in threads.items()}

    def grade(self, submissions: Sequence[Submission], node: str) -> Future[bytes]:
        """Send a batch to `node`, or to another one if that is gone; `answer` reads the result."""
        batch = messages.encode(Batch(tuple(submissions)))
        return self._submit(host.grade, self._orders, batch, workers=[node], allow_other_workers=True)

    def answer(self, future: Future[bytes]) -> FromWorker:
        """Return a node's answer.

        Raises:
            ClusterLostError: the scheduler is lost.
        """
        try:
            answer: FromWorker = messages.decode(future.result(), FromWorker)
        except CancelledError as error:
            raise self.lost() from error
        except Exception as error:
            return NodeLost(_why(error))
        return answer

    def lost(self) -> ClusterLostError:
        return ClusterLostError(
            f"the scheduler at {self.address} is lost; what is graded is kept: start it and its workers again, and "
            "the same command goes on"
        )

    def _submit(self, function: Callable[..., bytes], *args: bytes, **where: Any) -> Future[bytes]:
        future: Future[bytes] = self._executor.submit(function, *args, **where)
        return future

    def _prepared(self) -> dict[str, Ready]:
        """Start all nodes at once, and return their answers by address.

        Raises:
            AttendError: there is no node, or one of them cannot be used.
        """
        with suppress(Exception):  # a worker may still be starting, or have lost its connection for a moment
            self._client.wait_for_workers(1, timeout=CONNECT_SECONDS)
        nodes = list(self.judges())
        if not nodes:
            raise AttendError(
                f"the scheduler at {self.address} has no workers; start one on each machine, "
                f"`dask worker {self.address}`, and run the same command again"
            )
        futures = {self._submit(host.prepare, self._orders, workers=[node]): node for node in nodes}
        done, late = wait(futures, START_SECONDS)
        answers = {futures[future]: self.answer(future) for future in done}
        answers |= {futures[future]: NodeLost(f"it did not answer within {START_SECONDS:g} seconds") for future in late}
        troubles = [f"{node}: {each.why}" for node, each in answers.items() if isinstance(each, messages.Trouble)]
        if troubles:
            more = f"\n(and {len(troubles) - 1} more)" if len(troubles) > 1 else ""
            raise AttendError(f"a node of this cluster cannot be used. {troubles[0]}{more}")
        return {node: each for node, each in answers.items() if isinstance(each, Ready)}

    def _count(self, ready: Mapping[str, Ready]) -> str:
        judges = self.judges()
        count = f"{_counted(len(ready), 'node')} with {_counted(sum(judges.get(node, 0) for node in ready), 'judge')}"
        return f"{count}; sandbox {' or '.join(dict.fromkeys(each.sentence for each in ready.values()))}"

    def _stop_nodes(self) -> None:
        """End the nodes, even in the middle of a batch, without waiting for a machine that does not answer."""

        def stop() -> None:
            with suppress(Exception):
                self._client.run(host.stop, messages.digest(self._orders), on_error="ignore")

        stopping = threading.Thread(target=stop, daemon=True)
        stopping.start()
        stopping.join(STOP_SECONDS)


def _common_tier(ready: Mapping[str, Ready]) -> str:
    """Return the tier of all nodes' sandboxes, which must be the same so that grades are comparable.

    Raises:
        AttendError: they differ.
    """
    by_tier = {each.tier: f"{node} has {each.sentence}" for node, each in ready.items()}
    if len(by_tier) > 1:
        raise AttendError(
            "the nodes of this cluster have different sandboxes: " + "\n".join(by_tier.values()) + "\nmake them "
            "alike, or stop the workers of those with less"
        )
    return next(iter(by_tier))


@contextmanager
def _client(address: str) -> Iterator[Any]:
    try:
        import dask
        from distributed import Client
    except ModuleNotFoundError as error:
        mend = "pip install -c constraints.txt -e '.[instructor,cluster]'"
        raise AttendError(f"grading on many machines needs {error.name}: {mend} in the course's folder") from error
    with dask.config.set({"distributed.comm.timeouts.connect": f"{CONNECT_SECONDS}s"}):
        try:
            asyncio.run(_knock(address))
            client: Any = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)  # type: ignore[no-untyped-call]
        except Exception as error:  # OSError, ValueError, TypeError: whatever is wrong with an address
            raise AttendError(
                f"no scheduler answers at {address} ({_why(error)}); start one with `dask scheduler`, and use the "
                "address that it prints"
            ) from error
        try:
            yield client
        finally:
            with suppress(Exception):
                client.close(timeout=STOP_SECONDS)


async def _knock(address: str) -> None:
    """Connect to the scheduler once, as a client that cannot reach it hangs for seconds and logs errors."""
    from distributed.comm.core import connect
    from distributed.security import Security

    keys = Security().get_connection_args("client")  # type: ignore[no-untyped-call]
    comm = await connect(address, timeout=CONNECT_SECONDS, **keys)  # type: ignore[no-untyped-call]
    await comm.close()


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence the logs and warnings of dask and tornado; our own errors say what matters in them."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)


def _counted(count: int, name: str) -> str:
    return f"{count} {name}{'s' if count > 1 else ''}"


def _why(error: Exception) -> str:
    if type(error).__name__ == "KilledWorker":
        return "every node that had it died; look into their workers' logs"
    return f"{type(error).__name__}: {error}".partition("\n")[0]
