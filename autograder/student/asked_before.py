"""What a working copy remembers of questions: which were asked, and how often the first choice was right."""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Final, Self

import msgspec

from autograder.asking.question import CodeQuestion
from autograder.core import files
from autograder.core.errors import UsageError
from autograder.core.reading import contents, decoded
from autograder.course.course import Course

PLACE: Final = Path(".attend", "asked.json")
MOST_TOPICS: Final = 60
"""Of an exercise: what was asked before these may be asked as if it were new."""
Count = Annotated[int, msgspec.Meta(ge=0)]


@dataclass
class AskedOfExercise:
    """What was asked about one exercise.

    Args:
        topics: what the questions were about, the latest last.
        last: the keys of the questions of the last round.
        asked, right: how many were answered, and how many rightly.
        turn: grows with each round of the course, so that the oldest is known.
    """

    topics: list[str] = field(default_factory=list)
    last: list[str] = field(default_factory=list)
    asked: Count = 0
    right: Count = 0
    turn: Count = 0


@dataclass
class AskedBefore:
    """All questions that were answered in a working copy."""

    course: Course
    exercises: dict[str, AskedOfExercise] = field(default_factory=dict)
    outcomes: dict[str, Count] = field(default_factory=dict)

    @classmethod
    def load(cls, course: Course) -> Self:
        """Read the record; one that is lost or damaged counts as empty."""
        with contextlib.suppress(OSError, ValueError, UsageError):
            rows = decoded(contents(files.inside(course.root, PLACE)), _Rows)
            return cls(course, rows.exercises, rows.outcomes)
        return cls(course)

    def of(self, exercise: str) -> AskedOfExercise:
        """Return what was asked about an exercise."""
        return self.exercises.get(exercise, AskedOfExercise())

    def begin(self, exercise: str) -> None:
        """Begin a new round of questions about an exercise."""
        known = self.exercises.setdefault(exercise, AskedOfExercise())
        known.last, known.turn = [], 1 + max(each.turn for each in self.exercises.values())

    def add(self, question: CodeQuestion, *, is_right: bool) -> None:
        """Remember an answered question, if this is a working copy whose folder allows it."""
        known = self.exercises.setdefault(question.exercise, AskedOfExercise())
        known.topics = [*(each for each in known.topics if each != question.topic), question.topic][-MOST_TOPICS:]
        known.last.append(question.key)
        known.asked, known.right = known.asked + 1, known.right + is_right
        if question.outcome:
            self.outcomes = dict(Counter(self.outcomes) + Counter([question.outcome]))
        if self.course.is_copy:
            rows = msgspec.to_builtins(_Rows(self.exercises, self.outcomes))
            with contextlib.suppress(UsageError):  # in a read-only folder, questions are asked all the same
                files.write(files.inside(self.course.root, PLACE), json.dumps(rows, indent=1, sort_keys=True) + "\n")

    def line(self) -> str:
        """Return a line on how many questions were answered; "" if none was."""
        asked, right = (sum(counts) for counts in zip(*self._counts(), strict=True)) if self.exercises else (0, 0)
        return f"questions about your own code: {right} of {asked} right" if asked else ""

    def _counts(self) -> list[tuple[int, int]]:
        return [(each.asked, each.right) for each in self.exercises.values()]


class _Rows(msgspec.Struct):
    """The record as its file has it."""

    exercises: dict[str, AskedOfExercise]
    outcomes: dict[str, Count]
