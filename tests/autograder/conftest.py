"""The toy course: three exercises, so that claims about the engine need no real chapter."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from autograder.calls.local import LocalTarget
from autograder.core.records import CheckResult, ExerciseResult, SubmissionResult
from autograder.core.submission import ChapterSource, Submission
from autograder.course.course import Course
from autograder.judging.judge import judge
from autograder.student.start import start

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from tests.autograder.class_of_two import Class
    from tests.autograder.in_notebook import Run

collect_ignore = ["toy"]  # a course of its own: its suites are graded by the tests here, they are no tests
TOY = Path(__file__).parent / "toy"
CHAPTER = "ch01_toy"


@contextmanager
def in_place_of_the_real(course: Course) -> Iterator[Course]:
    """Let a course's `reference` package and suites stand in for the real ones meanwhile."""

    def ours() -> list[str]:
        names = {name: name.split(".")[0] for name in sys.modules}
        return [name for name, top in names.items() if top == "reference" or top.startswith("test_ch")]

    kept = {name: sys.modules.pop(name) for name in ours()}
    sys.path.insert(0, str(course.root))
    try:
        yield course
    finally:  # also where an error passes through, or every later test would meet the wrong course
        sys.path.remove(str(course.root))
        for name in ours():
            del sys.modules[name]
        sys.modules.update(kept)


@pytest.fixture
def toy() -> Iterator[Course]:
    """The toy course."""
    with in_place_of_the_real(Course(TOY)) as course:
        yield course


@pytest.fixture
def toy_copy(tmp_path: Path) -> Iterator[Course]:
    """A toy course of one's own, to change."""
    shutil.copytree(TOY, tmp_path / "toy", ignore=shutil.ignore_patterns("__pycache__"))
    with in_place_of_the_real(Course(tmp_path / "toy")) as course:
        yield course


@pytest.fixture
def mine(tmp_path: Path) -> Iterator[Course]:
    """A working copy of the toy course with right answers."""
    with in_place_of_the_real(Course(Path(shutil.copytree(TOY, tmp_path / "toy")))) as course:
        copy = Course(start(course, tmp_path / "mine").root)
        answer(copy, (TOY / "solutions" / f"{CHAPTER}.py").read_text(encoding="utf-8"))
        yield copy


def answer(copy: Course, text: str) -> None:
    """What a student writes."""
    (copy.exercises_dir / f"{CHAPTER}.py").write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def warm() -> Iterator[None]:
    """Templates of these tests are started once and stay; that of the toy course is there for forks, too."""
    if not hasattr(os, "fork"):
        yield
        return
    from autograder.sandbox import launch
    from tests.autograder.warm import warm_walls

    with warm_walls():
        launch.start(TOY)
        yield


@pytest.fixture
def quick_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The processes of a gallery are forks of a fresh one that has torch loaded."""
    from autograder.author.proof import gallery

    if "forkserver" not in multiprocessing.get_all_start_methods():
        return
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["torch", "numpy", "pytest"])
    monkeypatch.setattr(gallery, "multiprocessing", SimpleNamespace(get_context=lambda _: context))


@pytest.fixture
def shell(toy_copy: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[InteractiveShell]:
    """A fresh IPython in the toy course, with the magics."""
    from tests.autograder.in_notebook import fresh_shell

    with fresh_shell(tmp_path / "ipython", toy_copy.root, monkeypatch) as shell:
        yield shell


@pytest.fixture
def run(shell: InteractiveShell) -> Run:
    """Run a cell as a notebook does."""
    from tests.autograder.in_notebook import ran

    return partial(ran, shell)


@pytest.fixture
def in_copy(toy_copy: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Course:
    """The working copy that the kernel of `run` stands in."""
    monkeypatch.setattr(Course, "installed", classmethod(lambda cls: cls(toy_copy.root)))
    copy = Course(start(toy_copy, tmp_path / "mine").root)
    monkeypatch.chdir(copy.root)
    return copy


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from tests.autograder.browsing import CHROMIUM

    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def graded_two(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class of two, graded once for all tests, which work on copies."""
    from tests.autograder.class_of_two import grade_two  # graders are not for every system
    from tests.autograder.warm import warm_walls

    folder = tmp_path_factory.mktemp("two")
    with in_place_of_the_real(Course(TOY)) as course, warm_walls():
        grade_two(course, folder)
    return folder


@pytest.fixture
def two(graded_two: Path, toy_copy: Course, tmp_path: Path) -> Class:
    """A graded class of two, and a course of its own."""
    from tests.autograder.class_of_two import Class

    shutil.copytree(graded_two, tmp_path, dirs_exist_ok=True)
    return Class(toy_copy, tmp_path)


@pytest.fixture
def no_code(two: Class, monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on a submission whose code is run costs a grader_error."""
    from tests.autograder.class_of_two import refuse_code

    refuse_code(monkeypatch)


def grade_in(course: Course, text: str, seed: int = 1, *, left_out: str = "") -> SubmissionResult:
    """Grade a text as the toy chapter, in this process, without the checks of one level."""
    submission = Submission("someone", {CHAPTER: ChapterSource(CHAPTER, text, f"{CHAPTER}.py")})
    results: list[SubmissionResult] = []
    judge(course, course.exercises, [(submission, LocalTarget(submission))], seed, results.append, left_out=left_out)
    return results[0]


Grade = Callable[..., SubmissionResult]


@pytest.fixture
def grade(toy: Course) -> Grade:
    """`grade_in` the toy course."""
    return partial(grade_in, toy)


def exercise(result: SubmissionResult, name: str) -> ExerciseResult:
    return next(exercise for exercise in result.exercises if exercise.exercise == name)


def failed(result: SubmissionResult, name: str) -> list[CheckResult]:
    return [check for check in exercise(result, name).checks if check.status != "passed"]


@pytest.fixture
def grades(tmp_path: Path) -> Path:
    """A folder with the grades of a small class."""
    from tests.autograder.graded_class import graded

    return graded(tmp_path)


@pytest.fixture(autouse=True)
def reference_as_before() -> Iterator[None]:
    """Leave the next test the modules of the reference that this one found, whatever course it led to."""
    path, found = [*sys.path], _of_reference()
    yield
    if any(sys.modules.get(name) is not module for name, module in found.items()):
        for name in _of_reference():
            del sys.modules[name]
        sys.modules.update(found)
        sys.path[:] = path


def _of_reference() -> dict[str, ModuleType]:
    return {name: module for name, module in sys.modules.items() if name.partition(".")[0] == "reference"}
