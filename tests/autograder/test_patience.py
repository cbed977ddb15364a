"""What becomes of an answer that does not come to its end on the student's own machine."""

from __future__ import annotations

import re
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

import pytest

from autograder.calls import patience
from autograder.calls.local import LocalTarget
from autograder.calls.patience import WatchedCall, processor_time
from autograder.calls.records import Call
from autograder.core.errors import CheckFailed
from autograder.core.records import ExerciseResult, SubmissionResult
from autograder.core.submission import one_chapter
from autograder.course.course import Course
from autograder.judging.judge import judge
from tests.autograder.conftest import CHAPTER, TOY, Grade, exercise, failed
from tests.autograder.short_timeouts import watched_in_endless_loops

RIGHT = (TOY / "solutions" / f"{CHAPTER}.py").read_text(encoding="utf-8")
LOOP = "import time\n    end = time.monotonic() + 300\n    while time.monotonic() < end: pass"  # endless enough


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "TICK_SECONDS", 0.02)
    monkeypatch.setattr(patience, "LIMIT_SECONDS", 0.1)
    monkeypatch.setattr(patience, "WatchedCall", watched_in_endless_loops)


class Clocks:
    """A clock of the wall and one of the processor, in a world of their own."""

    def __init__(self) -> None:
        self.wall = self.worked = 0.0
        self.run = WatchedCall("double", clock=lambda: self.wall, work=lambda: self.worked)

    def spend(self, seconds: float, share: float) -> float:
        """What counts as work after `seconds`, in each of which the run has a `share` of a processor."""
        for _ in range(round(seconds * 2)):
            self.wall += 0.5
            self.worked += 0.5 * share
            self.run.look()
        return self.run.working


@pytest.mark.parametrize("share", [1, 0.25, 0.1], ids="a processor of its own, one of four, one of ten".split(", "))
def test_a_loop_counts_by_the_wall_whatever_else_the_machine_does(share: float) -> None:
    assert Clocks().spend(40, share) == 40


def test_a_moment_without_a_processor_hardly_helps_a_loop() -> None:
    clocks = Clocks()
    assert max(clocks.spend(10, 0.4) + 0 * clocks.spend(0.5, 0) for _ in range(4)) > 30


def test_a_debugger_is_never_near_the_limit_however_long_and_often_it_works() -> None:
    clocks = Clocks()
    assert max(clocks.spend(2, 0.5) + 0 * clocks.spend(3, 0.01) for _ in range(1000)) < 3


def test_a_pause_before_and_after_work_is_no_work() -> None:
    clocks = Clocks()
    assert [clocks.spend(1000, 0), clocks.spend(10, 1), clocks.spend(1000, 0)] == [0, 10, 0]
    assert clocks.run.seconds == 2010


def doubling(body: str) -> str:
    return f"{RIGHT}\n\ndef double(x):\n    {body}\n"


def test_an_endless_loop_ends_its_exercise_names_its_line_and_the_other_exercises_go_on(grade: Grade) -> None:
    result = grade(doubling(LOOP))
    first, *others = failed(result, "double")
    assert first.status == "timeout"
    assert re.fullmatch(r"double was stopped after \d+ s of work", first.message.headline)
    assert first.message.line
    assert first.message.line.text == "while time.monotonic() < end: pass"
    assert {each.message.text for each in others} == {"not tried: a check of double ran out of time before"}
    assert exercise(result, "Scale").status == "passed"


@pytest.fixture
def stopped(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the exercises that were stopped."""
    names: list[str] = []
    told = WatchedCall.too_long

    def too_long(run: WatchedCall, stop: KeyboardInterrupt) -> CheckFailed:
        names.append(run.what)
        return told(run, stop)

    monkeypatch.setattr(WatchedCall, "too_long", too_long)
    return names


def alone(course: Course, text: str) -> ExerciseResult:
    """`Scale`, checked without the exercises before it."""
    results: list[SubmissionResult] = []
    submission = one_chapter("ada", CHAPTER, text)
    judge(course, [course.one("Scale")], [(submission, LocalTarget(submission))], 1, results.append)
    return results[0].exercises[0]


CALLING = RIGHT.replace("x * self.weight", "double(x) * self.weight / 2").replace("return 2 * x", "return x + x")


def test_a_loop_of_its_own_is_stopped_once_though_it_calls_what_may_be_wrong(toy: Course, stopped: list[str]) -> None:
    result = alone(toy, CALLING.replace("return double(x)", "while True: x = double(x)\n        return double(x)"))
    assert result.checks[0].status == "timeout"
    assert result.checks[0].message.line
    assert result.checks[0].message.line.text == "while True: x = double(x)"
    assert stopped == ["Scale"]


def test_a_loop_in_another_exercise_that_it_calls_is_that_ones(toy: Course, stopped: list[str]) -> None:
    result = alone(toy, CALLING.replace("return x + x", "while True: pass"))
    assert result.but_for == "right but for your `double`"
    assert stopped == ["Scale", "double"]  # which is judged too, though nobody asked for it


def test_what_calls_an_endless_loop_is_not_stopped_as_well(grade: Grade, stopped: list[str]) -> None:
    result = grade(CALLING.replace("return x + x", "while True: pass"))
    assert exercise(result, "Scale").but_for == "right but for your `double`"
    assert stopped == ["double"]


def test_the_line_is_that_of_the_loop_not_of_what_it_calls(grade: Grade, stopped: list[str]) -> None:
    helper = "def helper(x):\n    total = 0\n    for each in range(100_000):\n        total += each\n    return total\n"
    (first, *_) = failed(
        grade(f"{RIGHT}\n\n{helper}\n\ndef double(x):\n    while True:\n        helper(x)\n"), "double"
    )
    assert first.message.line
    assert first.message.line.text == "while True:"
    assert stopped == ["double"]


def test_an_answer_that_waits_is_not_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    target = LocalTarget(
        one_chapter("ada", CHAPTER, "import time\n\ndef double(x):\n    time.sleep(x)\n    return 2 * x\n")
    )
    target.observe(CHAPTER, Call("double", (0,)))  # so that nothing is left to load
    monkeypatch.setattr(patience, "WatchedCall", WatchedCall)
    monkeypatch.setattr(patience, "LIMIT_SECONDS", 0.5)
    assert target.observe(CHAPTER, Call("double", (1,))).result == 2


LARGE = 3 * 10**6
"""The power that takes a machine some ten seconds, and a number of a few megabytes."""


POWERS = f"list(map(print, map(int.bit_length, map(pow, [10**5], [{LARGE}]))))"
"""Prints what it came to before any other thread has a turn."""


@pytest.mark.skipif(sys.platform == "win32", reason="there no signal can look at a thread")
def test_a_large_power_is_stopped_though_no_other_thread_has_a_turn(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(patience, "WatchedCall", WatchedCall)
    stop = observed(POWERS)
    assert stop.status == "timeout"
    assert stop.message.line
    assert stop.message.line.number == 4
    assert stop.message.advice == patience.OF_ONE_LINE
    assert capsys.readouterr().out == ""
    assert observed().message.advice == patience.OF_LOOPS
    assert signal.getsignal(signal.SIGALRM) == signal.SIG_DFL
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_elsewhere_it_is_stopped_when_the_power_is_there_and_nothing_comes_of_it_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(patience, "WatchedCall", WatchedCall)
    found: list[CheckFailed] = []
    thread = threading.Thread(target=lambda: found.append(observed(POWERS.replace(str(LARGE), str(LARGE // 3)))))
    thread.start()
    thread.join(120)
    assert [each.status for each in found] == ["timeout"]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_a_signal_that_another_uses_is_left_to_them() -> None:
    def own(*_: object) -> None:
        raise AssertionError("this is another's")

    before = signal.signal(signal.SIGALRM, own)
    try:
        assert observed().status == "timeout"
        assert signal.getsignal(signal.SIGALRM) is own
    finally:
        signal.signal(signal.SIGALRM, before)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere only the whole process has such a clock")
def test_what_other_threads_work_does_not_count() -> None:
    done = threading.Event()
    thread = threading.Thread(target=lambda: [None for _ in iter(done.is_set, True)])
    own, whole = processor_time(), time.process_time
    before = own(), whole()
    thread.start()
    while whole() - before[1] < 0.2:
        time.sleep(0.01)
    done.set()
    thread.join()
    assert own() - before[0] < 0.1


def test_a_file_that_does_not_come_to_its_end_is_stopped_and_costs_what_needs_the_rest(grade: Grade) -> None:
    result = grade(f"if True:\n    {LOOP}\n    TWO = 2\n" + RIGHT.replace("return 2 * x", "return TWO * x"))
    (check, *_) = failed(result, "double")
    assert check.status == "timeout"
    said = (
        rf"`double` needs `TWO`, but line \d+ of {CHAPTER}\.py stopped: {CHAPTER}\.py was stopped after \d+ s of work"
    )
    assert re.fullmatch(said, check.message.headline)
    assert check.message.line
    assert [each.status for each in result.exercises[1:]] == ["passed", "passed"]


@contextmanager
def without_ctrl_c() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def observed(body: str = LOOP) -> CheckFailed:
    target = LocalTarget(one_chapter("ada", CHAPTER, f"import time\n\ndef double(x):\n    {body}\n"))
    with pytest.raises(CheckFailed) as caught:
        target.observe(CHAPTER, Call("double", (1,)))
    return caught.value


@pytest.mark.skipif(sys.platform == "win32", reason="there a run in the background keeps Ctrl-C")
def test_it_is_stopped_where_ctrl_c_is_switched_off() -> None:
    with without_ctrl_c():
        assert observed().status == "timeout"


def test_it_is_stopped_in_whatever_thread_it_runs() -> None:
    found: list[CheckFailed] = []
    thread = threading.Thread(target=lambda: found.append(observed()))
    thread.start()
    thread.join(120)
    assert [each.status for each in found] == ["timeout"]


def test_it_is_stopped_once_and_may_tidy_up(capsys: pytest.CaptureFixture[str]) -> None:
    tidy = (
        "until = time.process_time() + 0.5\n        while time.process_time() < until: pass\n        print('tidied up')"
    )
    observed(f"try:\n        loop()\n    finally:\n        {tidy}\n\ndef loop():\n    {LOOP}")
    assert capsys.readouterr().out == "tidied up\n"


def test_nothing_comes_of_it_later() -> None:
    observed()
    end = time.process_time() + 0.5
    while time.process_time() < end:  # an interruption would arrive here
        pass


@pytest.mark.parametrize("own", [True, False])
def test_only_of_the_own_text_of_a_student_anything_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], own: bool
) -> None:
    monkeypatch.setattr(patience, "PATIENCE_SECONDS", 0.05)
    text = f"def double(x):\n    {LOOP}\n    return 1 is x\n"
    submission = one_chapter("ada", CHAPTER, text)
    target = LocalTarget(submission)
    with pytest.warns(SyntaxWarning) if own else nullcontext():
        asked = target if own else target.variant(submission)
        with pytest.raises(CheckFailed, match="was stopped after"):
            asked.observe(CHAPTER, Call("double", (1,)))
    asked.close()
    assert ("still running" in capsys.readouterr().err) is own
