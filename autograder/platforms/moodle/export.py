"""The grading worksheet of a Moodle assignment.

The importer finds the student by `Identifier`, and silently skips a grade above the maximum or of a row that may not
be changed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from autograder.classroom.person import Person
from autograder.classroom.roster_table import COLUMNS
from autograder.core.errors import UsageError
from autograder.core.table import Table
from autograder.platforms.sheet import GradeSheet, Platform, cell, column_of, number

# As in the language packs of Moodle for English, German, French and Spanish (lang/*/assign.php).
IDENTIFIER = ("Identifier", "ID", "Identifiant", "Identificador")
GRADE = ("Grade", "Bewertung", "Note", "Calificación")
MOST = ("Maximum Grade", "Bestwertung", "Note maximale", "Calificación máxima")
SCALES = ("Scale", "Skala", "Barème", "Escala")
CHANGEABLE = (
    *("Grade can be changed", "Bewertung kann geändert werden", "La note peut être modifiée"),
    *("La calificación puede ser cambiada", "La calificación puede cambiarse"),
)
COMMENTS = (
    *("Feedback comments", "Feedback als Kommentar", "Feedback par commentaires"),
    "Comentarios de retroalimentación",
)
NO = ("no", "nein", "non")
NUMBER = re.compile(r"\d*$")  # what follows "Participant ", which German and French write otherwise
SCALE = "the assignment is graded by a scale of words; let it have points, and download the worksheet again"


def sheet(table: Table, wanted: str | None, fitting: Sequence[str]) -> GradeSheet:  # noqa: ARG001 one column only
    """Read the worksheet, which has the column of a single assignment.

    Raises:
        UsageError: the assignment has no points.
    """
    header = table.header
    changeable, most = column_of(header, *CHANGEABLE), column_of(header, *MOST)
    if column_of(header, *SCALES) is not None:
        raise UsageError(SCALE)
    people = _people(table)
    highest = next((cell(table.rows[row], most) for row in people), "")
    return GradeSheet(
        people=people,
        scores=column_of(header, *GRADE) or 0,
        most=number(highest),
        has_comma="," in highest,
        keep=range(len(header)),
        locked={row: "closed for" for row in people if cell(table.rows[row], changeable).casefold() in NO},
        comments=column_of(header, *COMMENTS),
        is_capped=True,
    )


def _people(table: Table) -> Mapping[int, Person]:
    header = table.header
    identifier = column_of(header, *IDENTIFIER)
    office = tuple(title for title in COLUMNS["id"] if title != "id")
    about = [column_of(header, *titles) for titles in (COLUMNS["login"], COLUMNS["email"], office)]
    name = column_of(header, *COLUMNS["name"])
    return {
        row: Person(cell(cells, name), _number(cell(cells, identifier)), *(cell(cells, each) for each in about))
        for row, cells in enumerate(table.rows)
        if row and cell(cells, identifier)
    }


def _number(identifier: str) -> str:
    found = NUMBER.search(identifier)
    return found[0] if found else ""


NEEDS = (IDENTIFIER, GRADE, CHANGEABLE)
MOODLE = Platform("Moodle", "moodle", "the grading worksheet of the assignment", NEEDS, sheet)
