"""A target that makes one known mistake, as a student might."""

from __future__ import annotations

from autograder.calls.records import Call, Observation
from autograder.compare.oracle import Oracle
from autograder.course.model import Misconception


class Mistaken:
    """Answers every call as the mistake does."""

    name = "example"

    def __init__(self, oracle: Oracle, mistake: Misconception) -> None:
        self._oracle = oracle
        self._mistake = mistake

    def observe(self, chapter: str, call: Call) -> Observation:  # noqa: ARG002 - one mistake, one chapter
        (seen,) = self._oracle.wrong([self._mistake], call)
        return seen

    def close(self) -> None:
        """Do nothing: there is nothing to close."""
