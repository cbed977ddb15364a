"""`%show`: what the cells that were run give, beside what is expected."""

from __future__ import annotations

from autograder.course import Course, Exercise
from autograder.notebook.history import submission
from autograder.pictures.look import look
from autograder.pictures.notebook import SEED, Shown
from autograder.student.prints import Prints
from autograder.targets.local import LocalTarget


def show(course: Course, exercise: Exercise, seed: int | None) -> Shown:
    """The picture.

    Raises:
        CheckFailed: there is no answer to look at.
    """
    answers = submission(course, exercise.chapter)
    prints = Prints()
    try:
        target = LocalTarget(answers, prints)
        return Shown(look(course, exercise, answers, target, SEED if seed is None else seed)[0])
    finally:
        prints.end()
