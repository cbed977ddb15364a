"""Little time for what never comes to its end, so that nobody waits for it, and its own time for everything else."""

from __future__ import annotations

from collections.abc import Callable

from autograder.core.errors import WorkerLost
from autograder.core.submission import ChapterSource
from autograder.sandbox import messages
from autograder.sandbox.handles import Worker
from autograder.sandbox.target import SandboxTarget

SECONDS = 0.1
Slow = Callable[[str, float], WorkerLost]


def with_short_timeouts(endless: Callable[[ChapterSource], Slow | None]) -> type[SandboxTarget]:
    """Return targets with short limits for what never ends.

    Args:
        endless: returns what that is in a chapter: calls (`too_slow`), loading (`slow_import`), or None.
    """

    class Impatient(SandboxTarget):
        def _exchange(
            self,
            chapter: str,
            worker: Worker,
            frame: bytes,
            what: str,
            seconds: float,
            room: int,
            slow: Slow = messages.too_slow,
        ) -> bytes:
            never = endless(self._submission.chapters[chapter]) is slow
            return super()._exchange(chapter, worker, frame, what, SECONDS if never else seconds, room, slow)

    return Impatient
