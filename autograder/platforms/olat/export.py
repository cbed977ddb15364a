"""The table of a course element in the assessment tool of OLAT and OpenOLAT, with a row for each participant.

OLAT exports it as a workbook only, so that it has to be saved as CSV. What it takes back is pasted into the bulk
assessment: lines with a user, a score and more, which it splits at every tab or comma, without quotes. So a spreadsheet
is the way between, and user and score become its first two columns.

Sources: src/main/java/org/olat/course/assessment/bulk/{DataStepForm,ChooseColumnsStepForm,ValidationStepForm}.java,
.../course/assessment/ui/tool/IdentityListCourseNodeTableModel.java and, for titles, the LocalStrings of
course/assessment and modules/assessment/ui in English and German, of OpenOLAT/OpenOLAT.
"""

from __future__ import annotations

from collections.abc import Sequence

from autograder.classroom.roster_table import COLUMNS
from autograder.core.table import Table
from autograder.platforms.sheet import GradeSheet, Platform, cell, column_of, has_comma, number, students_of

LOGIN = ("Username", "User name", "Benutzername")
SCORE = ("Score", "Punkte")
MOST = ("Max.", "Max. score", "Max. Punkte")

PEOPLE = {"login": LOGIN, "sis": COLUMNS["id"], **{kind: COLUMNS[kind] for kind in ("last", "first", "email")}}


def sheet(table: Table, wanted: str | None, fitting: Sequence[str]) -> GradeSheet:  # noqa: ARG001 one column only
    """Read the table, which has the column of a single course element."""
    header = table.header
    login, scores, most = (column_of(header, *titles) or 0 for titles in (LOGIN, SCORE, MOST))
    students = students_of(table, PEOPLE, ("login",))
    highest = next((cell(table.rows[row], most) for row in students), "")
    return GradeSheet(
        people=students,
        scores=scores,
        most=number(highest) if column_of(header, *MOST) is not None else None,
        keep=[login, scores, *(n for n in range(len(header)) if n not in (login, scores))],
        has_comma=has_comma(table, scores),
    )


NEEDS = (LOGIN, SCORE)
THEN = (
    "for OLAT, open it in a spreadsheet, copy the first two columns without the header, and paste them into the bulk "
    "assessment, separated by tabs"
)
OLAT = Platform("OLAT", "olat", "the participants of the course element, saved as CSV", NEEDS, sheet, THEN)
