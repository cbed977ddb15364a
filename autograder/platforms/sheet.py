"""What a platform's table says, in the same words for every platform."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from autograder.classroom.person import Person
from autograder.core.errors import UsageError
from autograder.core.text import join_names, one_line
from autograder.platforms.table import Row, Table

WORD = re.compile(r"[^\W_]+")
ADDED = re.compile(r"\s*(\(\d+\)|\[Total Pts:.*)$")  # what a platform adds to a column's name


@dataclass(frozen=True)
class Sheet:
    """Where grades go in a table.

    Args:
        people: who is in which row; rows that are about nobody are not among them.
        scores: the column of the grades.
        most: the highest grade there, if the table says it.
        ids: a second number of each person's that the table has, such as the one of the student office.
        locked: rows whose grade the platform keeps, by what to say of them.
        comments: the column of what the student reads, if there is one.
        keep: the columns that go back to the platform.
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
    """How one platform's table is recognised and read; `recognises` is asked of the header."""

    name: str
    stem: str
    table: str
    recognises: Callable[[Row], bool]
    sheet: Callable[[Table, str | None, Sequence[str]], Sheet]


def cell(row: Row, column: int | None) -> str:
    """A cell without blanks around it; "" where the row is too short or there is no such column."""
    return row[column].strip() if column is not None and column < len(row) else ""


def column_of(header: Row, *names: str) -> int | None:
    """The first column that is called one of `names`, whatever its capitals."""
    folded = [name.strip().casefold() for name in header]
    return next((folded.index(name.casefold()) for name in names if name.casefold() in folded), None)


def number(text: str) -> float | None:
    """The number in a cell, with a point or a comma; None if it is none."""
    found = re.fullmatch(r"\s*(-?\d+)(?:[.,](\d+))?\s*", text)
    return float(f"{found[1]}.{found[2] or 0}") if found else None


def choose(columns: Mapping[int, str], wanted: str | None, fitting: Sequence[str]) -> int:
    """The column to fill: the one that is `wanted`, else the only one, else the only one whose name fits.

    Args:
        columns: those of assignments, by name.
        fitting: words of which one should be in the name; the first that is in any decides.

    Raises:
        UsageError: there is none, or several; the names are offered.
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
        hits = ([number for number, name in columns.items() if _says(name, word)] for word in fitting)
        fits = next(filter(None, hits), [])
    if len(fits) == 1:
        return fits[0]
    names = join_names([columns[number] for number in (fits or columns)])
    if wanted is not None:
        says = f"--column '{one_line(wanted)}' is in the name of {'several columns' if fits else 'no column'}"
    else:
        says = "several columns could be meant" if fits else "no column's name says that it is meant"
    raise UsageError(f"{says}; give --column one of {names}")


def _wanted(columns: Mapping[int, str], wanted: str) -> list[int]:
    """The columns of just this name, else those that have it among their words, else as a part of one."""
    exact = [number for number, name in columns.items() if wanted in (name, ADDED.sub("", name))]
    words = [number for number, name in columns.items() if _says(name, wanted.casefold())]
    return exact or words or [number for number, name in columns.items() if wanted.casefold() in name.casefold()]


def _says(name: str, word: str) -> bool:
    """Whether a column has these words in its name, whatever stands between them."""
    own, wanted = (" ".join(WORD.findall(text.casefold())) for text in (name, word))
    return bool(wanted) and f" {wanted} " in f" {own} "
