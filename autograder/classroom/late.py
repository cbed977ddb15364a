"""Canvas's report of late work: who handed in late, and when.

Teachers download it from New Analytics. It has a row for each late submission of the course: Student ID, Assignment
Name, Due Date without a time, Submitted Date with one, and more.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from pathlib import Path

from autograder.classroom import roster_table, times
from autograder.core.errors import UsageError
from autograder.core.text import join_names, one_line
from autograder.course.titles import assignment_names, contains_words


def read(path: Path, chapters: Collection[str]) -> Mapping[str, datetime]:
    """Return when each student handed in late, by Canvas's number of the student.

    Args:
        chapters: what is graded, by which the assignment is chosen if there are several.

    Raises:
        UsageError: it is no such report, a time in it cannot be read, or several assignments may be meant.
    """
    rows = [row for row in roster_table.read(path).rows if row.get("id")]
    if not rows or not all(row.get("assignment") and row.get("submitted") for row in rows):
        wanted = "Student ID, Assignment Name and Submitted Date in each row"
        raise UsageError(f"{path} is not Canvas's report of late work, with {wanted}; download it from New Analytics")
    chosen = _chosen(path, sorted({row["assignment"] for row in rows}), chapters)
    return {row["id"]: _time(path, row["submitted"]) for row in rows if row["assignment"] == chosen}


def _time(path: Path, text: str) -> datetime:
    when = times.read(text)
    if when is None:
        remedy = "write it as in 2026-11-20T23:59:00+01:00"
        raise UsageError(f"{path} has a time that cannot be read, '{one_line(text)}'; {remedy}")
    return when


def _chosen(path: Path, names: list[str], chapters: Collection[str]) -> str:
    """Return the only assignment, or the only one that is named after the chapter."""
    fitting = ([name for name in names if contains_words(name, words)] for words in assignment_names(chapters))
    fits = names if len(names) == 1 else next(filter(None, fitting), [])
    if len(fits) != 1:
        raise UsageError(f"{path} is about several assignments, {join_names(names)}; keep only the rows of one")
    return fits[0]
