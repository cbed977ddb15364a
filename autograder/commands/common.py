"""What several commands share."""

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
    """Print text that is not ours to style: brackets in it are no markup."""
    console.print(text, markup=False)


def print_anywhere() -> None:
    """Let what is printed reach a terminal or a file that does not know all of its characters."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=PLAINLY)


def folder(course: Course, target: Path | None) -> Path:
    """Where the student's chapters are.

    Raises:
        AttendError: `target` is no folder.
    """
    if target is not None and not target.is_dir():
        raise AttendError(f"{target} is no folder; --target takes the folder with your chapter files")
    return target or course.exercises_dir
