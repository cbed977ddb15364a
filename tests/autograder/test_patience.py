"""What becomes of an answer that does not come to its end on the student's own machine."""

from __future__ import annotations

import re
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from autograder.calls import Call
from autograder.errors import CheckFailed
from autograder.submission import one_chapter
from autograder.targets import local
from autograder.targets.local import LocalTarget
from tests.autograder.conftest import CHAPTER, TOY, Grade, exercise, failed

RIGHT = (TOY / "solutions" / f"{CHAPTER}.py").read_text(encoding="utf-8")
LOOP = "import time\n    end = time.monotonic() + 30\n    while time.monotonic() < end: pass"  # endless enough


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "LIMIT_SECONDS", 0.5)


def doubling(body: str) -> str:
    return f"{RIGHT}\n\ndef double(x):\n    {body}\n"


def test_an_endless_loop_costs_its_exercise_names_its_line_and_the_checks_go_on(grade: Grade) -> None:
    result = grade(doubling(LOOP))
    first, second, *others = failed(result, "double")
    assert {first.status, second.status} == {"timeout"}
    said = r"double was stopped after \d+ s in line \d+: while time\.monotonic\(\) < end: pass"
    assert re.fullmatch(said, first.message.splitlines()[0])
    assert all(each.message.startswith("not tried") for each in others)
    assert exercise(result, "Scale").status == "passed"


def test_an_answer_that_waits_as_in_a_debugger_is_not_stopped(grade: Grade) -> None:
    waits = "import time\n    time.sleep(1.5)\n    return 2 * x"
    assert failed(grade(doubling(waits)), "double") == []


def test_a_file_that_does_not_come_to_its_end_is_stopped_too(grade: Grade) -> None:
    (check, *_) = failed(grade(RIGHT + f"\nif True:\n    {LOOP}\n"), "double")
    assert check.status == "timeout"
    assert re.match(rf"{CHAPTER}\.py was stopped after \d+ s in line ", check.message)


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
    thread.join(20)
    assert [each.status for each in found] == ["timeout"]


def test_it_is_stopped_once_and_may_tidy_up(capsys: pytest.CaptureFixture[str]) -> None:
    tidy = "until = time.monotonic() + 2\n        while time.monotonic() < until: pass\n        print('tidied up')"
    observed(f"try:\n        loop()\n    finally:\n        {tidy}\n\ndef loop():\n    {LOOP}")
    assert capsys.readouterr().out == "tidied up\n"


def test_nothing_comes_of_it_later(grade: Grade) -> None:
    grade(doubling(LOOP))
    end = time.monotonic() + 2
    while time.monotonic() < end:  # an interruption would arrive here
        pass
