"""Pictures in a notebook: `show(causal_mask)` as the last line of a cell."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import Any

from rich.console import Console

from autograder.calls.observe import observe
from autograder.calls.records import Call, Observation
from autograder.compare.grid import Picture
from autograder.core.submission import ChapterSource, Submission
from autograder.course.course import Course
from autograder.student.pictures.look import look
from autograder.student.pictures.picture_svg import STYLE, as_html
from autograder.student.pictures.picture_text import as_text

SEED = 1
WIDTH = 80


@dataclass(frozen=True)
class NotebookPicture:
    """A picture that a notebook displays, as text where it cannot show HTML."""

    picture: Picture | str

    def __repr__(self) -> str:
        content = self.picture if isinstance(self.picture, str) else as_text(self.picture, WIDTH)
        return plain_text(lambda console: console.print(content))

    def _repr_html_(self) -> str | None:
        if isinstance(self.picture, str):
            return None
        words = "".join(f"<p>{escape(line)}</p>" for line in (self.picture.title, *self.picture.verdict.splitlines()))
        return f"<div><style>{STYLE}</style>{words}{as_html(self.picture)}</div>"


class _Here:
    """The target that calls the answer itself, in this process."""

    name = "notebook"

    def __init__(self, answer: Callable[..., Any]) -> None:
        self._namespace = {answer.__name__: answer}

    def observe(self, chapter: str, call: Call) -> Observation:  # noqa: ARG002 - the notebook is the chapter
        return observe(self._namespace, call)

    def close(self) -> None:
        """Do nothing, as nothing is open."""


def show(answer: Callable[..., Any]) -> NotebookPicture:
    """Return a picture of what your function or class returns, beside what is expected.

    Args:
        answer: the function or class itself, as it is defined in the notebook.

    Raises:
        UsageError: `answer` is no exercise of the course.
        CheckFailed: the exercise is still to do.
    """
    course = Course.find()
    exercise = course.one(answer.__name__)
    source = ChapterSource(exercise.chapter, inspect.getsource(answer), "this notebook")
    submission = Submission("you", {exercise.chapter: source})
    return NotebookPicture(look(course, exercise, submission, _Here(answer), SEED)[0])


def plain_text(write: Callable[[Console], object]) -> str:
    """Return what `write` prints to a console of 80 columns, without colours and trailing blanks."""
    console = Console(width=WIDTH, color_system=None, force_jupyter=False, force_terminal=False)
    with console.capture() as caught:
        write(console)
    return "\n".join(line.rstrip() for line in caught.get().rstrip("\n").split("\n"))
