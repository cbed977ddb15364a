"""A class of made-up students: right answers in many styles, some exercises wrong, and no two files equal."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from autograder.author.proof.right_answers import answers
from autograder.author.splice import misconception_source, with_wrong_answer
from autograder.core import files
from autograder.course.course import Course

SHARE_SPOILT = 1 / 3
SHARE_WRONG = 2 / 3
BODIES = ('raise NotImplementedError("{name}")', "return 0.0")
"""Bodies of a spoilt exercise: it is still to do, or always returns the same."""


def chapter_text(course: Course, chapter: str, student: int, seed: int) -> str:
    """Return one student's file: a random right answer, in which one file of three has a spoilt exercise.

    It ends with the student's number, so that no verdict can serve two students.
    """
    chance = random.Random(f"{seed}/{student}/{chapter}")
    text = chance.choice(_right(course, chapter))
    if chance.random() < SHARE_SPOILT:
        name, body = chance.choice(course.of(chapter)).name, chance.choice(BODIES)
        text += f"\n\n{spoilt(name, body)}"
    return _signed(text, student)


def right_text(course: Course, chapter: str, student: int, seed: int) -> str:
    """Return one student's file: a random right answer."""
    chance = random.Random(f"{seed}/{student}/{chapter}")
    return _signed(chance.choice(_right(course, chapter)), student)


def wrong_text(course: Course, chapter: str, student: int, seed: int) -> str:
    """Return one student's file: the solution, in which two exercises of three have a random known mistake."""
    chance = random.Random(f"{seed}/{student}/{chapter}")
    text = _right(course, chapter)[0]
    for exercise in course.of(chapter):
        known = [each for each in course.misconceptions(chapter) if each.exercise == exercise.name]
        if known and chance.random() < SHARE_WRONG:
            source = misconception_source(course, chapter, chance.choice(known))
            text = with_wrong_answer(text, source, exercise.name)
    return _signed(text, student)


def _signed(text: str, student: int) -> str:
    return f"{text}\n\nSTUDENT = {student}  # no two files are equal\n"


@cache
def _right(course: Course, chapter: str) -> tuple[str, ...]:
    """Return the right answers to the whole chapter, the course's own first."""
    whole = [each.text for each in answers(course, chapter) if len(each.exercises) == len(course.of(chapter))]
    return (course.solution(chapter).read_text(encoding="utf-8"), *whole)


def spoilt(name: str, body: str = BODIES[1]) -> str:
    """Return a wrong answer that takes any arguments."""
    return f"def {name}(*_, **__):\n    {body.format(name=name)}\n"


def write_class(
    course: Course,
    folder: Path,
    students: int,
    seed: int,
    chapters: Sequence[str],
    text_of: Callable[[Course, str, int, int], str] = chapter_text,
) -> list[Path]:
    """Write the students' folders, each with a file for every chapter, and return them."""
    folders = [folder / f"student-{number:04}" for number in range(1, students + 1)]
    for number, own in enumerate(folders, 1):
        for chapter in chapters:
            files.write(own / f"{chapter}.py", text_of(course, chapter, number, seed))
    return folders


def write_empty_class(folder: Path, students: int, chapter: str) -> Path:
    """Write a class without answers, whose grading takes only start-up time; two students at least.

    A lone folder might be a student's own, and `attend grade` would ask.
    """
    for number in range(1, max(students, 2) + 1):
        files.write(folder / f"empty-{number}" / f"{chapter}.py", f"STUDENT = {number}\n")
    return folder
