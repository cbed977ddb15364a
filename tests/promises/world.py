"""What every promise about a chapter is held against: its stub, its solution and all its known mistakes, graded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import pytest

from autograder.author.splice import misconception_source, with_wrong_answer
from autograder.course import Course, Exercise
from autograder.judge import judge, warm_up
from autograder.records import SubmissionResult
from autograder.submission import one_chapter
from autograder.targets.local import LocalTarget

COURSE = Course(Path(__file__).parents[2])
SEEDS = (1, 20, 300)


def grade(
    chapter: str, texts: dict[str, str], seed: int = 1, exercises: Sequence[Exercise] = ()
) -> dict[str, SubmissionResult]:
    """Grade several versions of a chapter's file in this process, by name; on some exercises only, if given."""
    warm_up()
    jobs = []
    for name, text in texts.items():
        submission = one_chapter(name, chapter, text)
        jobs.append((submission, LocalTarget(submission)))
    results: list[SubmissionResult] = []
    judge(COURSE, exercises or COURSE.of(chapter), jobs, seed, results.append)
    return {result.student: result for result in results}


@cache
def wrong_answers(exercise: Exercise) -> dict[str, SubmissionResult]:
    """Every known mistake about an exercise, alone in an otherwise right file, graded."""
    chapter = exercise.chapter
    right = COURSE.solution(chapter).read_text(encoding="utf-8")
    texts = {
        wrong.identifier: with_wrong_answer(right, misconception_source(COURSE, chapter, wrong), wrong.exercise)
        for wrong in COURSE.misconceptions(chapter)
        if wrong.exercise == exercise.name
    }
    return grade(chapter, texts, exercises=[exercise])


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


__all__ = ["ALL_WRONG", "COURSE", "SEEDS", "each_chapter", "each_misconception", "grade", "wrong_answers"]
