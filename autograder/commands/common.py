"""Options, output and folders that several commands share."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from autograder.core.errors import AttendError
from autograder.core.text import PLAINLY
from autograder.course.course import Course

console = Console(highlight=False, soft_wrap=False)

Names = Annotated[list[str] | None, typer.Argument(help="Chapters or exercises, or parts of their names.")]
Seed = Annotated[int | None, typer.Option(help="Seed of the random inputs, to repeat a run.")]


def say(text: str) -> None:
    """Print text in which brackets are no markup."""
    console.print(text, markup=False)


def print_anywhere() -> None:
    """Replace characters that the terminal or file cannot encode by similar ones."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=PLAINLY)


def folder(course: Course, target: Path | None) -> Path:
    """Return the folder with the student's chapters.

    Raises:
        AttendError: `target` is no folder.
    """
    if target is not None and not target.is_dir():
        raise AttendError(f"{target} is no folder; --target takes the folder with your chapter files")
    return target or course.exercises_dir
