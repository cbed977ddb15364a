"""The points of an answer, computed in a notebook's kernel for nbgrader's test cells.

Nothing heavy is imported at the top: a warning from an import would cost the student the points of a cell.
"""

from __future__ import annotations

import hashlib
import io
import os
import secrets
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, redirect_stderr, suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TextIO

from autograder.core.errors import AttendError, UsageError
from autograder.core.records import ExerciseResult, SubmissionResult
from autograder.core.submission import Submission
from autograder.course.course import Course
from autograder.course.model import Exercise
from autograder.platforms.nbgrader.hidden_checks import HIDDEN, hidden_line

SEED = "ATTEND_SEED"
COURSE = "ATTEND_COURSE"
WIDTH = 100
STDOUT, STDERR = 1, 2


class NotCheckedError(AttendError):
    """An answer could not be checked; the cell ends with an error, so that it is not counted unnoticed."""

    def _render_traceback_(self) -> list[str]:
        """Return what IPython shows instead of the traceback."""
        return [f"{type(self).__name__}: {self}"]


def points(name: str, *, edges: bool = True, shown: Sequence[str] = ()) -> float:
    """Check the answer to an exercise in this kernel, print the results, and return its points.

    As the last line of a test cell, this is the cell's score for nbgrader.

    Args:
        name: the exercise.
        edges: False runs only the checks that students may see; if they all pass, the answer counts in full
            until it is graded.
        shown: levels of checks that were printed already; of the others, only the number that passed is printed.

    Raises:
        NotCheckedError: the check was interrupted or could not be run.
    """
    with _in_one_sentence(name, in_detail=edges and not shown):
        exercise = _course().one(name)
        if shown:
            return _graded(exercise, shown)
        return _all_checks(exercise) if edges else _visible_checks(exercise)


def _all_checks(exercise: Exercise) -> float:
    """Run all checks and print all results."""
    with stderr_as_stdout():
        result = _judged(exercise)
    _print(result)
    return float(result.score)


def _visible_checks(exercise: Exercise) -> float:
    """Run and print the checks that students may see; while nbgrader grades, return the points of all checks."""
    with stderr_as_stdout():
        result = _judged(exercise, left_out=HIDDEN)
    _print(result)
    if os.environ.get("NBGRADER_EXECUTION") == "autograde":
        return float(_judged_silently(exercise).score)
    if more := exercise.checks - len(result.checks):
        print(f"{more} more {'check is' if more == 1 else 'checks are'} run when this is graded")
    return float(exercise.points if result.status == "passed" else result.score)


def _graded(exercise: Exercise, shown: Sequence[str]) -> float:
    """Run all checks; of hidden ones, print only how many passed."""
    result = _judged_silently(exercise)
    hidden = [check for check in result.checks if check.level not in shown]
    if hidden:
        print(hidden_line(hidden))
    return float(result.score)


def _judged_silently(exercise: Exercise) -> ExerciseResult:
    with silenced():
        return _judged(exercise)


def _judged(exercise: Exercise, left_out: str = "") -> ExerciseResult:
    """Check the answer that the kernel's cells define, run again from their text."""
    _load()
    from autograder.calls.local import LocalTarget
    from autograder.judging.judge import judge
    from autograder.student.notebook.history import every_cell

    answers = replace(every_cell(_course(), exercise.chapter), only=(exercise.name,))
    results: list[SubmissionResult] = []
    judge(_course(), [exercise], [(answers, LocalTarget(answers))], _seed(answers), results.append, left_out=left_out)
    (result,) = results[0].exercises
    faults = [check.message.headline for check in result.checks if check.status == "grader_error"]
    if faults:
        raise RuntimeError(faults[0])
    return result


def _print(result: ExerciseResult) -> None:
    """Print a result as `attend check` does."""
    from rich.console import Console

    from autograder.student.check import Printer

    console = Console(file=sys.stdout, width=WIDTH, force_terminal=True, force_jupyter=False, highlight=False)
    exercise = Exercise(result.chapter, result.exercise, result.max_score, len(result.checks))
    Printer(console, [exercise], heading=result.chapter).add(result)


@contextmanager
def _in_one_sentence(name: str, *, in_detail: bool) -> Iterator[None]:
    """Raise any error again as one sentence; without `in_detail`, it says nothing of what was being checked."""
    try:
        yield
    except KeyboardInterrupt as stop:
        from autograder.student.check import line_of

        line = line_of(stop) if in_detail else None
        raise NotCheckedError(f"the check of {name} was stopped" + (f" in {line}" if line else "")) from stop
    except AttendError as error:
        raise NotCheckedError(str(error)) from error
    except Exception as error:
        what = f" ({type(error).__name__}: {error})" if in_detail else ""
        text = f"the check of {name} could not be run{what}; this is a fault of the grader, not of the answer"
        raise NotCheckedError(text) from error


@cache
def _load() -> None:
    """Load the engine, once in a kernel: each `load` exempts all that exists from garbage collection."""
    from autograder.student.check import load

    load()


@cache
def _course() -> Course:
    """Return the course of the grader's configuration, else the one around the notebook, else the installed one."""
    place = os.environ.get(COURSE)
    return Course.find(Path(place) if place else None)


def _seed(answers: Submission) -> int:
    """Return a seed of the grader's number and the answers: feedback must not reveal inputs of a changed answer."""
    given = os.environ.get(SEED)
    if given is None:
        return _own_seed()
    if not given.isdecimal():
        raise UsageError(f"{SEED} is {given!r}; it must be a whole number")
    texts = [source.text for source in answers.chapters.values()]
    return int.from_bytes(hashlib.sha256("\0".join([given, *texts]).encode("utf-8", "replace")).digest()[:4])


@cache
def _own_seed() -> int:
    """Return a random seed, the same throughout this kernel."""
    return secrets.randbits(32)


@contextmanager
def stderr_as_stdout() -> Iterator[None]:
    """Show whatever is written to stderr, by any means, as if it had been printed.

    nbgrader takes all points of a cell that writes to stderr.
    """
    with tempfile.TemporaryFile() as kept:  # a kernel's own pipe could deliver it to the next cell
        try:
            with ExitStack() as stack:
                stack.enter_context(_written_to(sys.stderr, sys.stdout))
                stack.enter_context(redirect_stderr(sys.stdout))
                stack.enter_context(_descriptor(STDERR, kept.fileno()))
                yield
        finally:
            kept.seek(0)
            sys.stdout.write(kept.read().decode(errors="replace"))


@contextmanager
def silenced() -> Iterator[None]:
    """Discard everything that is written, displayed or printed."""
    from IPython.utils.capture import capture_output

    with ExitStack() as stack, open(os.devnull, "wb") as nowhere:
        for stream in (sys.stdout, sys.stderr):
            stack.enter_context(_written_to(stream, io.StringIO()))
        for descriptor in (STDOUT, STDERR):
            stack.enter_context(_descriptor(descriptor, nowhere.fileno()))
        stack.enter_context(capture_output())
        yield


@contextmanager
def _written_to(stream: TextIO, other: TextIO) -> Iterator[None]:
    """Redirect `stream` itself, for those that hold it, such as a `logging` handler from an earlier cell."""
    stream.flush()
    stream.write = other.write  # type: ignore[method-assign]
    try:
        yield
    finally:
        del stream.write


@contextmanager
def _descriptor(number: int, other: int) -> Iterator[None]:
    """Redirect a descriptor, for output from outside Python; some kernels (on Windows) have no such descriptors."""
    saved = None
    with suppress(OSError):
        saved = os.dup(number)
        os.dup2(other, number)
    try:
        yield
    finally:
        if saved is not None:
            os.dup2(saved, number)
            os.close(saved)
