"""The grading worksheet of a Moodle assignment.

The importer finds the student by `Identifier`, and silently skips a grade above the maximum or of a row that may not
be changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autograder.classroom.person import Person
from autograder.core.errors import UsageError
from autograder.platforms.sheet import Platform, Sheet, cell, column_of, number
from autograder.platforms.table import Row, Table

PARTICIPANT = "Participant "
SCALE = "the assignment is graded by a scale of words; let it have points, and download the worksheet again"


def recognises(header: Row) -> bool:
    return None not in (column_of(header, "Identifier"), column_of(header, "Grade"))


def sheet(table: Table, wanted: str | None, fitting: Sequence[str]) -> Sheet:  # noqa: ARG001 one column only
    """Read the worksheet, which has the column of a single assignment.

    Raises:
        UsageError: the assignment has no points.
    """
    header = table.header
    changeable, most = column_of(header, "Grade can be changed"), column_of(header, "Maximum Grade", "Maximum grade")
    if column_of(header, "Scale") is not None:
        raise UsageError(SCALE)
    people = _people(table)
    office = column_of(header, "ID number")
    highest = next((cell(table.rows[row], most) for row in people), "")
    return Sheet(
        people=people,
        scores=column_of(header, "Grade") or 0,
        most=number(highest),
        has_comma="," in highest,
        keep=range(len(header)),
        ids={row: cell(table.rows[row], office) for row in people},
        locked={row: "closed for" for row in people if cell(table.rows[row], changeable).casefold() == "no"},
        comments=column_of(header, "Feedback comments"),
        is_capped=True,
    )


def _people(table: Table) -> Mapping[int, Person]:
    header = table.header
    identifier, name = column_of(header, "Identifier"), column_of(header, "Full name")
    email, login = column_of(header, "Email address"), column_of(header, "Username")
    return {
        row: Person(
            name=cell(cells, name),
            id=cell(cells, identifier).removeprefix(PARTICIPANT),
            login=cell(cells, login),
            email=cell(cells, email),
        )
        for row, cells in enumerate(table.rows)
        if row and cell(cells, identifier)
    }


MOODLE = Platform("Moodle", "moodle", "the grading worksheet of the assignment", recognises, sheet)
