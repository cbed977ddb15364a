"""What a platform's table holds, in the same terms for every platform."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from autograder.classroom.person import Person
from autograder.core.errors import UsageError
from autograder.core.table import Row, Table
from autograder.core.text import join_names, one_line
from autograder.course.titles import contains_words

ADDED = re.compile(r"\s*(\(\d+\)|\[Total Pts:.*)$")  # what a platform adds to a column's name


@dataclass(frozen=True)
class GradeSheet:
    """Where grades go in a table.

    Args:
        people: the student of each row; rows without a student are left out.
        scores: the column of the grades.
        most: the highest possible grade, if the table gives it.
        ids: a second number of each student, such as the student office's.
        locked: rows whose grade must not change, with a word on why.
        comments: the column of feedback to the student, if there is one.
        keep: the columns to give back to the platform.
        is_capped: whether the platform refuses a grade above `most`.
        has_comma: whether the table writes its numbers with a decimal comma.
    """

    people: Mapping[int, Person]
    scores: int
    most: float | None
    keep: Sequence[int]
    ids: Mapping[int, str] = field(default_factory=dict)
    locked: Mapping[int, str] = field(default_factory=dict)
    comments: int | None = None
    is_capped: bool = False
    has_comma: bool = False


@dataclass(frozen=True)
class Platform:
    """How one platform's table is recognised, by its header, and read."""

    name: str
    stem: str
    table: str
    recognises: Callable[[Row], bool]
    sheet: Callable[[Table, str | None, Sequence[str]], GradeSheet]


def cell(row: Row, column: int | None) -> str:
    """Return a cell without surrounding blanks; "" if the row is too short or the column is None."""
    return row[column].strip() if column is not None and column < len(row) else ""


def column_of(header: Row, *names: str) -> int | None:
    """Return the first column that has one of `names`, ignoring case; None if there is none."""
    folded = [name.strip().casefold() for name in header]
    return next((folded.index(name.casefold()) for name in names if name.casefold() in folded), None)


def number(text: str) -> float | None:
    """Return the number in a cell, with a decimal point or comma; None if it holds none."""
    found = re.fullmatch(r"\s*(-?\d+)(?:[.,](\d+))?\s*", text)
    return float(f"{found[1]}.{found[2] or 0}") if found else None


def choose(columns: Mapping[int, str], wanted: str | None, fitting: Sequence[str]) -> int:
    """Return the column to fill: the one that is `wanted`, else the only one, else the only one whose name fits.

    Args:
        columns: the names of the assignments' columns.
        fitting: words to look for in the names; the first that any name contains decides.

    Raises:
        UsageError: no column fits, or several; the message offers their names.
    """
    if not columns:
        raise UsageError(
            "the table has no column of an assignment; make the assignment on the platform and export again"
        )
    if wanted is not None:
        fits = _wanted(columns, wanted.strip())
    elif len(columns) == 1:
        return next(iter(columns))
    else:
        hits = ([number for number, name in columns.items() if contains_words(name, word)] for word in fitting)
        fits = next(filter(None, hits), [])
    if len(fits) == 1:
        return fits[0]
    names = join_names([columns[number] for number in (fits or columns)])
    if wanted is not None:
        problem = f"--column '{one_line(wanted)}' is in the name of {'several columns' if fits else 'no column'}"
    else:
        problem = "several columns fit" if fits else "no column's name fits"
    raise UsageError(f"{problem}; give --column one of {names}")


def _wanted(columns: Mapping[int, str], wanted: str) -> list[int]:
    """Return the columns of exactly this name, else those with these words in it, else with this text in it."""
    exact = [number for number, name in columns.items() if wanted in (name, ADDED.sub("", name))]
    words = [number for number, name in columns.items() if contains_words(name, wanted.casefold())]
    return exact or words or [number for number, name in columns.items() if wanted.casefold() in name.casefold()]
