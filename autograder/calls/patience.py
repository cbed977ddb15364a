"""The time limit on the student's own machine: a notice when a call takes long, an end when it works too long."""

from __future__ import annotations

import ast
import ctypes
import linecache
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from autograder.core.errors import CheckFailed
from autograder.core.message import Line, Message
from autograder.internals.library import is_student_file
from autograder.source.loops import loops_around

PATIENCE_SECONDS = 3.0
LIMIT_SECONDS = 10.0  # of one call; grading gives it 5, and no right answer takes 2
TICK_SECONDS = 0.5
LEAST_WORK = 0.05  # share of a tick: a loop gets more even on a very busy machine, and waiting code less

Result = TypeVar("Result")


def processor_time() -> Callable[[], float]:
    """Return a clock of this thread's processor time, readable from any thread; elsewhere one of the whole process."""
    if sys.platform == "linux":
        return partial(time.clock_gettime, time.pthread_getcpuclockid(threading.get_ident()))
    return time.process_time


@dataclass(eq=False)
class WatchedCall:
    """A call, the thread it runs in, and for how many seconds it has been `working` without a real pause.

    Seconds count in full while the thread gets some processor time, so a busy machine changes little. Seconds of
    waiting are subtracted: a debugger that works now and then never comes near the limit.
    """

    what: str
    clock: Callable[[], float] = time.monotonic
    work: Callable[[], float] = field(default_factory=processor_time)
    thread: int = field(default_factory=threading.get_ident)
    working: float = 0.0
    noticed: bool = False
    stopped: bool = False

    def __post_init__(self) -> None:
        self.began = self._looked = self.clock()
        self._worked = self.work()

    def look(self) -> None:
        """Count the seconds since the last look."""
        now, worked = self.clock(), self.work()
        seconds = now - self._looked
        works = worked - self._worked > LEAST_WORK * seconds
        self.working = max(0.0, self.working + (seconds if works else -seconds))
        self._looked, self._worked = now, worked

    @property
    def seconds(self) -> float:
        """Return how many seconds it has been running, at work or not."""
        return self._looked - self.began

    def too_long(self, stop: KeyboardInterrupt) -> CheckFailed:
        """Return the verdict on a run that was stopped."""
        headline = f"{self.what} was stopped after {self.working:.0f} s of work"
        advice = "does one of your loops never end? If they all do, compute with whole tensors, not number by number"
        return CheckFailed("timeout", Message(headline, advice=advice, line=line_of_loop(stop)))


def line_of_loop(stop: KeyboardInterrupt) -> Line | None:
    """Return the head of the loop that was running, in the student's own code.

    It is the innermost `while`, as a loop that it calls comes to its end again and again; else the outermost `for`;
    else the line itself, as in a recursion. None where no code of the student's was running.
    """
    frames = [each for each in traceback.extract_tb(stop.__traceback__) if is_student_file(each.filename)]
    if not frames:
        return None
    loops = [
        (frame.filename, loop)
        for frame in frames
        for loop in loops_around("".join(linecache.getlines(frame.filename)), frame.lineno or 0)
    ]
    whiles = [(file, loop) for file, loop in loops if isinstance(loop, ast.While)]
    file, number = frames[-1].filename, frames[-1].lineno
    if loops:
        file, loop = whiles[-1] if whiles else loops[0]
        number = loop.lineno
    return Line.of(number, linecache.getline(file, number or 0))


class Patience:
    """A watch over one call at a time: it says when the call takes long, and stops it when it works too long."""

    def __init__(self, *, with_own_text: bool = True) -> None:
        """What is not the student's own text, such as a changed copy of it, is stopped sooner, and without a word."""
        self._with_own_text = with_own_text
        self._running: WatchedCall | None = None
        self._watcher: threading.Thread | None = None

    def __call__(self, what: str, action: Callable[[], Result]) -> Result:
        """Run `action`, which messages call `what`, and watch over it.

        Raises:
            CheckFailed: it worked too long.
            KeyboardInterrupt: the student stopped it; a note names `what`.
        """
        run = self._running = WatchedCall(what)
        if self._watcher is None or not self._watcher.is_alive():  # threads do not survive a fork
            self._watcher = threading.Thread(target=self._watch, daemon=True)
            self._watcher.start()
        try:
            return action()
        except KeyboardInterrupt as stop:
            if run.stopped:
                raise run.too_long(stop) from None
            stop.add_note(what)
            raise
        finally:
            self._running = None

    def _watch(self) -> None:
        while True:
            time.sleep(TICK_SECONDS)
            if run := self._running:
                with suppress(OSError):  # its thread has just ended, and with it its clock
                    self._look_at(run)

    def _look_at(self, run: WatchedCall) -> None:
        if run.stopped:
            return
        run.look()
        if self._with_own_text and run.seconds > PATIENCE_SECONDS and not run.noticed:
            run.noticed = True
            words = f"{run.what} is still running after {PATIENCE_SECONDS:g} s. Ctrl-C stops it and shows the line"
            print(f"\n{words}; otherwise it is stopped after {LIMIT_SECONDS:g} s of work", file=sys.stderr)
        if run.working > (LIMIT_SECONDS if self._with_own_text else PATIENCE_SECONDS) and self._running is run:
            run.stopped = True
            # As Ctrl-C, but in whatever thread it runs, on every system, and where signals are switched off too.
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(run.thread), ctypes.py_object(KeyboardInterrupt))
