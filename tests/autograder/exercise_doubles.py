"""Exercises of a few lines with what asks about them: no course, no target, no file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from autograder.calls.observe import observe
from autograder.calls.records import Call, Observation
from autograder.compare.evidence import Evidence
from autograder.compare.oracle import Oracle
from autograder.core.errors import CheckFailed
from autograder.core.submission import Submission
from autograder.course.course import Course
from autograder.course.model import Misconception
from autograder.suite import Agree, Draw
from autograder.suite.check import Check, Grading
from autograder.suite.plan import Plan, Step
from autograder.suite.play import play

F32, F64 = torch.float32, torch.float64


class Course1(Course):
    """A course whose one exercise is given as a function or class; of its known mistakes `one_and_other` is a pair."""

    def __init__(self, right: Callable[..., Any], wrong: dict[str, Callable[..., Any]]) -> None:
        known = [
            Misconception(name.replace("_and_", "+"), "answer", each, f"{name}.", "Do.") for name, each in wrong.items()
        ]
        self.__dict__.update(right=right, known=known)

    def reference(self, chapter: str) -> Any:
        return type("reference", (), {"answer": self.__dict__["right"]})

    def stub(self, chapter: str) -> Path:
        return Path("no stub")

    def misconceptions(self, chapter: str) -> tuple[Misconception, ...]:
        return tuple(each for each in self.__dict__["known"] if "+" not in each.identifier)

    def pairs(self, chapter: str) -> tuple[Misconception, ...]:
        return tuple(each for each in self.__dict__["known"] if "+" in each.identifier)


class Here:
    """The answer, in this process."""

    name = "here"

    def __init__(self, answer: Callable[..., Any]) -> None:
        self.answer = answer

    def observe(self, chapter: str, call: Call) -> Observation:
        return observe({"answer": self.answer}, call)

    def close(self) -> None:
        pass


class Judging(Agree):
    """A comparison whose steps are judged as they are stated."""

    def __init__(self, grading: Grading, check: Check) -> None:
        super().__init__(grading.oracle, check, Draw(1, "it"), self._judge)
        self.grading = grading

    @property
    def evidence(self) -> Evidence:
        return self.grading.evidence(self._check)

    def of(self, name: str) -> Judging:
        """The same for another check of the exercise, which goes on to draw where this one is."""
        other = Judging(self.grading, replace(self._check, name=name))
        other._draw = self._draw
        return other

    def _judge(self, step: Step) -> None:
        play(Plan((step,)), self._check, self.grading)


def agreeing(right: Callable[..., Any], answer: Callable[..., Any], **wrong: Callable[..., Any]) -> Judging:
    """The comparison of `answer` with `right`, the mistakes in `wrong` known."""
    course = Course1(right, wrong)
    check = Check("ch01_one", "answer", "test_it", "it holds", "values", 1)
    return Judging(Grading(course, Submission("ada", {}), Here(answer), 1, Oracle(course)), check)


def refused(run: Callable[[], object], says: str) -> CheckFailed:
    with pytest.raises(CheckFailed, match=says) as caught:
        run()
    return caught.value
