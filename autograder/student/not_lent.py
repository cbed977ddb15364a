"""What a course that was given out without right answers cannot find out: whether an exercise is right but for others.

Elsewhere a failed exercise is tried again with right versions of the wrong ones that it calls (`judging/lending.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autograder.core.records import OF_ITSELF, ExerciseResult
from autograder.core.submission import Submission
from autograder.core.text import join_names
from autograder.course.course import Course
from autograder.source.lend import called


def not_lent(course: Course, submission: Submission, results: Sequence[ExerciseResult]) -> Iterator[str]:
    """Yield a sentence for each failed exercise that calls wrong ones, where the course holds no right answers."""
    for number, each in enumerate(results):
        source = submission.chapters.get(each.chapter)
        if each.status in OF_ITSELF or source is None or source.problem or course.right_answers(each.chapter):
            continue
        earlier = [one.exercise for one in results[:number] if one.chapter == each.chapter and one.status != "passed"]
        if names := called(source.text, each.exercise, earlier):
            yield _says(each.exercise, names)


def _says(exercise: str, names: Sequence[str]) -> str:
    own = join_names([f"`{name}`" for name in names])
    wrong, right = ("is not right yet", "a right one") if len(names) == 1 else ("are not right yet", "right ones")
    return (
        f"`{exercise}` calls your {own}, which {wrong}: your instructor's checks try it again with {right}, and the "
        "better result counts"
    )
