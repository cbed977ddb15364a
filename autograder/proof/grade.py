"""Grade many versions of one exercise as submissions."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from autograder.course import Course, Exercise
from autograder.errors import AttendError
from autograder.grading.coordinator import Coordinator
from autograder.grading.judge_process import Hand, Orders
from autograder.records import ExerciseResult, SubmissionResult
from autograder.submission import ChapterSource, Submission


def grade_versions(
    course: Course,
    hire: Callable[[], Hand],
    exercise: Exercise,
    texts: Mapping[str, str],
    *,
    jobs: int,
    seed: int,
    on_result: Callable[[], None] = lambda: None,
) -> dict[str, ExerciseResult]:
    """What `exercise` comes to in each version of its chapter, by name.

    Args:
        hire: gives what a judge makes its targets with.

    Raises:
        AttendError: the grader failed on one of them, so that nothing is known about it.
    """
    chapter = exercise.chapter
    submissions = [
        Submission(name, {chapter: ChapterSource(chapter, text, f"{chapter}.py")}) for name, text in texts.items()
    ]
    graded: dict[str, ExerciseResult] = {}

    def accept(result: SubmissionResult) -> None:
        (graded[result.student],) = result.exercises
        on_result()

    Coordinator(Orders(course, [exercise], seed), hire, accept, lambda: None).grade(submissions, jobs)
    faulty = [name for name, result in graded.items() if result.status == "grader_error"]
    if faulty:
        said = next(check.message for check in graded[faulty[0]].checks if check.status == "grader_error")
        raise AttendError(f"{exercise.name}: the grader failed on {len(faulty)} of {len(graded)} ({said})")
    return graded
