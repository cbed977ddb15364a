"""The checks of a chapter, run in a notebook's kernel on its own source, for nbgrader's test cells."""

from __future__ import annotations

from functools import cache

from autograder.calls.local import LocalTarget
from autograder.core.records import SubmissionResult
from autograder.core.submission import one_chapter
from autograder.course.course import Course
from autograder.internals.grading_mode import grading_mode
from autograder.judging.judge import judge, warm_up


def points(chapter: str, exercise: str, source: str, seed: int) -> float:
    """Return an exercise's points; as the last value of a test cell, they are the cell's score for nbgrader."""
    return _points(chapter, source, seed)[exercise]


@cache
def _points(chapter: str, source: str, seed: int) -> dict[str, float]:
    """Collect the suite and run all its checks, once per notebook."""
    course = Course.installed()
    submission = one_chapter("notebook", chapter, source)
    results: list[SubmissionResult] = []
    warm_up()
    with grading_mode():
        judge(course, course.of(chapter), [(submission, LocalTarget(submission))], seed, results.append)
    return {exercise.exercise: exercise.score for exercise in results[0].exercises}
