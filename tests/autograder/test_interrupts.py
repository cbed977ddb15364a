"""Ctrl-C is never lost: what Python swallows in a callback is noted, and whatever grades looks at the note."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from autograder.calls.local import LocalTarget
from autograder.core import interrupts
from autograder.core.records import SubmissionResult
from autograder.core.submission import ChapterSource, Submission
from autograder.course.course import Course
from autograder.grading.bounded import each_bounded
from autograder.judging.coordinator import Coordinator
from autograder.judging.process import Orders
from tests.autograder.interrupted_class import RIGHT, Class, NoWall

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="grading needs a system that forks")
ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def answered() -> Iterator[None]:
    """As in a command: Ctrl-C is answered by the handler, and what a test leaves is dropped."""
    before = signal.signal(signal.SIGINT, interrupts.on_ctrl_c)
    interrupts.forget()
    yield
    interrupts.forget()
    signal.signal(signal.SIGINT, before)


def ctrl_c() -> None:
    os.kill(os.getpid(), signal.SIGINT)


class Swallows:
    """Ctrl-C comes while this is deleted, where Python ignores what is raised."""

    def __del__(self) -> None:
        ctrl_c()


def swallowed() -> None:
    Swallows()


swallowing = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


def parts() -> list[Submission]:
    chapter = "ch01_toy"
    source = {chapter: ChapterSource(chapter, RIGHT, f"{chapter}.py")}
    return [Submission(f"s{number}", source) for number in range(6)]


@swallowing
def test_ctrl_c_that_python_swallows_stops_the_judges_before_the_next_submission(toy: Course) -> None:
    done: list[SubmissionResult] = []

    def accept(result: SubmissionResult) -> None:
        done.append(result)
        swallowed()

    coordinator = Coordinator(Orders(toy, toy.exercises, 1), lambda: LocalTarget, accept, lambda: None)
    with pytest.raises(KeyboardInterrupt):
        coordinator.grade(parts(), 1)
    assert (len(done), coordinator._judges) == (1, [])


@swallowing
def test_ctrl_c_that_python_swallows_stops_the_reading_before_the_next_submission() -> None:
    begun: list[int] = []

    def works() -> Iterator[Callable[[], int]]:
        for number in range(4):
            begun.append(number)
            yield lambda: 1
            swallowed()

    with pytest.raises(KeyboardInterrupt):
        list(each_bounded(works(), int))
    assert begun == [0, 1]


def test_ctrl_c_between_the_halves_of_a_fork_never_lets_the_child_go_on_as_its_parent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fork, parent, pids = os.fork, os.getpid(), list[int]()

    def interrupted() -> int:
        pids.append(fork())
        ctrl_c()
        return pids[-1]

    monkeypatch.setattr(os, "fork", interrupted)
    try:
        with pytest.raises(KeyboardInterrupt):
            list(each_bounded([lambda: 1], int))
    finally:
        if os.getpid() != parent:
            (tmp_path / "unwound").touch()
            os._exit(1)
    with pytest.raises(ChildProcessError):
        os.waitpid(pids[0], 0)  # it was ended and waited for
    assert not (tmp_path / "unwound").exists()


@pytest.mark.parametrize(("graded", "status"), [(0, 130), (1, 1)])
@swallowing
def test_a_run_that_was_noted_to_stop_ends_with_the_status_that_is_documented(
    graded: int, status: int, toy: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autograder.grading.run.Wall", NoWall)
    class_ = Class(toy, tmp_path / "in", tmp_path / "out")
    for number in range(3):
        class_.hand_in(f"s{number}", f"{RIGHT}\n# {number}\n")
    accept = "autograder.grading.run.Session." + ("accept" if graded else "waiting")
    real = getattr(__import__("autograder.grading.run", fromlist=["Session"]).Session, accept.rpartition(".")[2])

    def then(*words: object) -> object:
        done = real(*words)
        swallowed()
        return done

    monkeypatch.setattr(accept, then)
    said = class_.grade()
    assert (class_.status, f"stopped: {graded} of 3 are graded" in said) == (status, True), said


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent as a signal")
def test_ctrl_c_while_a_command_loads_a_library_is_answered_in_one_line(tmp_path: Path) -> None:
    stopped = "import os, signal\ntry:\n    os.kill(os.getpid(), signal.SIGINT)\nexcept BaseException:\n"
    (tmp_path / "heavy.py").write_text(f"{stopped}    raise ImportError('loaded twice')\n", encoding="utf-8")
    text = (
        "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from autograder.core import interrupts\n"
        f"interrupts.LIBRARIES += ({str(tmp_path)!r},)\n"
        "interrupts.end_while_loading(); interrupts.raise_from_here_on()\nimport heavy\n"
    )
    place = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (tmp_path, ROOT)))}
    run = subprocess.run([sys.executable, "-c", text], env=place, capture_output=True, timeout=600)
    assert (run.returncode, run.stdout, run.stderr) == (130, b"", f"{interrupts.SAYS}\n".encode())


def test_ctrl_c_in_a_module_of_a_student_is_an_exception_that_tells_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "answers_that_wait.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        import answers_that_wait  # type: ignore[import-not-found] # noqa: F401
