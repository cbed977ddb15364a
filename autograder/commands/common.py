"""Options, output and folders that several commands share."""

from __future__ import annotations

import io
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from autograder.core.errors import AttendError, UsageError
from autograder.core.text import PLAINLY
from autograder.course.course import Course
from autograder.course.folders import require_copy

PADDING = re.compile(r" +(?=\n)")
console = Console(highlight=False, soft_wrap=False)

Names = Annotated[list[str] | None, typer.Argument(help="Chapters or exercises, or parts of their names.")]


def integer(word: str) -> int:
    """Return a whole number that is typed behind an option."""
    try:
        return int(word)
    except ValueError as error:
        raise typer.BadParameter(f"{word} is no whole number, such as 3") from error


Seed = Annotated[
    int | None, typer.Option(parser=integer, metavar="INTEGER", help="Seed of the random inputs, to repeat a run.")
]


def say(text: str) -> None:
    """Print text in which brackets are no markup."""
    console.print(text, markup=False)


class Unpadded(io.TextIOWrapper):
    """Writes lines without the spaces that fill them up to the width of a terminal."""

    def write(self, text: str) -> int:
        super().write(PADDING.sub("", text))
        return len(text)


def print_anywhere() -> None:
    """Replace characters that the terminal or file cannot encode by similar ones; in a file, pad no lines."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=PLAINLY)
    if type(sys.stdout) is io.TextIOWrapper and not sys.stdout.isatty():
        sys.stdout = Unpadded(sys.stdout.buffer, encoding=sys.stdout.encoding, errors=PLAINLY, line_buffering=True)


def at_rest() -> Course:
    """Return the course around the current folder, for a command that runs nothing of it."""
    return replace(Course.find(), inert=True)


def named_course() -> Course:
    """Return the course around the current folder; where there is none, the installed one, and say which it is."""
    course = Course.find()
    if not _is_here(course):
        title = course.settings.get("title", "Attend")
        print(f'no course is around this folder; this is about "{title}" in {course.root}', file=sys.stderr)
    return course


def course_here() -> Course:
    """Return the course around the current folder.

    Raises:
        UsageError: there is none.
    """
    course = Course.find()
    if not _is_here(course):
        raise UsageError("there is no course around this folder; go into the folder of the course that you write")
    return course


def _is_here(course: Course) -> bool:
    return Path.cwd().resolve().is_relative_to(course.root.resolve())


def folder(course: Course, target: Path | None) -> Path:
    """Return the folder with the student's chapters: `target`, else that of the working copy.

    Raises:
        AttendError: `target` is no folder; or without it, there is no working copy.
    """
    if target is None:
        require_copy(course)
    elif not target.is_dir():
        raise AttendError(f"{target} is no folder; --target takes the folder with your chapter files")
    return target or course.exercises_dir


def installation_is_sound(course: Course) -> bool:
    """Print a table on the installation, and return whether all is well."""
    from autograder.commands.listing import doctor_table
    from autograder.student.install import rows

    found = list(rows(course, Path.cwd()))
    console.print(doctor_table(found))
    return all(row.ok is not False for row in found)
