"""The interface to a student's code, which runs in this process (local) or behind the wall (sandbox)."""

from __future__ import annotations

from typing import Protocol

from autograder.calls.records import Call, Observation


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
