"""What the machine does to the grader costs no student a point: processes killed, disks full, checks that break."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from autograder.calls.local import LocalTarget
from autograder.calls.records import Call, Observation
from autograder.commands.traces import descendants
from autograder.core.errors import WorkerLost
from autograder.core.records import SubmissionResult
from autograder.core.submission import ChapterSource, Submission
from autograder.course.course import Course
from autograder.judging.coordinator import MOST_FAULTS, Coordinator
from autograder.judging.judge import warm_up
from autograder.judging.process import Hand, Orders
from autograder.sandbox import launch
from autograder.sandbox.handles import GraderFaultError, SandboxLostError, Template, Worker
from autograder.sandbox.target import SandboxTarget
from tests.autograder.conftest import CHAPTER, TOY
from tests.autograder.processes import AT_EASE, ENDLESS_WHERE_MARKED, alive, mark, soon
from tests.autograder.warm import cold

pytestmark = [
    pytest.mark.usefixtures("warm"),
    pytest.mark.skipif(not hasattr(os, "fork"), reason="grading needs a system with fork"),
]
RIGHT = (TOY / "solutions" / f"{CHAPTER}.py").read_text(encoding="utf-8")
SLOW = RIGHT + "\n\nclass Loaded:\n    import time\n    time.sleep(0.3)\n"
WRONG = RIGHT + "\n\ndef double(x):\n    return x ** 2\n"


def submission(name: str, text: str = RIGHT) -> Submission:
    return Submission(name, {CHAPTER: ChapterSource(CHAPTER, text, f"{CHAPTER}.py")})


def grade(
    course: Course,
    submissions: Sequence[Submission],
    hire: Callable[[], Hand] = lambda: LocalTarget,
    jobs: int = 2,
    on_tick: Callable[[Coordinator], None] = lambda _: None,
) -> list[SubmissionResult]:
    """All results, in the order they came in."""
    warm_up()
    results: list[SubmissionResult] = []
    coordinator = Coordinator(Orders(course, course.exercises, 1), hire, results.append, lambda: None)
    coordinator.on_tick = lambda: on_tick(coordinator)
    coordinator.grade(submissions, jobs)
    assert sorted(each.student for each in results) == sorted(each.student for each in submissions)
    return results


@pytest.fixture(scope="module")
def template() -> Iterator[Template]:
    with Template(TOY) as made:
        yield made


def in_sandbox(template: Template) -> Callable[[], Hand]:
    def hire() -> Hand:
        template.revive()
        return partial(SandboxTarget, template, limits=AT_EASE)

    return hire


def kill_asked(monkeypatch: pytest.MonkeyPatch, below: int, before: set[int], times: int) -> list[int]:
    """Let the next `times` workers below the process `below` be killed, each when it is asked something."""
    killed, send = list[int](), Worker._send

    def fresh() -> set[int]:
        """New workers; each has a supervisor above it."""
        return {worker for each in descendants(below) - before for worker in descendants(each)} - set(killed)

    def send_and_kill(worker: Worker, data: bytes, deadline: float) -> None:
        if len(killed) < times:
            assert soon(lambda: len(fresh()) == 1)
            killed.extend(fresh())
            os.kill(killed[-1], signal.SIGKILL)
        send(worker, data, deadline)

    monkeypatch.setattr(Worker, "_send", send_and_kill)
    return killed


def test_a_worker_that_is_killed_from_outside_is_replaced_and_its_call_made_again(
    template: Template, monkeypatch: pytest.MonkeyPatch
) -> None:
    below = template.started.process.pid
    before = descendants(below)
    with SandboxTarget(template, submission("ann"), AT_EASE) as target:
        assert target.observe(CHAPTER, Call("double", (1.0,))).result == 2.0
        killed = kill_asked(monkeypatch, below, before, 1)
        assert target.observe(CHAPTER, Call("double", (3.0,))).result == 6.0
    assert len(killed) == 1


def test_a_worker_that_is_killed_again_and_again_is_the_machines_fault(
    template: Template, monkeypatch: pytest.MonkeyPatch
) -> None:
    below = template.started.process.pid
    killed = kill_asked(monkeypatch, below, descendants(below), 99)
    with (
        SandboxTarget(template, submission("ann"), AT_EASE) as target,
        pytest.raises(GraderFaultError, match="ran out of memory; free some, or grade with fewer --jobs"),
    ):
        target.observe(CHAPTER, Call("double", (3.0,)))
    assert len(killed) == 2


def test_a_judge_that_is_killed_is_replaced_and_no_result_is_lost_or_doubled(toy: Course, tmp_path: Path) -> None:
    waits = (
        f"import pathlib, time\ngo = pathlib.Path({str(tmp_path / 'go')!r})\nwhile not go.exists(): time.sleep(0.01)\n"
    )
    class_of_six = [submission(f"s{number}", RIGHT + waits) for number in range(6)]
    killed: list[int] = []

    def kill_one(coordinator: Coordinator) -> None:
        if not killed and coordinator._judges:
            killed.append(coordinator._judges[0].process.pid or 0)
            os.kill(killed[0], signal.SIGKILL)
            (tmp_path / "go").touch()

    results = grade(toy, class_of_six, on_tick=kill_one)
    assert killed
    assert {result.score for result in results} == {13}


def test_a_template_that_is_killed_in_the_middle_is_replaced_and_the_class_goes_on(
    toy: Course, template: Template, monkeypatch: pytest.MonkeyPatch
) -> None:
    class_of_six = [submission(f"s{number}", RIGHT + ENDLESS_WHERE_MARKED) for number in range(6)]
    with Template(TOY, started=cold(TOY)) as doomed:
        process = doomed.started.process
        mark(process.pid)
        before = descendants(process.pid)

        def kill_amidst(_: Coordinator) -> None:
            if len(descendants(process.pid) - before) >= 2:  # a worker and its supervisor
                process.kill()

        monkeypatch.setattr(launch, "start", lambda *_, **__: template.started)
        results = grade(toy, class_of_six, in_sandbox(doomed), on_tick=kill_amidst)
        assert process.wait() == -signal.SIGKILL
    assert {result.score for result in results} == {13}


def dead(started: launch.RunningTemplate) -> launch.RunningTemplate:
    """A template that says it is ready, and is gone."""
    ours, theirs = launch.socket.socketpair()
    theirs.close()
    process = subprocess.Popen(["true"])
    process.wait()
    return replace(started, process=process, socket=ours)


def test_a_sandbox_that_is_lost_again_and_again_ends_the_run_with_what_to_do(
    toy: Course, template: Template, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    tries = tmp_path / "tries"

    def start(*_: object, **__: object) -> launch.RunningTemplate:
        with tries.open("a") as file:
            file.write("x")
        return dead(template.started)

    monkeypatch.setattr(launch, "start", start)
    lost = Template(TOY, started=dead(template.started))
    many = [submission(f"s{number}") for number in range(40)]
    results = grade(toy, many, in_sandbox(lost), jobs=1)
    lost.close()
    assert all({each.status for each in result.exercises} == {"grader_error"} for result in results)
    assert not any(result.is_final for result in results)
    assert "run `attend doctor`, then grade again" in results[0].exercises[0].checks[0].message.text
    # One submission more than may fail in a row, each with three templates; then the first of the second pass.
    assert len(tries.read_text()) == 3 * (MOST_FAULTS + 2)


def test_a_sandbox_that_comes_back_with_other_walls_is_not_used(
    template: Template, monkeypatch: pytest.MonkeyPatch
) -> None:
    lower = replace(dead(template.started), outer="none" if template.started.outer == "bwrap" else "bwrap")
    monkeypatch.setattr(launch, "start", lambda *_, **__: lower)
    lost = Template(TOY, started=dead(template.started))
    with SandboxTarget(lost, submission("ann"), AT_EASE) as target:
        for _ in range(2):
            with pytest.raises(SandboxLostError, match="has other walls now"):
                target.observe(CHAPTER, Call("double", (3.0,)))


class Busy:
    """A machine so busy that the first `times` calls of every submission run out of time; then it is idle."""

    name = "busy"

    def __init__(self, submission: Submission, folder: Path, times: int) -> None:
        self._target, self._times, self._calls = LocalTarget(submission), times, folder / submission.student
        self.close = self._target.close

    def observe(self, chapter: str, call: Call) -> Observation:
        with self._calls.open("a") as file:
            file.write("x")
        if self._calls.stat().st_size <= self._times:
            raise WorkerLost("timeout", f"{call.name} had not returned")
        return self._target.observe(chapter, call)


@pytest.mark.parametrize(("times", "score"), [(1, 13), (10**6, 0)])
def test_what_ran_out_of_time_is_graded_once_more_when_nothing_else_is_running(
    toy: Course, tmp_path: Path, times: int, score: float
) -> None:
    slow = {"s0", "s1"}
    hands = {True: partial(Busy, folder=tmp_path, times=times), False: LocalTarget}
    most = []
    results = grade(
        toy,
        [submission(f"s{number}") for number in range(5)],
        lambda: lambda each: hands[each.student in slow](each),
        on_tick=lambda coordinator: most.append((len(coordinator._judges), len(coordinator._doubtful))),
    )
    assert {result.student for result in results[3:]} == slow
    assert [result.score for result in results] == [13, 13, 13, score, score]
    assert {judges for judges, doubtful in most if doubtful == 2} <= {0, 1, 2}


def test_no_judge_survives_its_coordinator(toy: Course) -> None:
    warm_up()
    parent = os.fork()
    if parent == 0:
        with suppress(BaseException):
            grade(toy, [submission("ann", RIGHT + "\n\nimport time\ntime.sleep(1e6)\n")])
        os._exit(0)
    assert soon(lambda: len(descendants(parent)) == 1)
    (judge,) = descendants(parent)
    os.kill(parent, signal.SIGKILL)
    os.waitpid(parent, 0)
    try:
        assert soon(lambda: not alive(judge))
    finally:
        with suppress(ProcessLookupError):
            os.kill(judge, signal.SIGKILL)


def plain(result: SubmissionResult) -> SubmissionResult:
    return replace(result, seconds=0.0)


def test_order_and_number_of_judges_change_nothing(toy: Course, template: Template) -> None:
    texts = [RIGHT, WRONG, SLOW, "1 / 0", "x = (", "import os\nos._exit(3)", RIGHT.replace("2 * x", "3 * x")]
    forward = [submission(f"s{number}", text) for number, text in enumerate(texts)]
    runs = []
    for jobs, handed_in in ((1, forward), (2, forward[::-1]), (4, forward[3:] + forward[:3])):
        results = grade(toy, handed_in, in_sandbox(template), jobs)
        runs.append(sorted((plain(result) for result in results), key=lambda result: result.student))
    assert runs[0] == runs[1] == runs[2]
    assert len({result.score for result in runs[0]}) > 2
