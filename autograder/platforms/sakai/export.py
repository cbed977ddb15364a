"""The `grades.csv` of a Sakai assignment, which lies in the download of all submissions.

The first line has the assignment's title and how it is graded, the second is empty, and the third is the header. The
importer, Upload All, wants the file in a zip, skips three lines, and then goes by position: the second cell is the
user's `ID`, a login, and the fifth the grade, in the site's own notation, with a decimal comma where ";" separates.
`Display ID` may be another number. The highest grade is not in the file, nor are comments.

Sources: assignment/tool/src/java/org/sakaiproject/assignment/tool/AssignmentAction.java and
assignment/impl/src/java/org/sakaiproject/assignment/impl/SpreadsheetExporter.java of sakaiproject/sakai.
"""

from __future__ import annotations

from collections.abc import Sequence

from autograder.core.errors import UsageError
from autograder.core.table import Table
from autograder.core.text import one_line
from autograder.platforms.sheet import GradeSheet, Platform, cell, column_of, has_comma, students_of

GRADE = ("grade", "Mark")
KIND, POINTS = "_GRADE_TYPE", "SCORE_GRADE_TYPE"  # Sakai's own names; "Points" in older versions

PEOPLE = {"sis": ("Display ID",), "login": ("ID",), "last": ("Last Name",), "first": ("First Name",)}


def sheet(table: Table, wanted: str | None, fitting: Sequence[str]) -> GradeSheet:  # noqa: ARG001 one column only
    """Read the file, which has the column of a single assignment.

    Raises:
        UsageError: the assignment is not graded in points.
    """
    kind = cell(table.above[0], 1) if table.above else ""
    if kind.endswith(KIND) and kind != POINTS:
        raise UsageError(f"the assignment is graded by {one_line(kind)}; let it have points, and download it again")
    scores = column_of(table.header, *GRADE) or 0
    return GradeSheet(
        people=students_of(table, PEOPLE, ("login",)),
        scores=scores,
        most=None,
        keep=range(len(table.header)),
        has_comma=has_comma(table, scores),
    )


NEEDS = (("Display ID",), ("ID",), GRADE)
THEN = "for Sakai, name it grades.csv, put it into a zip, and give that to Upload All, with only the grade file chosen"
SAKAI = Platform("Sakai", "sakai", "the grades.csv in the download of all submissions", NEEDS, sheet, THEN)
