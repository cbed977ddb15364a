"""The gradebook of Blackboard, downloaded to work offline: UTF-16 with tabs (.xls), or commas (.csv).

The upload finds the student by `Username` and the column by the number after "|".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from autograder.core.table import Table
from autograder.platforms.sheet import GradeSheet, Platform, choose, number, students_of

COLUMN = re.compile(r".*\[Total Pts: (?P<most>[\d.,]+)[^\]]*\]\s*(\|\s*\d+)?")  # "up to 100" marks a sum

PEOPLE = {"id": ("Student ID",), "login": ("Username",), "last": ("Last Name",), "first": ("First Name",)}


def sheet(table: Table, wanted: str | None, fitting: Sequence[str]) -> GradeSheet:
    """Read the gradebook.

    Raises:
        UsageError: no column fits, or several.
    """
    header = table.header
    columns = {n: name.strip() for n, name in enumerate(header) if COLUMN.fullmatch(name.strip())}
    scores = choose(columns, wanted, fitting, "Chapter 1 [Total Pts: 100 Score] |123456")
    most = COLUMN.fullmatch(columns[scores])
    return GradeSheet(
        people=students_of(table, PEOPLE, ("login",)),
        scores=scores,
        most=number(most["most"]) if most else None,
        keep=range(len(header)),
        above="Blackboard takes them as they are",
    )


NEEDS = (("Username",), ("Last Name",))
BLACKBOARD = Platform("Blackboard", "blackboard", "the gradebook (work offline, download)", NEEDS, sheet)
