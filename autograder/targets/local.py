"""The student's own machine: the chapter is a module of this process, so prints, breakpoints and pytest work."""

from __future__ import annotations

import linecache
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from autograder.calls import Call, Observation
from autograder.errors import CheckFailed
from autograder.observe import describe, observe
from autograder.submission import Submission

PATIENCE_SECONDS = 5.0


@contextmanager
def _patience(what: str) -> Iterator[None]:
    """Say so when `what` takes long; nothing stops it here, so that a debugger may."""
    words = f"\n{what} has been running for {PATIENCE_SECONDS:g} s; Ctrl-C stops it and shows where it is"
    timer = threading.Timer(PATIENCE_SECONDS, print, (words,), {"file": sys.stderr})
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


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
            where = f", line {raised.line}: {raised.source}" if raised.line else ""
            return CheckFailed(
                "error",
                f"{source.origin} stops when it is loaded: {raised.kind}: {raised.message}{where}\n"
                "  try       keep only imports and definitions at the top level of the file",
            )
        return module.__dict__
