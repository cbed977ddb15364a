"""The gradebook of Canvas: identifying columns, then one column "Name (12345)" for each assignment.

The importer finds the column by the number in its name and the student by `ID`. It needs `Section` before the first
assignment, takes a decimal point or comma, and imports every change, so only our column goes back.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from autograder.classroom.person import Person
from autograder.classroom.roster import is_test_student
from autograder.core.table import Table
from autograder.platforms.sheet import GradeSheet, Platform, cell, choose, column_of, number

ABOUT = ("Student", "LastName", "FirstName", "ID", "SIS User ID", "SIS Login ID", "Integration ID", "Root Account")
ASSIGNMENT = re.compile(r".*\(\d+\)")
LOCKED = {"EX": "excused for", "N/A": "not assigned to"}


def sheet(table: Table, wanted: str | None, fitting: Sequence[str]) -> GradeSheet:
    """Read the gradebook, without the test student.

    Raises:
        UsageError: no column fits, or several.
    """
    header = table.header
    section = column_of(header, "Section") or 0
    columns = {n: name.strip() for n, name in enumerate(header) if n > section and ASSIGNMENT.fullmatch(name.strip())}
    scores = choose(columns, wanted, fitting, "Chapter 1 (12345)")
    possible = next((row for row in table.rows[1:] if "Points Possible" in cell(row, 0)), ())
    people = _people(table)
    about = [n for n in range(section + 1) if n == section or header[n].strip() in ABOUT]
    return GradeSheet(
        people=people,
        scores=scores,
        most=number(cell(possible, scores)),
        has_comma="," in cell(possible, scores),
        keep=[*about, scores],
        above="Canvas takes them as they are",
        locked={row: LOCKED[mark] for row in people if (mark := cell(table.rows[row], scores).upper()) in LOCKED},
    )


def _people(table: Table) -> Mapping[int, Person]:
    header = table.header
    last, first = column_of(header, "LastName"), column_of(header, "FirstName")
    login, number_, sis = (column_of(header, title) for title in ("SIS Login ID", "ID", "SIS User ID"))
    found = {}
    for row, cells in enumerate(table.rows):
        name = ", ".join(filter(None, [cell(cells, last), cell(cells, first)])) or cell(cells, 0)
        person = Person(name, cell(cells, number_), cell(cells, login), sis=cell(cells, sis))
        if row and person.id and not is_test_student(person):
            found[row] = person
    return found


NEEDS = (("Student", "LastName"), ("ID",), ("Section",))
CANVAS = Platform("Canvas", "canvas", "the gradebook (Grades, Export)", NEEDS, sheet, has_points=True)
