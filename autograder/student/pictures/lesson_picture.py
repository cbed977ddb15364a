"""The pictures of lessons: drawn by the course's own code, and by the learner's once it has passed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib import import_module
from typing import Any, Protocol

from autograder.core.errors import UsageError
from autograder.core.reading import contents, decoded
from autograder.course.course import Course

NAME = "pictures.json"
LAYOUT = "display:flex;flex-wrap:wrap;gap:.75rem 1.5rem;align-items:flex-start;margin:1rem 0;max-width:none;width:auto"
CAPTION = "flex-basis:100%;max-width:none;margin:0;text-align:left;font-style:normal;opacity:.8"


class Drawn(Protocol):
    """A part of a picture: a drawing or a plot."""

    def svg(self) -> str:
        """Return it as self-contained SVG."""


@dataclass(frozen=True)
class LessonPicture:
    """A picture: its caption, the exercises whose answers it is drawn with, and the function that draws its parts.

    `draw` gets an object that has the answers as attributes, such as `mine`.
    """

    says: str
    needs: tuple[str, ...]
    draw: Callable[[Any], Sequence[Drawn]]

    def html(self, pieces: Any, by: str = "") -> str:
        """Return the parts side by side, or below each other where the page is narrow, with the caption below them."""
        import torch

        from autograder.calls.built import default_dtype

        with default_dtype(torch.float64):  # in which no machine's rounding changes a shade
            parts = [each.svg() for each in self.draw(pieces)]
        caption = f'<figcaption style="{CAPTION}">{escape(" ".join((self.says, by)).strip(), quote=False)}</figcaption>'
        return figure(*parts, caption)


def figure(*parts: str) -> str:
    """Return HTML that puts parts beside each other; the site's search leaves out the numbers in it."""
    return f'<figure data-search-exclude style="{LAYOUT}">{"".join(parts)}</figure>'


class CoursePieces:
    """The course's own answers as attributes."""

    def __init__(self, course: Course) -> None:
        self._course = course

    def __getattr__(self, name: str) -> Any:
        return getattr(self._course.reference(self._course.one(name).chapter), name)


def stored(course: Course) -> Mapping[str, str]:
    """Return the pictures that the course's own answers draw, by name; none where the table is missing or damaged."""
    try:
        tables = decoded(contents(course.table(NAME)), dict[str, dict[str, str]])
    except (OSError, ValueError):  # no verdict depends on them
        return {}
    return {name: drawn for table in tables.values() for name, drawn in table.items()}


def lesson_picture(course: Course, name: str) -> str:
    """Return a picture as HTML, drawn by the learner's answers if all that it needs have passed.

    Raises:
        UsageError: there is no such picture.
    """
    from autograder.calls.records import PARTS
    from autograder.student.lesson_pieces import have_passed, take_up

    found, known = course.pictures().get(name), stored(course)
    if found and found.needs and have_passed(course, found.needs):
        mine = import_module(PARTS).mine
        take_up(course, mine, found.needs)
        return str(found.html(mine, f"Drawn by your own {', '.join(found.needs)}."))
    if name not in known:
        raise UsageError(f"there is no picture '{name}'; there are {', '.join(known) or 'none in this copy'}")
    return known[name]
