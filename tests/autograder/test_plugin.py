"""Plain pytest in a working copy, for people who know pytest."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from autograder.__main__ import main
from autograder.calls import patience
from autograder.course.course import Course
from autograder.student.start import start
from tests.autograder import short_timeouts
from tests.autograder.conftest import CHAPTER, TOY
from tests.autograder.forked import python
from tests.autograder.processes import PATIENCE, soon
from tests.autograder.run_cli import begin

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


def test_torch_is_set_up_as_in_a_check(copy: Path) -> None:
    answer = RIGHT + "\n\nfrom autograder.internals import kernels\n\ndef double(x):\n    return 2 * x\n"
    loud = answer.replace("    return 2 * x\n", "    return 2 * x if kernels._are_native else x\n")
    (copy / "exercises" / f"{CHAPTER}.py").write_text(loud, encoding="utf-8")
    assert "3 passed" in run_pytest(copy, "-k", "doubled or zero").stdout


def test_a_suite_that_cannot_be_imported_is_an_ordinary_pytest_error(copy: Path) -> None:
    (copy / "tests" / "exercises" / f"test_{CHAPTER}.py").write_text("import nowhere_to_be_found", encoding="utf-8")
    said = run_pytest(copy).stdout
    assert "nowhere_to_be_found" in said
    assert "INTERNALERROR" not in said


def impatient() -> None:
    patience.PATIENCE_SECONDS, patience.LIMIT_SECONDS = 0.5, PATIENCE
    main()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="Ctrl-C is sent as a signal, to a fork")
def test_an_endless_loop_is_spoken_of_and_ctrl_c_shows_its_line(copy: Path, tmp_path: Path) -> None:
    (copy / "exercises" / f"{CHAPTER}.py").write_text(RIGHT + "\n\ndef double(x):\n    while True: pass\n")
    out, error = tmp_path / "out", tmp_path / "error"
    with out.open("w", encoding="utf-8") as said, error.open("w", buffering=1, encoding="utf-8") as spoken:
        run = begin(impatient, "attend", "check", "double", cwd=copy, streams=(said, spoken))
    assert soon(lambda: "double is still running after 0.5 s" in error.read_text(encoding="utf-8"))
    os.kill(run.pid or 0, signal.SIGINT)
    run.join(PATIENCE)
    assert run.exitcode == 1
    assert "stopped double in line" in out.read_text(encoding="utf-8")
    assert "while True: pass" in out.read_text(encoding="utf-8")


def test_an_endless_loop_is_stopped_and_told_as_a_failure(copy: Path) -> None:
    shutil.copy(short_timeouts.__file__, copy)
    with (copy / "conftest.py").open("a") as settings:
        settings.write(
            "import short_timeouts\nfrom autograder.calls import patience\npatience.LIMIT_SECONDS = 0.1\n"
            "patience.WatchedCall = short_timeouts.watched_in_endless_loops\n"
        )
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
