"""Where a student's code runs: in this process (local) or behind the wall (sandbox)."""

from __future__ import annotations

from typing import Protocol

from autograder.calls.records import Call, Observation


class Target(Protocol):
    """Makes calls of a student's functions and returns what could be seen."""

    @property
    def name(self) -> str:
        """What stands in results as the sandbox tier."""

    def observe(self, chapter: str, call: Call) -> Observation:
        """Make one call.

        Raises:
            CheckFailed: no observation could be had (timeout, crash, error at import, ...).
        """

    def close(self) -> None:
        """Release what the target holds."""
