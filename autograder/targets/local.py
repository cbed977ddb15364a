"""The student's own machine: the chapter is a module of this process, so prints, breakpoints and pytest work."""

from __future__ import annotations

import ctypes
import io
import linecache
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from types import ModuleType
from typing import Any, TextIO, TypeVar

from autograder.calls import Call, Observation
from autograder.compiler import as_in_grading
from autograder.errors import CheckFailed
from autograder.observe import describe, observe
from autograder.submission import Submission

PATIENCE_SECONDS = 5.0
LIMIT_SECONDS = 30.0  # of one call; grading gives it 5, and no right answer takes 2
LEAST_WORK = 0.25  # share of the time; who waits in a debugger needs less
INSTALL = "leave this import out, or install it: grading has what the course needs, and nothing else"


Result = TypeVar("Result")
OnPrint = Callable[[str, str], None]
"""Is given what an answer prints, after the name of the exercise."""


@dataclass(eq=False)
class _Run:
    """What runs in which thread, and since when, by the clock and by the time that was worked."""

    what: str
    thread: int = field(default_factory=threading.get_ident)
    began: float = field(default_factory=time.monotonic)
    worked: float = field(default_factory=time.process_time)
    told: bool = False
    stopped_after: float = 0.0

    def too_long(self, stop: KeyboardInterrupt) -> CheckFailed:
        """What is told of a run that was stopped."""
        seen = describe(stop)
        where = f" in line {seen.line}: {seen.source}" if seen.line else ""
        return CheckFailed(
            "timeout",
            f"{self.what} was stopped after {self.stopped_after:.0f} s{where}\n"
            f"  try       let every loop come to its end; where all do, work on whole tensors instead of their numbers",
        )


class _Patience:
    """Says so when something takes long, and stops it when it takes too long."""

    def __init__(self) -> None:
        self._running: _Run | None = None
        self._watcher: threading.Thread | None = None

    def __call__(self, what: str, action: Callable[[], Result]) -> Result:
        """Do what is called `what`, and watch over nothing else meanwhile.

        Raises:
            CheckFailed: it took too long.
            KeyboardInterrupt: somebody stopped it; a note names it.
        """
        run = self._running = _Run(what)
        if self._watcher is None or not self._watcher.is_alive():  # it does not survive a fork
            self._watcher = threading.Thread(target=self._watch, daemon=True)
            self._watcher.start()
        try:
            return action()
        except KeyboardInterrupt as stop:
            if run.stopped_after:
                raise run.too_long(stop) from None
            stop.add_note(what)
            raise
        finally:
            self._running = None

    def _watch(self) -> None:
        while True:
            time.sleep(PATIENCE_SECONDS / 10)
            if run := self._running:
                self._look_at(run)

    def _look_at(self, run: _Run) -> None:
        seconds = time.monotonic() - run.began
        if seconds > PATIENCE_SECONDS and not run.told:
            run.told = True
            words = f"{run.what} has been running for {PATIENCE_SECONDS:g} s; Ctrl-C stops it and shows where it is"
            print(f"\n{words}, else it is stopped after {LIMIT_SECONDS:g} s", file=sys.stderr)
        works = time.process_time() - run.worked > LEAST_WORK * seconds
        if seconds > LIMIT_SECONDS and works and not run.stopped_after and self._running is run:
            run.stopped_after = seconds
            # As Ctrl-C, but in whatever thread it runs, on every system, and where signals are switched off too.
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(run.thread), ctypes.py_object(KeyboardInterrupt))


_patience = _Patience()


class LocalTarget:
    """Runs the chapters of one submission in this process."""

    name = "local"

    def __init__(self, submission: Submission, on_print: OnPrint | None = None) -> None:
        self._submission = submission
        self._on_print = on_print
        self._called = ""
        self._modules: dict[str, dict[str, Any] | CheckFailed] = {}

    def observe(self, chapter: str, call: Call) -> Observation:
        if chapter not in self._modules:
            self._modules[chapter] = self._load(chapter)
        module = self._modules[chapter]
        if isinstance(module, CheckFailed):
            raise module.with_traceback(None)
        self._called = call.name
        with as_in_grading():
            return _patience(call.name, partial(observe, module, call))

    def close(self) -> None:
        self._modules.clear()

    def _load(self, chapter: str) -> dict[str, Any] | CheckFailed:
        source = self._submission.chapters[chapter]
        module = ModuleType(chapter)
        module.__file__ = source.origin
        lines = source.text.splitlines(keepends=True)
        linecache.cache[source.origin] = (len(source.text), None, lines, source.origin)
        sys.modules[chapter] = module
        self._called = source.origin
        if self._on_print:
            module.__dict__["print"] = partial(self._print, self._on_print, source.origin)
        try:
            code = compile(source.text, source.origin, "exec")
            with as_in_grading():
                _patience(source.origin, partial(exec, code, module.__dict__))
        except CheckFailed as stopped:
            return stopped
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raised = describe(error)
            absent = "ModuleNotFoundError" in (raised.kind, *raised.bases)
            advice = INSTALL if absent else "keep only imports and definitions at the top level of the file"
            where = f", line {raised.line}: {raised.source}" if raised.line else ""
            return CheckFailed(
                "error",
                f"{source.origin} stops when it is loaded: {raised.kind}: {raised.message}{where}\n"
                f"  try       {advice}",
            )
        return module.__dict__

    def _print(self, tell: OnPrint, origin: str, *values: object, file: TextIO | None = None, **how: Any) -> None:
        """`print` of the lines of a chapter; anywhere else, as at a debugger's prompt, it is the usual one."""
        if file is not None or sys._getframe(1).f_code.co_filename != origin:
            print(*values, file=file, **how)
            return
        flush = how.pop("flush", False)
        text = io.StringIO()
        print(*values, file=text, **how)
        tell(self._called, text.getvalue())
        if flush:
            sys.stdout.flush()
