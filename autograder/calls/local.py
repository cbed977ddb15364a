"""The target on the student's own machine: the chapter is a module of this process, so that breakpoints work."""

from __future__ import annotations

import io
import linecache
import sys
from functools import partial
from types import ModuleType
from typing import Any, Protocol, TextIO

from autograder.calls.compiler import as_in_grading
from autograder.calls.observe import observe
from autograder.calls.patience import Patience
from autograder.calls.raised import describe
from autograder.calls.records import Call, Observation, is_absent, stops_when_loaded
from autograder.core.errors import CheckFailed
from autograder.core.submission import Submission

INSTALL = "leave this import out, or install it: grading has what the course needs, and nothing else"


class OnPrint(Protocol):
    """A function that receives an exercise's name and what its answer prints."""

    def __call__(self, what: str, text: str, *, repeated: bool = False) -> None:
        """Take the text; `repeated` if an earlier call of the exercise printed something."""


def _silent(what: str, text: str, *, repeated: bool = False) -> None:
    """Print nothing."""


_patience = Patience()


class LocalTarget:
    """Runs the chapters of one submission in this process."""

    name = "local"

    def __init__(self, submission: Submission, on_print: OnPrint | None = None) -> None:
        self._submission = submission
        self._on_print = on_print
        self._called = ""
        self._calls = 0
        self._printed_in: dict[str, int] = {}
        self._modules: dict[str, dict[str, Any] | CheckFailed] = {}

    def observe(self, chapter: str, call: Call) -> Observation:
        if chapter not in self._modules:
            self._modules[chapter] = self._load(chapter)
        module = self._modules[chapter]
        if isinstance(module, CheckFailed):
            raise module.with_traceback(None)
        self._called = call.name
        self._count()
        with as_in_grading():
            return _patience(call.name, partial(observe, module, call, self._count))

    def _count(self) -> None:
        """Count a call that begins."""
        self._calls += 1

    def variant(self, submission: Submission) -> LocalTarget:
        """Return a target for another text of the submission, which prints nothing."""
        return _Variant(submission, _silent)

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
            usual = "keep only imports and definitions at the top level of the file"
            advice = INSTALL if is_absent(raised) else usual
            return CheckFailed("error", stops_when_loaded(source.origin, raised, advice))
        return module.__dict__

    def _print(self, report: OnPrint, origin: str, *values: object, file: TextIO | None = None, **options: Any) -> None:
        """Stand in for `print` in a chapter's lines; elsewhere, as at a debugger's prompt, call the usual one."""
        if file is not None or sys._getframe(1).f_code.co_filename != origin:
            print(*values, file=file, **options)
            return
        flush = options.pop("flush", False)
        text = io.StringIO()
        print(*values, file=text, **options)
        first = self._printed_in.setdefault(self._called, self._calls)
        report(self._called, text.getvalue(), repeated=first != self._calls)
        if flush:
            sys.stdout.flush()


class _Variant(LocalTarget):
    """A target for another text of a submission; when it is closed, the first text's modules are back in place."""

    def __init__(self, submission: Submission, on_print: OnPrint | None = None) -> None:
        super().__init__(submission, on_print)
        self._before = {name: sys.modules[name] for name in submission.chapters if name in sys.modules}

    def close(self) -> None:
        super().close()
        sys.modules.update(self._before)
