"""`attend show`: a picture of the student's own output beside what is expected."""

from __future__ import annotations

import secrets
from pathlib import Path

from rich.console import Console
from rich.text import Text

from autograder.calls.local import LocalTarget
from autograder.compare.grid import Picture
from autograder.core.errors import CheckFailed, UsageError
from autograder.course.course import Course
from autograder.course.model import Exercise
from autograder.intake.submissions import read_folder
from autograder.student.cell_lines import message_in_file
from autograder.student.check import ALL_PRINTS, print_notes, stopped
from autograder.student.misnamed_files import misnamed_files
from autograder.student.pictures.look import look
from autograder.student.pictures.picture_text import as_text
from autograder.student.prints import Prints


def show(
    course: Course, exercise: Exercise, folder: Path, png: Path | None, seed: int | None, console: Console
) -> bool:
    """Print the picture, write it to `png` if that is given, and return whether every check was passed.

    Raises:
        UsageError: `png` is given, and there is nothing to draw or it cannot be written.
    """
    if folder == course.exercises_dir:
        print_notes(console, misnamed_files(course, exercise.chapter))
    submission = read_folder(folder, course)
    source = submission.chapters.get(exercise.chapter)
    chosen = secrets.randbits(32) if seed is None else seed
    prints = Prints(ALL_PRINTS)
    try:
        picture, failed = look(course, exercise, submission, LocalTarget(submission, prints), chosen)
    except CheckFailed as nothing:
        console.print(Text(message_in_file(nothing.message, source).text))
        return False
    except KeyboardInterrupt as stop:
        console.print(Text(stopped(stop, filter(None, [source])), style="yellow"))
        return False
    finally:
        prints.end()
    console.print(Text(picture) if isinstance(picture, str) else as_text(picture, console.width))
    if failed:
        same = isinstance(picture, Picture) and not picture.says
        but = "on this input nothing differs, but " if same else ""
        console.print(Text(f"{but}`attend check {exercise.name}` says: {failed.message.headline}", style="dim"))
    if png:
        if png.suffix.lower() != ".png":
            raise UsageError(f"{png} is no name for a picture; let it end in .png")
        if isinstance(picture, str):
            raise UsageError(f"there is nothing to draw of {exercise.name}, so {png} was not written")
        _write(picture, png)
        console.print(Text(f"wrote {png}"))
    return failed is None


def _write(picture: Picture, png: Path) -> None:
    try:
        from autograder.student.pictures.picture_png import as_png

        data = as_png(picture)
    except ModuleNotFoundError as error:
        raise UsageError("a PNG needs matplotlib: pip install matplotlib") from error
    try:
        png.write_bytes(data)
    except OSError as error:
        raise UsageError(f"{png} cannot be written ({error.strerror}); name a file in a folder that exists") from error
