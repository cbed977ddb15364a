"""Mutants that are right answers too, each with a reason, from `tests/promises/equivalent/chNN_name.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from autograder.core.errors import UsageError
from autograder.course.course import Course

FOLDER = Path("tests", "promises", "equivalent")
ANY = "*"


@dataclass(frozen=True)
class Equivalent:
    """A change that keeps a solution right: the `nth` occurrence of the lines `was` becomes `now`. `why` says why.

    "*" as `was` and `now` covers every change that survives, for an exercise with many right answers.
    """

    exercise: str
    was: str
    now: str
    why: str
    nth: int = 1

    def covers(self, exercise: str, was: str, now: str, nth: int) -> bool:
        """Return whether the entry covers this change."""
        return self.exercise == exercise and (self.was == ANY or (self.was, self.now, self.nth) == (was, now, nth))


def equivalents(course: Course, chapter: str) -> tuple[Equivalent, ...]:
    """Return the entries of a chapter, in the order of their file.

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
