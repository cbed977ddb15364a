"""How batches are dealt out, and what comes of those that fail: a pool on a cluster that only plays one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any

import pytest
from distributed.scheduler import KilledWorker

from autograder.core.errors import AttendError
from autograder.core.records import SubmissionResult
from autograder.core.submission import Submission
from autograder.judging.cluster import connection, pool
from autograder.judging.cluster.messages import FromWorker, Graded, NodeLost, Ready, Refused, Results
from autograder.judging.cluster.pool import MOST_FOR_A_JUDGE, Pool

LOST = NodeLost("its process ended")


def graded(submissions: Sequence[Submission], tier: str = "full") -> Results:
    results = [SubmissionResult(each.student, 1, 1, tier, 1, {}, ()) for each in submissions]
    return Results(tuple(Graded(result) for result in results))


class Play:
    """A cluster whose nodes answer at once what `says` makes of a batch and a node's name."""

    address = "tcp://here:1"
    tier = "full"

    def __init__(self, says: Callable[[Sequence[Submission], str], FromWorker], **judges: int) -> None:
        self.says = says
        self.there = judges
        self.dealt: list[tuple[str, list[str]]] = []

    def judges(self) -> dict[str, int]:
        return dict(self.there)

    def grade(self, submissions: Sequence[Submission], node: str) -> Future[FromWorker]:
        self.dealt.append((node, [each.student for each in submissions]))
        future: Future[FromWorker] = Future()
        future.set_result(self.says(submissions, node))
        return future

    def answer(self, future: Future[FromWorker]) -> FromWorker:
        return future.result()


def grade(play: Play, count: int, on_tick: Callable[[], None] = lambda: None) -> tuple[list[str], dict[str, str]]:
    """Who was graded, and why the others were not."""
    cluster: Any = play
    done: list[str] = []
    faults: dict[str, str] = {}
    at_work = Pool(
        cluster,
        lambda result: done.append(result.student),
        lambda submission, why: faults.update({submission.student: why}),
        on_tick,
    )
    at_work.grade([Submission(f"s{number}", {}) for number in range(count)])
    assert sorted([*done, *faults]) == sorted(f"s{number}" for number in range(count))
    return done, faults


def test_batches_are_bounded_and_shrink_towards_the_end_and_a_large_node_gets_more() -> None:
    play = Play(lambda submissions, _: graded(submissions), small=1, large=4)
    assert grade(play, 2000)[1] == {}
    sizes = {node: [len(names) for name, names in play.dealt if name == node] for node in ("small", "large")}
    assert max(sizes["small"]) == MOST_FOR_A_JUDGE
    assert max(sizes["large"]) == 4 * MOST_FOR_A_JUDGE
    last = play.dealt[-1][1]
    assert len(last) <= 4, "one submission for each judge at most, whichever node is the last"


def test_the_parts_of_a_chapter_are_dealt_out_together() -> None:
    play: Any = Play(lambda submissions, _: graded(submissions), a=1)
    parts = [Submission(f"{chapter}/{student}", {}, only=(chapter,)) for student in range(20) for chapter in "cab"]
    Pool(play, lambda _: None, pytest.fail, lambda: None).grade(parts)
    dealt = [name for _, names in play.dealt for name in names]
    assert dealt == [f"{chapter}/{student}" for chapter in "abc" for student in range(20)]


def test_a_chapter_stays_with_the_node_that_has_had_it() -> None:
    play: Any = Play(lambda submissions, _: graded(submissions), a=1, b=1)
    chapters = [f"ch{number:02}" for number in range(16)]
    parts = [Submission(f"{each}/{student}", {}, only=(each,)) for student in range(30) for each in chapters]
    Pool(play, lambda _: None, pytest.fail, lambda: None).grade(parts)
    homes = {(name.partition("/")[0], node) for node, names in play.dealt for name in names}
    shared = [each for each in chapters if {(each, "a"), (each, "b")} <= homes]
    assert len(shared) <= 1  # the last one, which both finish


def test_a_node_has_its_next_batch_before_the_results_of_the_last_are_written() -> None:
    play: Any = Play(lambda submissions, _: graded(submissions), a=1)
    dealt: list[int] = []
    parts = [Submission(f"s{number}", {}) for number in range(4)]
    Pool(play, lambda _: dealt.append(len(play.dealt)), pytest.fail, lambda: None).grade(parts)
    assert [len(names) for _, names in play.dealt] == [2, 1, 1]
    assert dealt == [2, 2, 3, 3]


def test_a_batch_that_fails_is_cut_up_and_only_what_fails_again_alone_is_our_fault() -> None:
    def says(submissions: Sequence[Submission], _: str) -> FromWorker:
        poisoned = any(each.student == "s1" for each in submissions)
        return LOST if poisoned else graded(submissions)

    play = Play(says, a=2)
    done, faults = grade(play, 8)
    assert faults == {"s1": "node a: its process ended"}
    assert "s1" not in done
    assert [names for _, names in play.dealt if "s1" in names] == [["s0", "s1", "s2", "s3"], ["s1"]]


def test_a_node_that_refuses_gets_nothing_more_and_its_batch_goes_to_another() -> None:
    play = Play(lambda submissions, node: Refused("no") if node == "bad" else graded(submissions), bad=1, good=1)
    assert grade(play, 40)[1] == {}
    assert [node for node, _ in play.dealt].count("bad") == 1


def test_results_from_behind_another_wall_are_not_taken() -> None:
    tiers = {"low": "partial", "high": "full"}
    play = Play(lambda submissions, node: graded(submissions, tiers[node]), low=1, high=1)
    assert grade(play, 40)[1] == {}
    assert [node for node, _ in play.dealt].count("low") == 1


def test_nodes_with_different_sandboxes_are_refused_at_the_start() -> None:
    with pytest.raises(AttendError, match="different sandboxes: a has all\nb has half"):
        connection._common_tier({"a": Ready("full", "all"), "b": Ready("partial", "half")})
    assert connection._common_tier({"a": Ready("full", "all"), "b": Ready("full", "all")}) == "full"


def test_a_node_that_is_lost_three_times_in_a_row_gets_nothing_more_and_costs_nothing() -> None:
    play = Play(lambda submissions, node: LOST if node == "bad" else graded(submissions), bad=1, good=1)
    assert grade(play, 200)[1] == {}
    assert [node for node, _ in play.dealt].count("bad") == 3


def test_a_node_that_comes_later_is_given_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "LOOK_SECONDS", 0.0)
    play = Play(lambda submissions, _: graded(submissions), first=1)
    grade(play, 60, lambda: play.there.update(later=1))
    assert "later" in {node for node, _ in play.dealt}


def test_when_all_nodes_are_gone_for_long_one_sentence_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "LOOK_SECONDS", 0.0)
    monkeypatch.setattr(pool, "PATIENCE_SECONDS", 0.0)
    with pytest.raises(AttendError, match=r"no node is left at tcp://here:1 .*start workers again"):
        grade(Play(lambda submissions, _: graded(submissions)), 3)


def test_what_dask_gives_up_on_is_a_loss_with_a_sentence() -> None:
    future: Future[bytes] = Future()
    future.set_exception(KilledWorker("task", None, 3))
    answer = connection.Cluster.answer(object.__new__(connection.Cluster), future)
    assert answer == NodeLost("every node that had it died; look into their workers' logs")
