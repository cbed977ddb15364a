"""Where a student's code runs: in this process (local) or behind the wall (sandbox)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from autograder.calls import Call, Observation

if TYPE_CHECKING:  # it needs msgspec, which a student does not
    from autograder.sandbox.tape import Heard
    from autograder.sandbox.wire import Question


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


@runtime_checkable
class Recording(Target, Protocol):
    """A target that knows its answers by digest, keeps them, and can be asked ahead of a check."""

    heard: list[Heard]

    def rehear(self, tape: Iterable[Heard]) -> None:
        """Answer from `tape` what was asked there, instead of running the code again."""

    def ahead(self, chapter: str, asked: Question) -> bytes | None:
        """Ask now what the next check is going to ask; the digest of the answer, None if there is none."""

    def trail(self) -> list[tuple[Question, bytes]]:
        """What was observed since this was last asked for, with the digests of the answers."""
