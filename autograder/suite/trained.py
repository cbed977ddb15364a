"""Calls of the model that the student trained: built by the exercise, with the parameters that were handed in."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import torch

from autograder.calls.artefact import score_of, state_of
from autograder.calls.records import Build, Data, Raised
from autograder.calls.unfit import StateMismatchError
from autograder.compare.oracle import digest
from autograder.core.errors import CheckFailed
from autograder.core.message import Message
from autograder.intake.artefacts import FOLDER, SUFFIX
from autograder.suite.check import Check, Grading
from autograder.suite.live_calls import Student

MOST_ANSWERS = 128
ANSWERS: Final[dict[bytes, Data]] = {}
"""Answers by code, trained models and arguments: several checks, and several seeds, make the same call."""


class Trained:
    """`trained("digits", images)` calls the student's model in evaluation mode."""

    def __init__(self, grading: Grading, check: Check, student: Student) -> None:
        self._grading = grading
        self._check = check
        self._student = student
        self._states: dict[str, dict[str, torch.Tensor]] = {}

    def __call__(self, name: str, *args: Data, build: tuple[Data, ...] = ()) -> Data:
        """Return the answer, as data.

        Raises:
            CheckFailed: no model was handed in, or it cannot be read, does not fit, or gives no data.
        """
        key = digest((*self._grading.artefacts(self._check), self._check.exercise, name, args, build))
        if key not in ANSWERS:
            answer = self._answer(name, args, build)
            while len(ANSWERS) >= MOST_ANSWERS:
                del ANSWERS[next(iter(ANSWERS))]
            ANSWERS[key] = answer
        return ANSWERS[key]

    def score(self, name: str) -> float | None:
        """Return what the file says its model reached when it was saved; None if it says nothing."""
        return score_of(self._grading.artefact(self._check, name) or b"")

    def _answer(self, name: str, args: tuple[Data, ...], build: tuple[Data, ...]) -> Data:
        if name not in self._states:
            self._states[name] = self._state(name)
        made = self._check.call(args, {}, Build(args=build, state=self._states[name]))
        call = replace(made, dtype=torch.float32, once=True)
        seen = self._student.observe(call)
        result = seen.result
        if isinstance(result, Raised) and result.kind == StateMismatchError.__name__:
            why = result.message.partition("chapter: ")[2]
            says = f"the model that {self._check.exercise} builds is not the one in {name}{SUFFIX}"
            advice = f"build the one that was trained, or train the one that you build: `attend train {name}`"
            there = f"the names and sizes in {name}{SUFFIX}"
            raise CheckFailed("failed", Message(says, expected=there, got=why, advice=advice))
        return self._student.data_of(call, seen)

    def _state(self, name: str) -> dict[str, torch.Tensor]:
        data = self._grading.artefact(self._check, name)
        if data is None:
            says = f"there is no trained model yet: {FOLDER}/{name}{SUFFIX} was not found beside the chapter"
            raise CheckFailed("failed", Message(says, advice=f"`attend train {name}` makes it"))
        try:
            state = state_of(data)
        except ValueError as why:
            says = f"{name}{SUFFIX} cannot be used: {why}"
            raise CheckFailed("failed", Message(says, advice=f"train it again: `attend train {name}`")) from why
        return state
