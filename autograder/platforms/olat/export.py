"""The table of a course element in the assessment tool of OLAT and OpenOLAT, with a row for each participant.

OLAT exports it as a workbook only, so that it has to be saved as CSV. What it takes back is pasted into the bulk
assessment: lines with a user, a score and more, which it splits at every tab or comma, without quotes. So a spreadsheet
is the way between, and user and score become its first two columns.

Sources: src/main/java/org/olat/course/assessment/bulk/{DataStepForm,ChooseColumnsStepForm,ValidationStepForm}.java,
.../course/assessment/ui/tool/IdentityListCourseNodeTableModel.java and, for titles, the LocalStrings of
course/assessment and modules/assessment/ui in English and German, of OpenOLAT/OpenOLAT.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autograder.classroom.person import Person
from autograder.classroom.roster_table import COLUMNS
from autograder.core.table import Table
from autograder.platforms.sheet import GradeSheet, Platform, cell, column_of, has_comma, number

LOGIN = ("Username", "User name", "Benutzername")
SCORE = ("Score", "Punkte")
MOST = ("Max.", "Max. score", "Max. Punkte")


def sheet(table: Table, wanted: str | None, fitting: Sequence[str]) -> GradeSheet:  # noqa: ARG001 one column only
    """Read the table, which has the column of a single course element."""
    header = table.header
    login, scores, most = (column_of(header, *titles) or 0 for titles in (LOGIN, SCORE, MOST))
    people = _people(table)
    highest = next((cell(table.rows[row], most) for row in people), "")
    return GradeSheet(
        people=people,
        scores=scores,
        most=number(highest) if column_of(header, *MOST) is not None else None,
        keep=[login, scores, *(n for n in range(len(header)) if n not in (login, scores))],
        has_comma=has_comma(table, scores),
    )


def _people(table: Table) -> Mapping[int, Person]:
    login = column_of(table.header, *LOGIN)
    last, first, email, office = (column_of(table.header, *COLUMNS[kind]) for kind in ("last", "first", "email", "id"))
    return {
        row: Person(
            name=" ".join(filter(None, [cell(cells, first), cell(cells, last)])),
            login=cell(cells, login),
            email=cell(cells, email),
            sis=cell(cells, office),
        )
        for row, cells in enumerate(table.rows)
        if row and cell(cells, login)
    }


NEEDS = (LOGIN, SCORE)
THEN = (
    "for OLAT, open it in a spreadsheet, copy the first two columns without the header, and paste them into the bulk "
    "assessment, separated by tabs"
)
OLAT = Platform("OLAT", "olat", "the participants of the course element, saved as CSV", NEEDS, sheet, THEN)
