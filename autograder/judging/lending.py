"""A failed exercise is tried again with right versions of the wrong ones that it calls: one cause costs once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import cache

from autograder.calls.target import Variable
from autograder.core.message import Message
from autograder.core.records import CheckResult
from autograder.core.submission import ChapterSource, Submission
from autograder.core.text import join_names
from autograder.course.course import Course
from autograder.source.lend import called, changed, with_lent
from autograder.source.loops import owner
from autograder.suite.check import Grading


def lent(
    grading: Grading, chapter: str, exercise: str, is_right: Callable[[str], bool]
) -> tuple[Grading, list[str]] | None:
    """Return the grading of the same answer with right versions of what it calls, and the names of these.

    Only exercises that come before this one in its chapter are lent, and only those that the answer calls and that are
    not right. None if there are none, if the course has no right answers, or if the answer was stopped in a loop of its
    own. Close the target after use.

    Args:
        is_right: whether the answer to another exercise passes its checks; asked only of what may be lent.
    """
    source, target = grading.submission.chapters.get(chapter), grading.target
    if source is None or source.problem or not isinstance(target, Variable):
        return None
    names = [each.name for each in grading.course.of(chapter)]
    earlier, line = names[: names.index(exercise)], grading.stopped_at.get(exercise)
    looping = owner(source.text, line) if line else ""
    if not earlier or (line and (looping not in earlier or is_right(looping))):
        return None
    try:
        solution = _right_answers(grading.course, chapter)
        differing = changed(source.text, solution, called(source.text, exercise, earlier)) if solution else []
        taken = [name for name in differing if not is_right(name)]
        text = with_lent(source.text, solution, taken, exercise) if taken else None
    except (RecursionError, SyntaxError):  # of an odd file, whose first results stand
        return None
    if text is None:
        return None
    submission = _with_text(grading.submission, source, text)
    variant = target.variant(submission)
    return Grading(grading.course, submission, variant, grading.seed, grading.oracle, tells=False), taken


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
def _right_answers(course: Course, chapter: str) -> str:
    return course.right_answers(chapter)
