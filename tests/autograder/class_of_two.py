"""Two students, graded: what may change afterwards, and whether their code is run for it."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from rich.console import Console

from autograder.commands.grade_class import grade_and_show
from autograder.core.records import SubmissionResult
from autograder.core.submission import ChapterSource
from autograder.course.course import Course
from autograder.grading.regrade import regrade
from autograder.grading.run import GradingOptions
from autograder.report.outputs import read_result
from autograder.sandbox.handles import SandboxLostError
from autograder.sandbox.target import SandboxTarget
from autograder.sandbox.wire import Question
from tests.autograder.conftest import CHAPTER, TOY, in_place_of_the_real

RIGHT = (TOY / "solutions" / f"{CHAPTER}.py").read_text(encoding="utf-8")
HANDED_IN = {"ann": RIGHT, "ben": RIGHT + "\n\ndef double(x):\n    return x ** 2\n"}


def grade_two(course: Course, folder: Path) -> None:
    """Grade two students, one of them wrong: what they hand in lies in `folder`/in, the grades in `folder`/out."""
    for name, text in HANDED_IN.items():
        (folder / "in" / name).mkdir(parents=True)
        (folder / "in" / name / f"{CHAPTER}.py").write_text(text, encoding="utf-8")
    grade_and_show(course, folder / "in", folder / "out", GradingOptions(1, seed=7), Console(file=io.StringIO()))


class Class:
    """Two students, one of them wrong, graded; then the course changes."""

    def __init__(self, course: Course, folder: Path) -> None:
        self.course, self.out, self.status = course, folder / "out", 0

    def change(self, old: str, new: str) -> None:
        suite = self.course.suite(CHAPTER)
        text = suite.read_text(encoding="utf-8")
        assert old in text
        suite.write_text(text.replace(old, new), encoding="utf-8")

    def regrade(self, *, yes: bool = False) -> str:
        stream = io.StringIO()
        with in_place_of_the_real(Course(self.course.root)) as course:  # with the suite as it is now
            self.status = regrade(course, self.out, GradingOptions(1), yes=yes, console=Console(file=stream, width=100))
        return re.sub(r"[ \n]+", " ", stream.getvalue())

    def results(self) -> dict[str, SubmissionResult]:
        return {name: read_result(self.out / "results" / f"{name}.json") for name in HANDED_IN}


def refuse_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on a submission whose code is run costs a grader_error."""
    ask = SandboxTarget._ask

    def refuse(target: SandboxTarget, source: ChapterSource, asked: Question) -> bytes:
        if source.chapter == CHAPTER:
            raise SandboxLostError("code was run")
        return ask(target, source, asked)  # the sandbox tries itself

    monkeypatch.setattr(SandboxTarget, "_ask", refuse)
