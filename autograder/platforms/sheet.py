"""What a platform's table holds, in the same terms for every platform."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from autograder.classroom.person import Person
from autograder.classroom.roster_table import plain_title
from autograder.core.errors import UsageError
from autograder.core.table import Row, Table
from autograder.core.text import join_names, one_line
from autograder.course.titles import contains_words

ADDED = re.compile(r"\s*(\(\d+\)|\[Total Pts:.*|Points Grade( <[^<>]*>)?)$")  # what a platform adds to a column's name


@dataclass(frozen=True)
class GradeSheet:
    """Where grades go in a table.

    Args:
        people: the student of each row; rows without a student are left out.
        scores: the column of the grades.
        most: the highest possible grade, if the table gives it.
        locked: rows whose grade must not change, with a word on why.
        comments: the column of feedback to the student, if there is one.
        keep: the columns to give back to the platform.
        stamps: what to write besides into each row that is filled, by column.
        is_capped: whether the platform refuses a grade above `most`.
        has_comma: whether the table writes its numbers with a decimal comma.
        above: what the platform does with a grade above `most` that it does not refuse.
    """

    people: Mapping[int, Person]
    scores: int
    most: float | None
    keep: Sequence[int]
    locked: Mapping[int, str] = field(default_factory=dict)
    comments: int | None = None
    stamps: Mapping[int, str] = field(default_factory=dict)
    is_capped: bool = False
    has_comma: bool = False
    above: str = "look after the import whether the platform keeps them"


@dataclass(frozen=True)
class Platform:
    """How one platform's table is recognised and read.

    Args:
        name: as people call the platform; `stem` names the file that is written.
        table: what to export there.
        needs: the columns by which the table is recognised, each with all its titles.
        sheet: reads the table, for the column that is wanted, or else fits these words.
        then: what to do with the file that is written, if it cannot be imported as it is.
        has_points: whether the platform itself separates by commas and writes decimal points.
    """

    name: str
    stem: str
    table: str
    needs: Sequence[Sequence[str]]
    sheet: Callable[[Table, str | None, Sequence[str]], GradeSheet]
    then: str = ""
    has_points: bool = False

    def lacking(self, header: Row) -> list[str]:
        """Return the first title of each column that is needed and not there."""
        return [titles[0] for titles in self.needs if column_of(header, *titles) is None]


def cell(row: Row, column: int | None) -> str:
    """Return a cell without surrounding blanks; "" if the row is too short or the column is None."""
    return row[column].strip() if column is not None and column < len(row) else ""


def column_of(header: Row, *names: str) -> int | None:
    """Return the first column that has one of `names`, as `plain_title` sees them; None if there is none."""
    plain = [plain_title(name) for name in header]
    return next((plain.index(name) for name in map(plain_title, names) if name in plain), None)


def has_comma(table: Table, column: int) -> bool:
    """Return whether the numbers in a column have a decimal comma, as is usual where ";" separates."""
    written = "".join(text for row in table.rows[1:] if number(text := cell(row, column)) is not None)
    return "," in written or (table.dialect.delimiter == ";" and "." not in written)


def students_of(
    table: Table, titles: Mapping[str, Sequence[str]], key: Sequence[str], sign: str = ""
) -> dict[int, Person]:
    """Return the student of each row that has one of the `key` fields.

    Args:
        titles: the titles of the column of each field of a `Person`, and of "first" and "last" names.
        sign: what stands before numbers and logins.
    """
    columns = {field: column_of(table.header, *names) for field, names in titles.items()}
    found = {}
    for row, cells in enumerate(table.rows):
        told = {field: cell(cells, column) for field, column in columns.items()}
        name = " ".join(filter(None, (told.pop("first", ""), told.pop("last", ""))))
        told = {field: text.removeprefix(sign) if field in ("id", "login") else text for field, text in told.items()}
        if row and any(told[field] for field in key):
            found[row] = Person(name, **told)
    return found


def number(text: str) -> float | None:
    """Return the number in a cell, with a decimal point or comma; None if it holds none."""
    found = re.fullmatch(r"\s*(-?\d+)(?:[.,](\d+))?\s*", text)
    return float(f"{found[1]}.{found[2] or 0}") if found else None


def choose(columns: Mapping[int, str], wanted: str | None, fitting: Sequence[str], form: str) -> int:
    """Return the column to fill: the one that is `wanted`, else the only one, else the only one whose name fits.

    Args:
        columns: the names of the assignments' columns.
        fitting: words to look for in the names; the first that any name contains decides.
        form: how the platform titles such a column.

    Raises:
        UsageError: no column fits, or several; the message offers their names.
    """
    if not columns:
        raise UsageError(
            f"it has no column of an assignment, with a title such as {form}; make the assignment on the platform and "
            "export again, with its points"
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
