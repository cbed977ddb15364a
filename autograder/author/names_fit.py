"""Check that the files of a course name only exercises that exist: a misspelled name would do its harm unseen."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from autograder.author.parsed import meant, parsed, refuse_unknown
from autograder.core.errors import AttendError
from autograder.course.course import Course

Exercises = Mapping[str, int]
"""The line of a chapter's source that each of its exercises begins in, by the exercise's name."""
RULES = ("RETURNS", "FORBIDDEN", "WELCOME")
"""Tables of a suite whose keys are exercises."""


def match(course: Course, stem: str, exercises: Exercises) -> None:
    """Check that a chapter's suite and its exercises fit together.

    Raises:
        AttendError: they do not; the message gives the file, the line and the remedy.
    """
    source, path = f"solutions/{stem}.py", course.suite(stem)
    suite = f"tests/exercises/{path.name}"
    graded = [exercise.name for exercise in course.of(stem)]
    for name in graded:
        if name not in exercises:
            remedy = meant(name, exercises, f'give its cell the header # %% exercise="{name}"')
            line = next(check.line for check in course.checks[stem] if check.exercise == name)
            where = f"{suite}:{line}"
            raise AttendError(f"{where} checks '{name}', which is no exercise of {source}; {remedy}")
    for name, line in exercises.items():
        if name not in graded:
            raise AttendError(f"{source}:{line}: exercise '{name}' has no check; add one to {suite}")
    refuse_unknown(parsed(path, suite), suite, RULES, exercises, f"of {source}")


def match_chapters(course: Course, chapters: Mapping[str, Exercises]) -> None:
    """Check that no two chapters share an exercise's name, and that scenes name exercises. Raises: AttendError."""
    _refuse_shared_names(chapters)
    scenes = Path("reference", "scenes.py")
    if (course.root / scenes).is_file():
        names = [name for exercises in chapters.values() for name in exercises]
        tree = parsed(course.root / scenes, scenes.as_posix())
        refuse_unknown(tree, scenes.as_posix(), ("SCENES",), names, "of the course")


def _refuse_shared_names(chapters: Mapping[str, Exercises]) -> None:
    seen: dict[str, str] = {}
    for stem, exercises in chapters.items():
        for name, line in exercises.items():
            other = seen.setdefault(name.lower(), stem)
            if other != stem:
                raise AttendError(
                    f"solutions/{stem}.py:{line}: exercise '{name}' has the name of one in {other}, "
                    "and names find exercises in the whole course; rename one of the two"
                )
