"""A failed exercise is tried again with right versions of the wrong ones that it calls: one cause costs once."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from autograder.calls.target import Variable
from autograder.core.message import Message
from autograder.core.records import CheckResult
from autograder.core.submission import ChapterSource, Submission
from autograder.core.text import join_names
from autograder.source.lend import called, changed, with_lent
from autograder.source.loops import owner
from autograder.suite.check import Grading

FINAL = ("passed", "grader_error", "syntax", "forbidden")
"""Statuses that no other exercise can be the cause of."""


def lent(grading: Grading, chapter: str, exercise: str, right: Collection[str]) -> tuple[Grading, list[str]] | None:
    """Return the grading of the same answer with right versions of what it calls, and the names of these.

    Only exercises that come before this one in its chapter are lent, and only those that the answer calls and that are
    not known to be `right`. None if there are none, if the course has no solutions, or if the answer was stopped in a
    loop of its own. Close the target after use.
    """
    source, target = grading.submission.chapters.get(chapter), grading.target
    if source is None or source.problem or not isinstance(target, Variable):
        return None
    names = [each.name for each in grading.course.of(chapter)]
    earlier = [name for name in names[: names.index(exercise)] if name not in right]
    line = grading.stopped_at.get(exercise)
    if not earlier or (line and owner(source.text, line) not in earlier):
        return None
    try:
        path = grading.course.known_solution(chapter)
        text, taken = _text_with_lent(source.text, _read(path) if path else "", exercise, earlier)
    except (RecursionError, SyntaxError):  # of an odd file, whose first results stand
        return None
    if text is None:
        return None
    submission = _with_text(grading.submission, source, text)
    variant = target.variant(submission)
    return Grading(grading.course, submission, variant, grading.seed, grading.oracle, tells=False), taken


def _text_with_lent(text: str, solution: str, exercise: str, names: Collection[str]) -> tuple[str | None, list[str]]:
    taken = changed(text, solution, called(text, exercise, names)) if solution else []
    return with_lent(text, solution, taken, exercise) if taken else None, taken


def settled(first: Sequence[CheckResult], second: Sequence[CheckResult], names: Collection[str]) -> list[CheckResult]:
    """Return the results that count of an exercise whose checks were made again with right versions of `names`.

    One run counts as a whole: the better one. Nothing but verdicts is told of the second one, in which an answer could
    read what is lent.
    """
    if sum(each.points for each in second) <= sum(each.points for each in first):
        return list(first)
    told = tuple(names)
    return [_settled(one, other, told) for one, other in zip(first, second, strict=True)]


def _settled(first: CheckResult, second: CheckResult, names: tuple[str, ...]) -> CheckResult:
    if second.status == "grader_error" or _comes_to(first) == _comes_to(second):
        return first
    own = join_names([f"your `{name}`" for name in names])
    place = "its place" if len(names) == 1 else "their place"
    if second.status == "passed":
        says = f"right but for {own}: with the course's in {place}, this check passes"
        return replace(second, message=Message(says), lent=names)
    says = f"right only with {own}: with the course's in {place}, this check fails"
    return replace(first, status="failed", points=0, message=Message(says), lent=names)


def _comes_to(result: CheckResult) -> tuple[bool, bool]:
    """Return whether a check passed, and whether another one pays for a fault of form in it."""
    return result.status == "passed", result.status == "passed" and bool(result.forms)


def _with_text(submission: Submission, source: ChapterSource, text: str) -> Submission:
    return replace(submission, chapters={**submission.chapters, source.chapter: replace(source, text=text)})


@cache
def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")
