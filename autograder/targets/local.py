"""The student's own machine: the chapter is a module of this process, so prints, breakpoints and pytest work."""

from __future__ import annotations

import linecache
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from autograder.calls import Call, Observation
from autograder.errors import CheckFailed
from autograder.observe import describe, observe
from autograder.submission import Submission

PATIENCE_SECONDS = 5.0
INSTALL = "leave this import out, or install it: grading has what the course needs, and nothing else"


class _Patience:
    """Says so when something takes long; nothing stops it here, so that a debugger may."""

    def __init__(self) -> None:
        self._running: tuple[str, float] | None = None
        self._watcher: threading.Thread | None = None

    @contextmanager
    def __call__(self, what: str) -> Iterator[None]:
        """Watch over `what`, and nothing else meanwhile."""
        self._running = what, time.monotonic()
        if self._watcher is None or not self._watcher.is_alive():  # it does not survive a fork
            self._watcher = threading.Thread(target=self._watch, daemon=True)
            self._watcher.start()
        try:
            yield
        finally:
            self._running = None

    def _watch(self) -> None:
        told = None
        while True:
            time.sleep(PATIENCE_SECONDS / 10)
            running = self._running
            if running and running is not told and time.monotonic() - running[1] > PATIENCE_SECONDS:
                told = running
                words = f"{running[0]} has been running for {PATIENCE_SECONDS:g} s; Ctrl-C stops it"
                print(f"\n{words} and shows where it is", file=sys.stderr)


_patience = _Patience()


class LocalTarget:
    """Runs the chapters of one submission in this process."""

    name = "local"

    def __init__(self, submission: Submission) -> None:
        self._submission = submission
        self._modules: dict[str, dict[str, Any] | CheckFailed] = {}

    def observe(self, chapter: str, call: Call) -> Observation:
        if chapter not in self._modules:
            self._modules[chapter] = self._load(chapter)
        module = self._modules[chapter]
        if isinstance(module, CheckFailed):
            raise module.with_traceback(None)
        with _patience(call.name):
            return observe(module, call)

    def close(self) -> None:
        self._modules.clear()

    def _load(self, chapter: str) -> dict[str, Any] | CheckFailed:
        source = self._submission.chapters[chapter]
        module = ModuleType(chapter)
        module.__file__ = source.origin
        lines = source.text.splitlines(keepends=True)
        linecache.cache[source.origin] = (len(source.text), None, lines, source.origin)
        sys.modules[chapter] = module
        try:
            with _patience(source.origin):
                exec(compile(source.text, source.origin, "exec"), module.__dict__)
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
