"""Versions of a chapter's file, such as one with a known mistake, graded in this process."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from autograder.author.release.cut import bound, only
from autograder.author.splice import misconception_source, with_wrong_answer
from autograder.calls.local import LocalTarget
from autograder.calls.records import Call, Observation, Raised
from autograder.core.errors import CheckFailed
from autograder.core.records import CheckResult, SubmissionResult
from autograder.core.submission import Submission, one_chapter
from autograder.course.course import Course
from autograder.course.model import Exercise, Misconception
from autograder.intake.artefacts import of_course
from autograder.judging.judge import judge, warm_up
from autograder.source.parsing import shared_tree


class Watched(LocalTarget):
    """Keeps what was raised; once `enough` was seen, every call takes too long, and so no further check is tried."""

    def __init__(self, submission: Submission) -> None:
        super().__init__(submission)
        self.student = submission.student
        self.raised: list[Raised] = []
        self.enough = False

    def observe(self, chapter: str, call: Call) -> Observation:
        if self.enough:
            raise CheckFailed("timeout", "a check before this one has named the mistake")
        seen = super().observe(chapter, call)
        self.raised += [part for part in (seen.result, seen.again, seen.gradients) if isinstance(part, Raised)]
        return seen


class Tried(NamedTuple):
    """What a version of a chapter's file came to, and what it raised on the way."""

    result: SubmissionResult
    raised: list[Raised]


def tried(
    course: Course, submissions: Iterable[Submission], exercises: Sequence[Exercise], seed: int, *, whole: bool = True
) -> dict[str, Tried]:
    """Grade submissions in this process, by name; unless `whole`, each only until a check names what it is called."""
    warm_up()
    begun: list[Watched] = []
    results: list[SubmissionResult] = []

    def jobs() -> Iterator[tuple[Submission, Watched]]:
        for submission in submissions:
            begun.append(Watched(submission))
            yield submission, begun[-1]

    def checked(result: CheckResult) -> None:
        begun[-1].enough |= result.misconceptions == (begun[-1].student,) and not whole

    judge(course, exercises, jobs(), seed, results.append, checked)
    return {each.student: Tried(each, target.raised) for each, target in zip(results, begun, strict=True)}


def version(course: Course, chapter: str, name: str, text: str) -> Submission:
    """Return a version of a chapter's file as a submission, with the course's trained models."""
    return one_chapter(name, chapter, text, of_course(course, chapter))


def with_mistake(course: Course, chapter: str, wrong: Misconception) -> Submission:
    """Return a known mistake in a file that is otherwise right, and has no other exercise than it uses."""
    source = misconception_source(course, chapter, wrong)
    return with_answer(course, chapter, wrong.identifier, wrong.exercise, source)


def with_answer(course: Course, chapter: str, student: str, exercise: str, source: str) -> Submission:
    """Return an answer to an exercise in a file that is otherwise right, and has no other exercise than it uses."""
    right = solution(course, chapter)
    used = frozenset({"annotations", exercise, *re.findall(r"\w+", source)} & _defined(right))
    text = with_wrong_answer(_part(right, used), source, exercise)
    return replace(version(course, chapter, student, text), only=(exercise,))


def solution(course: Course, chapter: str) -> str:
    """Return the text of a chapter's solution."""
    return course.solution(chapter).read_text(encoding="utf-8")


@lru_cache(maxsize=64)
def _defined(text: str) -> frozenset[str]:
    """Return the names of the top level of a module."""
    return frozenset(name for node in shared_tree(text).body for name in bound(node))


@lru_cache(maxsize=256)
def _part(text: str, names: frozenset[str]) -> str:
    return only(text, names)
