"""Grade many versions of a chapter as submissions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from autograder.course import Course, Exercise
from autograder.errors import AttendError
from autograder.grading.artefacts import of_course
from autograder.grading.coordinator import Coordinator
from autograder.grading.judge_process import Hand, Orders
from autograder.grading.outputs import faults
from autograder.records import SubmissionResult
from autograder.submission import one_chapter


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
    """What `exercises` of one chapter come to in each version of it, by name.

    Args:
        hire: gives what a judge makes its targets with.

    Raises:
        AttendError: the grader failed on one of them, so that nothing is known about it.
    """
    chapter = exercises[0].chapter
    submissions = [one_chapter(name, chapter, text, of_course(course, chapter)) for name, text in texts.items()]
    graded: dict[str, SubmissionResult] = {}

    def accept(result: SubmissionResult) -> None:
        graded[result.student] = result
        on_result()

    Coordinator(Orders(course, exercises, seed), hire, accept, lambda: None).grade(submissions, jobs)
    if why := faults(list(graded.values())):
        raise AttendError(why)
    return graded
