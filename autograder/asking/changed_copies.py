"""Runs of changed copies of a student's definition, where the student's own code runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from autograder.calls.records import Call, Data
from autograder.calls.target import Target, Variable
from autograder.core.errors import CheckFailed
from autograder.core.submission import Submission

MOST_LOST = 2
"""Calls that may end without an answer: one that runs on for ever takes seconds."""


@dataclass(frozen=True)
class Shown:
    """What a call returned or raised."""

    result: Data


@dataclass
class Trial:
    """Makes calls of the definitions of a chapter."""

    target: Target
    chapter: str
    lost: int = field(default=0)

    def run(self, call: Call, name: str = "") -> Shown | None:
        """Return what a call shows, of the definition `name` in the place of its own; None if it is lost."""
        if self.lost >= MOST_LOST:
            return None
        try:
            return Shown(self.target.observe(self.chapter, replace(call, name=name or call.name)).result)
        except CheckFailed:
            self.lost += 1
            return None


@contextmanager
def trial(target: Variable, submission: Submission, chapter: str, more: Mapping[str, str]) -> Iterator[Trial]:
    """Make calls of a submission's chapter, which has the definitions `more` too, by their names."""
    source = submission.chapters[chapter]
    text = "\n\n\n".join([source.text, *more.values()])
    chapters = {**submission.chapters, chapter: replace(source, text=text)}
    variant = target.variant(replace(submission, chapters=chapters))
    try:
        yield Trial(variant, chapter)
    finally:
        variant.close()
