"""What every promise about a chapter is held against: its stub, its solution and all its known mistakes, graded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from autograder.author.proof.drafts import drafts
from autograder.author.splice import misconception_source, with_wrong_answer
from autograder.calls.local import LocalTarget
from autograder.calls.records import Call, Observation, Raised
from autograder.core.records import SubmissionResult
from autograder.core.submission import Submission, one_chapter
from autograder.course.course import Course
from autograder.course.model import Exercise
from autograder.intake.artefacts import of_course
from autograder.judging.judge import judge, warm_up

COURSE = Course(Path(__file__).parents[2])
SEEDS = (1, 20, 300)
DRAFTS = {draft.exercise.name for draft in drafts(COURSE)}
PROVEN = [exercise for exercise in COURSE.exercises if exercise.name not in DRAFTS]


class Watched(LocalTarget):
    """Keeps what was raised."""

    def __init__(self, submission: Submission) -> None:
        super().__init__(submission)
        self.raised: list[Raised] = []

    def observe(self, chapter: str, call: Call) -> Observation:
        seen = super().observe(chapter, call)
        self.raised += [part for part in (seen.result, seen.again, seen.gradients) if isinstance(part, Raised)]
        return seen


class Graded(NamedTuple):
    """What a version of a chapter's file came to, and what it raised on the way."""

    result: SubmissionResult
    raised: list[Raised]


def watch(chapter: str, texts: dict[str, str], seed: int = 1, exercises: Sequence[Exercise] = ()) -> dict[str, Graded]:
    """Grade several versions of a chapter's file in this process, by name; on some exercises only, if given."""
    versions = [one_chapter(name, chapter, text, of_course(COURSE, chapter)) for name, text in texts.items()]
    return watch_all(versions, seed, exercises or COURSE.of(chapter))


def watch_all(submissions: Sequence[Submission], seed: int, exercises: Sequence[Exercise]) -> dict[str, Graded]:
    """Grade submissions on `exercises` in this process; what they come to by name."""
    warm_up()
    jobs = [(submission, Watched(submission)) for submission in submissions]
    results: list[SubmissionResult] = []
    judge(COURSE, exercises, jobs, seed, results.append)
    return {each.student: Graded(each, target.raised) for each, (_, target) in zip(results, jobs, strict=True)}


def grade(
    chapter: str, texts: dict[str, str], seed: int = 1, exercises: Sequence[Exercise] = ()
) -> dict[str, SubmissionResult]:
    """What these versions come to."""
    return {name: each.result for name, each in watch(chapter, texts, seed, exercises).items()}


@cache
def wrong_answers(exercise: Exercise) -> dict[str, Graded]:
    """Every known mistake about an exercise, alone in an otherwise right file, graded."""
    chapter = exercise.chapter
    right = COURSE.solution(chapter).read_text(encoding="utf-8")
    texts = {
        wrong.identifier: with_wrong_answer(right, misconception_source(COURSE, chapter, wrong), wrong.exercise)
        for wrong in COURSE.misconceptions(chapter)
        if wrong.exercise == exercise.name
    }
    return watch(chapter, texts, exercises=[exercise])


ALL_WRONG = [
    (exercise, wrong)
    for exercise in COURSE.exercises
    for wrong in COURSE.misconceptions(exercise.chapter)
    if wrong.exercise == exercise.name
]


def each_chapter(test: Callable[..., None]) -> Callable[..., None]:
    return pytest.mark.parametrize("chapter", COURSE.chapters)(test)


def each_misconception(test: Callable[..., None]) -> Callable[..., None]:
    rows = [pytest.param(each, wrong, id=f"{each.name}: {wrong.identifier}") for each, wrong in ALL_WRONG]
    return pytest.mark.parametrize(("exercise", "wrong"), rows)(test)


__all__ = [
    "ALL_WRONG",
    "COURSE",
    "DRAFTS",
    "PROVEN",
    "SEEDS",
    "each_chapter",
    "each_misconception",
    "grade",
    "watch",
    "watch_all",
    "wrong_answers",
]
