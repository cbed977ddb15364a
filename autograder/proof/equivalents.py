"""Mutants that are right answers too, each with its reason: `tests/promises/equivalent/chNN_name.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from autograder.course import Course
from autograder.errors import UsageError

FOLDER = Path("tests", "promises", "equivalent")


@dataclass(frozen=True)
class Equivalent:
    """A change of a solution that keeps it right: the lines `was`, their `nth` occurrence, become `now`; and why."""

    exercise: str
    was: str
    now: str
    why: str
    nth: int = 1

    @property
    def change(self) -> tuple[str, str, str, int]:
        """What tells it from others."""
        return self.exercise, self.was, self.now, self.nth


def equivalents(course: Course, chapter: str) -> tuple[Equivalent, ...]:
    """Those of a chapter, in the order of their file.

    Raises:
        UsageError: the file cannot be read, or an entry lacks something.
    """
    path = course.root / FOLDER / f"{chapter}.toml"
    if not path.is_file():
        return ()
    try:
        rows = tomllib.loads(path.read_text(encoding="utf-8"))["equivalent"]
        return tuple(Equivalent(**row) for row in rows)
    except (tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise UsageError(f"{path} is not a list of [[equivalent]] with exercise, was, now and why ({error})") from error
