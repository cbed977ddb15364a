"""The grades of Brightspace (D2L), exported as CSV: who it is, a column for each item, and a last one of signs.

The title of a numeric item is `Chapter 1 Points Grade <Numeric MaxPoints:8 Weight:10>`. Numbers and logins begin with
"#", and the column `End-of-Line Indicator` holds nothing else, so that spreadsheets leave both alone. The importer
finds the student by `OrgDefinedId` or `Username` and the item by its name, and cuts off grades above the highest by
itself. It takes every item that it is given, and wants no names and addresses, so only ours goes back, with the keys.

Sources: https://community.d2l.com/brightspace/kb/articles/3538-importing-grades and the manual's older form at
https://boris.sdbor.edu/d2ldocs/InstructorHelp_201912/le/grades/instructor/importing_grades.htm; for titles and signs,
webwork_grades_to_brightspace/webwork_grades_to_brightspace.py of christopherphan/brightspace-scripts, which writes such
files. D2L's own code is not public.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from autograder.core.table import Table
from autograder.platforms.sheet import GradeSheet, Platform, choose, column_of, has_comma, number, students_of

COLUMN = re.compile(r".* Points Grade(?: <Numeric\b(?P<about>[^<>]*)>)?", re.DOTALL)
MOST = re.compile(r"MaxPoints:([\d.,]+)")
KEYS = ("OrgDefinedId", "Username")
END = "End-of-Line Indicator"
SIGN = "#"

PEOPLE = {
    **{"id": ("OrgDefinedId",), "login": ("Username",), "email": ("Email",)},
    **{"last": ("Last Name",), "first": ("First Name",)},
}


def sheet(table: Table, wanted: str | None, fitting: Sequence[str]) -> GradeSheet:
    """Read the grades.

    Raises:
        UsageError: no column fits, or several.
    """
    header = table.header
    columns = {n: name.strip() for n, name in enumerate(header) if COLUMN.fullmatch(name.strip())}
    scores = choose(columns, wanted, fitting, "Chapter 1 Points Grade <Numeric MaxPoints:8>")
    most = MOST.search(columns[scores])
    kept = {scores, *(column_of(header, title) for title in (*KEYS, END))}
    return GradeSheet(
        people=students_of(table, PEOPLE, ("id", "login"), SIGN),
        scores=scores,
        most=number(most[1]) if most else None,
        keep=[n for n in range(len(header)) if n in kept],
        has_comma=has_comma(table, scores),
        above="Brightspace cuts them off, unless the item allows more (Can Exceed)",
    )


NEEDS = (KEYS, (END,))
BRIGHTSPACE = Platform(
    "Brightspace", "brightspace", "the grades (Export, Points grade, CSV)", NEEDS, sheet, has_points=True
)
