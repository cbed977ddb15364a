"""The student's own machine: the chapter is a module of this process, so prints, breakpoints and pytest work."""

from __future__ import annotations

import io
import linecache
import sys
from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any, TextIO

from autograder.calls import Call, Observation
from autograder.compiler import as_in_grading
from autograder.errors import CheckFailed
from autograder.observe import describe, observe
from autograder.submission import Submission
from autograder.targets.patience import Patience

INSTALL = "leave this import out, or install it: grading has what the course needs, and nothing else"

OnPrint = Callable[[str, str], None]
"""Is given what an answer prints, after the name of the exercise."""


_patience = Patience()


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
