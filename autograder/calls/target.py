"""The interface to a student's code, which runs in this process (local) or behind the wall (sandbox)."""

from __future__ import annotations

from typing import Final, Protocol, runtime_checkable

from autograder.calls.records import Call, Observation
from autograder.core.submission import PassedOver, Submission

SHARED: Final = 1 << 15
"""The most bytes of an answer that a target may keep, to show the same object for equal answers."""


class Target(Protocol):
    """A target makes calls of a student's functions and returns what they show."""

    @property
    def name(self) -> str:
        """The tier of the sandbox, as results record it."""

    def observe(self, chapter: str, call: Call) -> Observation:
        """Make one call.

        Raises:
            CheckFailed: there is no observation (timeout, crash, error at import, ...).
        """

    def close(self) -> None:
        """Release the resources of the target."""


@runtime_checkable
class Variable(Target, Protocol):
    """A target that can also run another text of the same submission."""

    def variant(self, submission: Submission) -> Target:
        """Return a target for the other text; close it before this one is used again."""


@runtime_checkable
class Loads(Protocol):
    """A target that loads the student's files, in which some statements may fail."""

    def passed_over(self, chapter: str) -> tuple[PassedOver, ...]:
        """Return what was passed over when the chapter was loaded; before its first call, only what is in its text."""


def passed_over(target: Target, chapter: str) -> tuple[PassedOver, ...]:
    """Return what a target passed over, nothing where it loads no files."""
    return target.passed_over(chapter) if isinstance(target, Loads) else ()
