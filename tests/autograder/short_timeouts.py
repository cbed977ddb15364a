"""Little time for what never comes to its end, so that nobody waits for it, and its own time for everything else."""

from __future__ import annotations

import ast
import linecache
import sys
import threading
from collections.abc import Callable
from traceback import walk_stack
from types import FrameType

from autograder.calls.patience import WatchedCall
from autograder.core.errors import WorkerLost
from autograder.core.submission import ChapterSource
from autograder.internals.library import is_student_file
from autograder.sandbox import messages
from autograder.sandbox.handles import Worker
from autograder.sandbox.target import SandboxTarget
from autograder.source.loops import loops_around

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


def watched_in_endless_loops(what: str) -> WatchedCall:
    """In place of `patience.WatchedCall`: it is at work only while it is in a `while` of the student's.

    So what comes to its end is never stopped, however busy the machine is.
    """
    thread, worked = threading.get_ident(), 0.0

    def work() -> float:
        nonlocal worked
        frame = sys._current_frames().get(thread)
        if frame and any(_is_in_while(each) for each, _ in walk_stack(frame)):
            worked += 1e6
        return worked

    return WatchedCall(what, work=work)


def _is_in_while(frame: FrameType) -> bool:
    file = frame.f_code.co_filename
    text = "".join(linecache.getlines(file)) if is_student_file(file) else ""
    return any(isinstance(loop, ast.While) for loop in loops_around(text, frame.f_lineno or 0))
