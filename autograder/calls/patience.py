"""The time limit on the student's own machine: a notice when a call takes long, an end when it works too long."""

from __future__ import annotations

import ast
import ctypes
import linecache
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
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
OF_LOOPS = "does one of your loops never end? If all of them end, compute with whole tensors, not number by number"
OF_ONE_LINE = "no `for:` or `while:` block was running: which step of this line takes so long, and with which sizes?"
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
        loops, line = _loops_and_line(stop)
        advice = OF_LOOPS if loops or line is None else OF_ONE_LINE
        return CheckFailed("timeout", Message(headline, advice=advice, line=line))


def line_of_loop(stop: KeyboardInterrupt) -> Line | None:
    """Return the head of the loop that was running, in the student's own code.

    It is the innermost `while`, as a loop that it calls comes to its end again and again; else the outermost `for`;
    else the line itself, as in a recursion. None where no code of the student's was running.
    """
    return _loops_and_line(stop)[1]


def _loops_and_line(stop: KeyboardInterrupt) -> tuple[bool, Line | None]:
    """Return whether a loop of the student's was running, and the line of `line_of_loop`."""
    frames = [each for each in traceback.extract_tb(stop.__traceback__) if is_student_file(each.filename)]
    if not frames:
        return False, None
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
    return bool(loops), Line.of(number, linecache.getline(file, number or 0))


class Patience:
    """A watch over one call at a time: it says when the call takes long, and stops it when it works too long."""

    def __init__(self, *, with_own_text: bool = True) -> None:
        """What is not the student's own text, such as a changed copy of it, is stopped sooner, and without a word."""
        self._with_own_text = with_own_text
        self._running: WatchedCall | None = None
        self._watcher: threading.Thread | None = None
        self._lock = threading.Lock()

    def __call__(self, what: str, action: Callable[[], Result]) -> Result:
        """Run `action`, which messages call `what`, and watch over it.

        Raises:
            CheckFailed: it worked too long.
            KeyboardInterrupt: the student stopped it; a note names `what`.
        """
        run = WatchedCall(what)
        try:
            with self._watched(run):
                return action()
        except KeyboardInterrupt as stop:
            if run.stopped:
                raise run.too_long(stop) from None
            stop.add_note(what)
            raise

    @contextmanager
    def _watched(self, run: WatchedCall) -> Iterator[None]:
        """Look at a run now and then: by a signal, or from another thread.

        A thread has no turn while numbers without end are multiplied. A signal needs the main thread, a system that has
        it, and nobody else who uses it.
        """
        in_main = threading.current_thread() is threading.main_thread()
        if in_main and hasattr(signal, "SIGALRM") and signal.getsignal(signal.SIGALRM) == signal.SIG_DFL:
            with self._alarmed(run):
                yield
            return
        if self._watcher is None or not self._watcher.is_alive():  # threads do not survive a fork
            self._watcher = threading.Thread(target=self._watch, daemon=True)
            self._watcher.start()
        self._running = run
        try:
            yield
        finally:
            with self._lock:  # so that it is stopped here or never: a long step that no thread interrupts ends first
                self._running = None

    @contextmanager
    def _alarmed(self, run: WatchedCall) -> Iterator[None]:
        def look(*_: object) -> None:
            if self._is_over(run):
                raise KeyboardInterrupt

        signal.signal(signal.SIGALRM, look)
        signal.setitimer(signal.ITIMER_REAL, TICK_SECONDS, TICK_SECONDS)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)

    def _watch(self) -> None:
        while True:
            time.sleep(TICK_SECONDS)
            if run := self._running:
                with suppress(OSError):  # its thread has just ended, and with it its clock
                    self._look_at(run)

    def _look_at(self, run: WatchedCall) -> None:
        with self._lock:
            if self._running is run and self._is_over(run):
                # As Ctrl-C, but in whatever thread it runs, on every system, and where signals are switched off too.
                stop = ctypes.py_object(KeyboardInterrupt)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(run.thread), stop)

    def _is_over(self, run: WatchedCall) -> bool:
        """Return whether a run has worked too long, once; say before that it takes long."""
        if run.stopped:
            return False
        run.look()
        if self._with_own_text and run.seconds > PATIENCE_SECONDS and not run.noticed:
            run.noticed = True
            words = f"{run.what} is still running after {PATIENCE_SECONDS:g} s. Ctrl-C stops it and shows the line"
            print(f"\n{words}; otherwise it is stopped after {LIMIT_SECONDS:g} s of work", file=sys.stderr)
        run.stopped = run.working > (LIMIT_SECONDS if self._with_own_text else PATIENCE_SECONDS)
        return run.stopped
