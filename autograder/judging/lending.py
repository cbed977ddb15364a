"""A failed exercise is tried again with right versions of the wrong ones that it calls: one cause costs once."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import cache
from pathlib import Path

from autograder.calls.target import Variable
from autograder.core.errors import UsageError
from autograder.core.message import Message
from autograder.core.records import CheckResult
from autograder.core.submission import ChapterSource, Submission
from autograder.core.text import join_names
from autograder.course.course import Course
from autograder.source.lend import called, changed, with_lent
from autograder.suite.check import Grading

FINAL = ("passed", "grader_error", "syntax", "forbidden")
"""Statuses that no other exercise can be the cause of."""


def lent(grading: Grading, chapter: str, exercise: str, right: Collection[str]) -> tuple[Grading, list[str]] | None:
    """Return the grading of the same answer with right versions of what it calls, and the names of these.

    Only exercises that come before this one in its chapter are lent, and only those that the answer calls and that are
    not known to be `right`. None if there are none, or if the course has no solutions. Close the target after use.
    """
    source, target = grading.submission.chapters.get(chapter), grading.target
    if source is None or source.problem or not isinstance(target, Variable):
        return None
    names = [each.name for each in grading.course.of(chapter)]
    earlier = [name for name in names[: names.index(exercise)] if name not in right]
    taken = called(source.text, exercise, earlier)
    solution = _solution(grading.course, chapter) if taken else ""
    taken = changed(source.text, solution, taken) if solution else []
    text = with_lent(source.text, solution, taken, exercise) if taken else None
    if text is None:
        return None
    submission = _with_text(grading.submission, source, text)
    return Grading(
        grading.course, submission, target.variant(submission), grading.seed, grading.oracle, grading.examples
    ), taken


def settled(first: CheckResult, second: CheckResult, names: Collection[str]) -> CheckResult:
    """Return the result that counts of a check that was made again with right versions of `names`."""
    told = tuple(names)
    if second.status == "passed":
        return replace(second, message=_right_but_for(told), lent=told)
    is_clearer = second.status == "failed" and second.misconceptions and not first.misconceptions
    return replace(second, lent=told) if is_clearer else first


def _right_but_for(names: tuple[str, ...]) -> Message:
    own = join_names([f"your `{name}`" for name in names])
    own_place = "its place" if len(names) == 1 else "their place"
    return Message(f"right but for {own}: with the course's in {own_place}, this check passes")


def _with_text(submission: Submission, source: ChapterSource, text: str) -> Submission:
    return replace(submission, chapters={**submission.chapters, source.chapter: replace(source, text=text)})


def _solution(course: Course, chapter: str) -> str:
    """Return the text of the course's answers to a chapter; "" if it was given out without them."""
    path = course.solution(chapter)
    if not path.is_file() and course.is_copy and not (course.root / "autograder").is_dir():
        try:
            path = Course.installed().solution(chapter)
        except UsageError:
            return ""
    return _read(path) if path.is_file() else ""


@cache
def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")
