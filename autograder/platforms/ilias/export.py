"""The status file of an ILIAS exercise, `status.csv`, which lies in the download for multi-feedback.

ILIAS itself exports marks as a workbook and imports none. The plugin ExerciseStatusFile adds the file to the download,
as `status.xlsx` too, and reads it again from the zip that is uploaded as multi-feedback: all columns in their order,
and the rows whose `update` is not 0. With the mark it takes `status`, which stays as it is here, and `comment`, which
the student reads. The highest mark is not in the file. For teams it has a row for each team instead.

Sources: classes/class.ilPluginExAssignmentStatusFile.php and README.md of ilifau/ExerciseStatusFile.
"""

from __future__ import annotations

from collections.abc import Sequence

from autograder.core.errors import UsageError
from autograder.core.table import Table
from autograder.platforms.sheet import GradeSheet, Platform, column_of, has_comma, students_of

TEAM = "team_id"
NEEDS = (("update",), ("usr_id", TEAM), ("status",), ("mark",), ("comment",))
TEAMS = "it has a row for each team, and a team has no grade of its own here; enter these marks by hand"

PEOPLE = {"id": ("usr_id",), "login": ("login",), "last": ("lastname",), "first": ("firstname",)}


def sheet(table: Table, wanted: str | None, fitting: Sequence[str]) -> GradeSheet:  # noqa: ARG001 one column only
    """Read the file, which has the column of a single assignment.

    Raises:
        UsageError: it is about teams.
    """
    header = table.header
    if column_of(header, TEAM) is not None:
        raise UsageError(TEAMS)
    scores = column_of(header, "mark") or 0
    return GradeSheet(
        people=students_of(table, PEOPLE, ("id",)),
        scores=scores,
        most=None,
        keep=range(len(header)),
        comments=column_of(header, "comment"),
        stamps={column_of(header, "update") or 0: "1"},
        has_comma=has_comma(table, scores),
    )


THEN = "for ILIAS, put it into the multi-feedback zip as status.csv, take status.xlsx out, and upload that"
ILIAS = Platform("ILIAS", "ilias", "the status.csv of the plugin ExerciseStatusFile", NEEDS, sheet, THEN)
