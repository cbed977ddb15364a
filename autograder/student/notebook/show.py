"""`%show`: the output of the cells that were run, beside what is expected."""

from __future__ import annotations

from autograder.calls.local import LocalTarget
from autograder.course.course import Course
from autograder.course.model import Exercise
from autograder.student.notebook.history import submission
from autograder.student.pictures.look import look
from autograder.student.pictures.notebook_picture import SEED, NotebookPicture
from autograder.student.prints import Prints


def show(course: Course, exercise: Exercise, seed: int | None) -> NotebookPicture:
    """Return the picture.

    Raises:
        CheckFailed: there is no answer to draw.
    """
    answers = submission(course, exercise.chapter)
    prints = Prints()
    try:
        target = LocalTarget(answers, prints)
        return NotebookPicture(look(course, exercise, answers, target, SEED if seed is None else seed)[0])
    finally:
        prints.end()
