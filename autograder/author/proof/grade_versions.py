"""Grade many versions of a chapter as submissions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from autograder.core.errors import AttendError
from autograder.core.records import SubmissionResult
from autograder.core.submission import Submission, one_chapter
from autograder.course.course import Course
from autograder.course.model import Exercise
from autograder.intake.artefacts import of_course
from autograder.judging.coordinator import Coordinator
from autograder.judging.process import Hand, Orders
from autograder.report.outputs import faults


def grade_versions(
    course: Course,
    hire: Callable[[], Hand],
    exercises: Sequence[Exercise],
    texts: Mapping[str, str],
    *,
    jobs: int,
    seed: int,
    on_result: Callable[[], None] = lambda: None,
) -> dict[str, SubmissionResult]:
    """Return the result of each version of a chapter on its `exercises`, by name. Otherwise as `grade_all`."""
    chapter = exercises[0].chapter
    versions = [one_chapter(name, chapter, text, of_course(course, chapter)) for name, text in texts.items()]
    return grade_all(course, hire, exercises, versions, jobs=jobs, seed=seed, on_result=on_result)


def grade_all(
    course: Course,
    hire: Callable[[], Hand],
    exercises: Sequence[Exercise],
    submissions: Sequence[Submission],
    *,
    jobs: int,
    seed: int,
    on_result: Callable[[], None] = lambda: None,
) -> dict[str, SubmissionResult]:
    """Return the result of each submission on `exercises`, by name.

    Args:
        hire: returns the function that makes a judge's targets.

    Raises:
        AttendError: the grader failed on one of them, so its result is unknown.
    """
    graded: dict[str, SubmissionResult] = {}

    def accept(result: SubmissionResult) -> None:
        graded[result.student] = result
        on_result()

    Coordinator(Orders(course, exercises, seed), hire, accept, lambda: None).grade(submissions, jobs)
    if why := faults(list(graded.values())):
        raise AttendError(why)
    return graded
