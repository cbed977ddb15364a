"""Plain pytest in a working copy, for people who know pytest."""

from __future__ import annotations

import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from autograder.course.course import Course
from autograder.student.start import start
from tests.autograder.conftest import CHAPTER, TOY
from tests.autograder.forked import python

RIGHT = (TOY / "solutions" / f"{CHAPTER}.py").read_text(encoding="utf-8")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    start(Course(TOY), tmp_path / "mine")
    (tmp_path / "mine" / "reference").symlink_to(TOY / "reference")
    return tmp_path / "mine"


def run_pytest(copy: Path, *args: str) -> subprocess.CompletedProcess[str]:
    return python("-m", "pytest", "-p", "no:cacheprovider", *args, cwd=copy)


def test_untouched_stubs_are_missing_and_the_run_fails(copy: Path) -> None:
    run = run_pytest(copy)
    assert run.returncode == 1
    assert "10 missing" in run.stdout
    assert "failed" not in run.stdout


def test_right_answers_pass(copy: Path) -> None:
    (copy / "exercises" / f"{CHAPTER}.py").write_text(RIGHT, encoding="utf-8")
    assert "10 passed" in run_pytest(copy, f"tests/exercises/test_{CHAPTER}.py").stdout


def test_a_failure_shows_the_message_and_nothing_of_the_engine(copy: Path) -> None:
    wrong = RIGHT + "\n\ndef double(x):\n    return x ** 2\n"
    (copy / "exercises" / f"{CHAPTER}.py").write_text(wrong, encoding="utf-8")
    said = run_pytest(copy, "-k", "doubled").stdout
    assert "You squared the numbers." in said
    assert "agree.py" not in said


def test_a_suite_that_cannot_be_imported_is_an_ordinary_pytest_error(copy: Path) -> None:
    (copy / "tests" / "exercises" / f"test_{CHAPTER}.py").write_text("import nowhere_to_be_found", encoding="utf-8")
    said = run_pytest(copy).stdout
    assert "nowhere_to_be_found" in said
    assert "INTERNALERROR" not in said


def test_an_endless_loop_is_spoken_of_and_ctrl_c_shows_its_line(copy: Path) -> None:
    (copy / "exercises" / f"{CHAPTER}.py").write_text(RIGHT + "\n\ndef double(x):\n    while True: pass\n")
    command = [sys.executable, "-m", "autograder", "check", "double"]
    # A run in the background may have Ctrl-C switched off, which a child inherits.
    allow = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=copy, text=True, preexec_fn=allow, **pipes) as run:
        assert run.stderr is not None
        spoken = next(line for line in run.stderr if line.strip())
        assert "double has been running for 5 s" in spoken
        run.send_signal(signal.SIGINT)
        said, _ = run.communicate(timeout=600)
    assert run.returncode == 1
    assert "while True: pass" in said


def test_an_endless_loop_is_stopped_and_told_as_a_failure(copy: Path) -> None:
    with (copy / "conftest.py").open("a") as settings:
        settings.write("from autograder.calls import patience\npatience.LIMIT_SECONDS = 3\n")
    loop = "import time\n    end = time.time() + 300\n    while time.time() < end: pass"
    (copy / "exercises" / f"{CHAPTER}.py").write_text(RIGHT + f"\n\ndef double(x):\n    {loop}\n", encoding="utf-8")
    said = run_pytest(copy, f"tests/exercises/test_{CHAPTER}.py").stdout
    assert "double was stopped after " in said
    assert "while time.time() < end: pass" in said
    assert "6 passed" in said


def test_a_seed_repeats_a_run_exactly(copy: Path) -> None:
    wrong = RIGHT + "\n\ndef double(x):\n    return 3 * x\n"
    (copy / "exercises" / f"{CHAPTER}.py").write_text(wrong, encoding="utf-8")
    said = [run_pytest(copy, "-k", "doubled", "--seed", seed).stdout for seed in ("4", "4", "5")]
    shown = [[line for line in text.splitlines() if "instead of" in line] for text in said]
    assert shown[0] == shown[1] != shown[2]
