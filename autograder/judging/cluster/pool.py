"""Grade many submissions on many machines, and lose nothing when a machine is lost.

`Pool` is for a `Cluster` what `Coordinator` is for one machine. Each node has one batch at a time, and itself grades
again what its machine may have spoiled. Batches shrink towards the end, so that all nodes finish together. When a
worker dies, dask runs its batch on another one. A batch that fails is tried once more, each submission alone.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from math import ceil
from typing import Final

from autograder.core import interrupts
from autograder.core.errors import ClusterLostError
from autograder.core.records import SubmissionResult
from autograder.core.submission import Submission
from autograder.judging.cluster.connection import Cluster
from autograder.judging.cluster.messages import FromWorker, Graded, Kept, NodeLost, Refused, Results
from autograder.judging.process import Replies
from autograder.judging.waiting import Subject, Waiting

TICK_SECONDS: Final = 0.5
LOOK_SECONDS: Final = 2.0  # between two looks at the list of nodes
PATIENCE_SECONDS: Final = 60.0  # without any node: they may be restarting
MOST_FOR_A_JUDGE: Final = 64  # submissions of a batch: a lost node costs these, a batch costs the start of judges
MOST_LOSSES: Final = 3  # of one node, in a row


@dataclass
class Unit:
    """A submission, and the node that was lost while grading it, if any."""

    submission: Submission
    lost_on: str = ""


@dataclass
class Pool:
    """Hands submissions to nodes and results to `on_result`.

    Args:
        on_result: called with each result, when its batch is finished.
        on_fault: called with a submission that could not be graded, and why; it costs the student nothing.
        on_tick: called about twice a second.
        keep: called before `on_result`, with the submission and its code's replies, if the orders ask for them.
    """

    cluster: Cluster
    on_result: Callable[[SubmissionResult], None]
    on_fault: Callable[[Submission, str], None]
    on_tick: Callable[[], None]
    keep: Callable[[Submission, Replies], None] = lambda *_: None
    _waiting: Waiting = field(default_factory=Waiting)
    _again: deque[Unit] = field(default_factory=deque)  # those that were lost
    _knows: dict[str, set[Subject]] = field(default_factory=dict)  # by node, the subjects of what it was dealt
    _flying: dict[Future[bytes], tuple[str, list[Unit]]] = field(default_factory=dict)
    _losses: Counter[str] = field(default_factory=Counter)
    _unusable: dict[str, str] = field(default_factory=dict)  # nodes, and why
    _judges: Mapping[str, int] = field(default_factory=dict)
    _looked: float = 0.0
    _seen: float = 0.0

    def grade(self, submissions: Sequence[Submission]) -> None:
        """Grade all submissions. Any exception cancels the batches under way.

        Raises:
            ClusterLostError: the scheduler is lost, or all nodes are.
        """
        self._waiting.extend(sorted(submissions, key=lambda each: each.only))
        self._looked, self._seen = 0.0, time.monotonic()
        try:
            while self._waiting or self._again or self._flying:
                interrupts.raise_if_noted()
                self._look()
                self._deal()
                answered = self._answered()
                try:
                    self._deal()  # before the results are written, which takes a while
                finally:
                    for units, results in answered:
                        self._accept(units, results)
                self.on_tick()
        finally:
            for future in self._flying:
                future.cancel()
            self._flying.clear()
            self._waiting, self._again = Waiting(), deque()

    def _look(self) -> None:
        """Update the list of nodes: some may be lost, others new."""
        now = time.monotonic()
        if now - self._looked < LOOK_SECONDS:
            return
        self._looked = now
        there = self.cluster.judges()
        self._judges = {node: count for node, count in there.items() if node not in self._unusable}
        if self._judges:
            self._seen = now
        elif now - self._seen > PATIENCE_SECONDS:
            why = next(reversed(self._unusable.values()), "all workers are gone")
            raise ClusterLostError(
                f"no node is left at {self.cluster.address} ({why}); what is graded is kept: start workers again, and "
                "the same command goes on"
            )

    def _deal(self) -> None:
        busy = {node for node, _ in self._flying.values()}
        for node in [node for node in self._judges if node not in busy and node not in self._unusable]:
            if batch := self._batch(node):
                self._flying[self.cluster.grade([unit.submission for unit in batch], node)] = node, batch

    def _batch(self, node: str) -> list[Unit]:
        """Return the next units for `node`, by the number of its judges; one that was lost before goes alone."""
        fair = ceil(len(self._waiting) / (2 * sum(self._judges.values())))
        known = self._knows.setdefault(node, set())
        others = set[Subject]().union(*(self._knows.get(other, set()) for other in self._judges if other != node))
        batch: list[Unit] = []
        while self._waiting and len(batch) < self._judges[node] * min(fair, MOST_FOR_A_JUDGE):
            batch.append(Unit(self._waiting.next(known, others)))
            known.add(batch[-1].submission.only)
        return batch or self._once_more(node)

    def _once_more(self, node: str) -> list[Unit]:
        """Return a unit that was lost on another node, or on this one if it is the only node."""
        alone = len(self._judges) == 1
        unit = next((unit for unit in self._again if alone or unit.lost_on != node), None)
        if unit is None:
            return []
        self._again.remove(unit)
        return [unit]

    def _answered(self) -> list[tuple[Sequence[Unit], Results]]:
        """Return the batches that are graded, after a moment; those that are not wait again."""
        found: list[tuple[Sequence[Unit], Results]] = []
        if not self._flying:
            time.sleep(TICK_SECONDS)
        for future in wait(self._flying, TICK_SECONDS, FIRST_COMPLETED).done:
            node, units = self._flying.pop(future)
            answer = self._checked(self.cluster.answer(future))
            if isinstance(answer, Results):
                self._losses[node] = 0
                found.append((units, answer))
            elif isinstance(answer, Refused):
                self._unusable[node] = answer.why
                self._waiting.extend(unit.submission for unit in units if not unit.lost_on)
                self._again.extend(unit for unit in units if unit.lost_on)
            elif isinstance(answer, NodeLost):
                self._lose(node, units, answer.why)
        return found

    def _checked(self, answer: FromWorker) -> FromWorker:
        """Refuse a node that came later and has another wall than those at the start."""
        if isinstance(answer, Results):
            tiers = {each.result.sandbox for each in answer.said if isinstance(each, Graded)}
            if other := tiers - {self.cluster.tier, "none"}:
                return Refused(f"its sandbox is {other.pop()}, and that of the others {self.cluster.tier}")
        return answer

    def _accept(self, units: Sequence[Unit], results: Results) -> None:
        for each in results.said:
            if isinstance(each, Kept):
                self.keep(units[each.place].submission, each.replies)
            else:
                self.on_result(each.result)

    def _lose(self, node: str, units: Sequence[Unit], why: str) -> None:
        self._losses[node] += 1
        if self._losses[node] >= MOST_LOSSES:
            self._unusable[node] = why
        for unit in units:
            if unit.lost_on:
                self.on_fault(unit.submission, f"node {node}: {why}")
            else:
                unit.lost_on = node
                self._again.append(unit)
