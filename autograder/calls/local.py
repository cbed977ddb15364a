"""The target on the student's own machine: the chapter is a module of this process, so that breakpoints work."""

from __future__ import annotations

import io
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from types import ModuleType
from typing import Any, Protocol, TextIO

from autograder.calls.loading import Unfinished, load
from autograder.calls.observe import observe
from autograder.calls.passed_over import cause, passed_over
from autograder.calls.patience import Patience
from autograder.calls.raised import describe
from autograder.calls.records import Call, Observation, stops_when_loaded
from autograder.calls.text_importer import PACKAGE, TextImporter
from autograder.core.errors import CheckFailed
from autograder.core.submission import PassedOver, Submission
from autograder.internals.compiler import uncompiled


class OnPrint(Protocol):
    """A function that receives an exercise's name and what its answer prints."""

    def __call__(self, what: str, text: str, *, repeated: bool = False) -> None:
        """Take the text; `repeated` if an earlier call of the exercise printed something."""


def _silent(what: str, text: str, *, repeated: bool = False) -> None:
    """Print nothing."""


_patience = Patience()
_patience_with_copies = Patience(with_own_text=False)


def _plainly(action: Callable[[], None]) -> None:
    """Run what is part of a longer run, which has the limits."""
    action()


@contextmanager
def _as_started(filename: str) -> Iterator[None]:
    """Give a file that is loaded the words of its own start, and nobody who answers its questions, as in grading."""
    before, sys.stdin = sys.stdin, io.StringIO()
    words, sys.argv = sys.argv, [filename]
    try:
        yield
    finally:
        sys.stdin, sys.argv = before, words


class LocalTarget:
    """Runs the chapters of one submission in this process."""

    name = "local"
    _patience = _patience

    def __init__(self, submission: Submission, on_print: OnPrint | None = None) -> None:
        self._submission = submission
        self._on_print = on_print
        self._called = ""
        self._calls = 0
        self._printed_in: dict[str, int] = {}
        self._modules: dict[str, dict[str, Any] | CheckFailed] = {}
        self._passed: dict[str, tuple[PassedOver, ...]] = {}
        self._importers = ExitStack()

    def observe(self, chapter: str, call: Call) -> Observation:
        if chapter not in self._modules:
            self._modules[chapter] = self._load(chapter)
        module = self._modules[chapter]
        if isinstance(module, CheckFailed):
            raise module.with_traceback(None)
        self._called = call.name
        self._count()
        with uncompiled():
            seen = self._patience(call.name, partial(observe, module, call, self._count))
        if (passed := self.passed_over(chapter)) and (lost := cause(seen, call.name, passed)):
            raise lost
        return seen

    def _count(self) -> None:
        """Count a call that begins."""
        self._calls += 1

    def variant(self, submission: Submission) -> LocalTarget:
        """Return a target for another text of the submission, which prints nothing."""
        return _Variant(submission, _silent)

    def close(self) -> None:
        self._modules.clear()
        self._importers.close()

    def _load(self, chapter: str) -> dict[str, Any] | CheckFailed:
        source = self._submission.chapters[chapter]
        module = ModuleType(chapter)
        module.__file__ = source.origin
        sys.modules[chapter] = module
        self._called = source.origin
        if self._on_print:
            module.__dict__["print"] = partial(self._print, self._on_print, source.origin)
        stopped = list[Unfinished]()
        if source.beside:
            self._importers.enter_context(TextImporter(source.beside, stopped, _plainly, KeyboardInterrupt))
            module.__package__ = PACKAGE
        try:
            with uncompiled(), _as_started(source.origin):
                run = partial(self._patience, source.origin)
                stopped += load(source.text, source.origin, module.__dict__, run, KeyboardInterrupt)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            return CheckFailed("error", stops_when_loaded(source.origin, describe(error), "hand in another file"))
        self._passed[chapter] = passed_over(stopped, source, source.origin)
        return module.__dict__

    def passed_over(self, chapter: str) -> tuple[PassedOver, ...]:
        source = self._submission.chapters.get(chapter)
        return (*source.passed, *self._passed.get(chapter, ())) if source else ()

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
    """A target for another text of a submission; when it is closed, the first text's modules are back in place.

    What Python or the watch over long calls would say of that text is not for its student.
    """

    _patience = _patience_with_copies

    def __init__(self, submission: Submission, on_print: OnPrint | None = None) -> None:
        super().__init__(submission, on_print)
        self._before = {name: sys.modules[name] for name in submission.chapters if name in sys.modules}

    def _load(self, chapter: str) -> dict[str, Any] | CheckFailed:
        with warnings.catch_warnings(action="ignore"):
            return super()._load(chapter)

    def close(self) -> None:
        super().close()
        sys.modules.update(self._before)
