"""Inside a notebook's kernel: the checks of a chapter on the notebook's own source, for nbgrader's test cells."""

from __future__ import annotations

from functools import cache

from autograder.calls.compiler import without_compiler
from autograder.calls.local import LocalTarget
from autograder.core.records import SubmissionResult
from autograder.core.submission import one_chapter
from autograder.course.course import Course
from autograder.judging.judge import judge, warm_up


def points(chapter: str, exercise: str, source: str, seed: int) -> float:
    """What the exercise earns; as the last value of a test cell, nbgrader takes it for the cell's score."""
    return _points(chapter, source, seed)[exercise]


@cache
def _points(chapter: str, source: str, seed: int) -> dict[str, float]:
    """Suites are collected and all checks are run once per notebook, by the first test cell."""
    course = Course.installed()
    submission = one_chapter("notebook", chapter, source)
    results: list[SubmissionResult] = []
    warm_up()
    with without_compiler():
        judge(course, course.of(chapter), [(submission, LocalTarget(submission))], seed, results.append)
    return {exercise.exercise: exercise.score for exercise in results[0].exercises}
