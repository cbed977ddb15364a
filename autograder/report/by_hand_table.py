"""Write by_hand.csv: new rows are added and the grader's own cells renewed; a person's cells stay as they are."""

from __future__ import annotations

import codecs
import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from autograder.classroom import by_hand
from autograder.classroom.by_hand import ABOUT, EXERCISE, FILLED_IN, HandTable, owner_of
from autograder.classroom.grades import Grade
from autograder.classroom.register import Register
from autograder.core import files
from autograder.core.errors import UsageError
from autograder.core.records import SubmissionResult
from autograder.core.table import Dialect, Row, Table
from autograder.course.model import Exercise
from autograder.report.outputs import cell

EARNED, MOST, WAITS = "earned", "most", "waits"
RENEWED = (EARNED, MOST, WAITS)
HEADER = (*ABOUT, EXERCISE, *RENEWED, *FILLED_IN)
DIALECT = Dialect(codecs.BOM_UTF8, "utf-8", ",", csv.QUOTE_MINIMAL, "\r\n")
EMPTY = HandTable(Table([HEADER], DIALECT), 0, {name: number for number, name in enumerate(HEADER)})
Cells = Mapping[str, str]
Key = tuple[str, str]
"""A student and an exercise."""


@dataclass(frozen=True)
class ClassInHand:
    """A class whose table is written.

    Args:
        grades: of all students.
        results: what the checks gave, by the stem of the submission.
    """

    register: Register
    grades: Sequence[Grade]
    results: Mapping[str, SubmissionResult]
    exercises: Sequence[Exercise]

    def cells(self) -> dict[Key, Cells]:
        """Return what the grader writes about each student and exercise, in the order of the class."""
        grades = {grade.student: grade for grade in self.grades}
        students = dict.fromkeys(row.student for row in self.register.everybody)
        shown = [grades[student] for student in students if student in grades]
        return {(grade.student, each.name): self._cells(grade, each) for grade in shown for each in self.exercises}

    def _cells(self, grade: Grade, exercise: Exercise) -> Cells:
        result = self.results.get(grade.stem)
        earned = {each.exercise: each.score for each in result.exercises} if result else {}
        waits = grade.result is not None and exercise.name not in grade.exercises
        points = "" if waits or exercise.name not in earned else cell(float(earned[exercise.name]))
        why = "; ".join(grade.held) or "the grader failed on it"
        values = {EARNED: points, MOST: cell(float(exercise.points)), WAITS: why if waits else ""}
        person = {name: getattr(grade.person, name) for name in ABOUT[1:]}
        about = {ABOUT[0]: grade.student, **person, EXERCISE: exercise.name}
        return {name: str(cell(value)) for name, value in (about | values).items()}


def write(out: Path, class_: ClassInHand) -> None:
    """Write by_hand.csv, unless a person left it in a form that cannot be read: then it stays as it is.

    Raises:
        UsageError: the place cannot be written to.
    """
    try:
        found = by_hand.read(out) or EMPTY
    except UsageError:
        return
    made = Table(_rows(found, class_), _in_unicode(found.table.dialect))
    files.write(out / by_hand.NAME, made.encoded())


def _in_unicode(dialect: Dialect) -> Dialect:
    """Return a dialect that can hold every name."""
    is_unicode = dialect.encoding.startswith("utf")
    return dialect if is_unicode else replace(dialect, bom=DIALECT.bom, encoding=DIALECT.encoding)


def _rows(found: HandTable, class_: ClassInHand) -> list[Row]:
    """Return the rows of the table, those of students and exercises that are not there any more left out if empty."""
    known, owner = class_.cells(), owner_of(class_.register.everybody)
    rows, there = list(found.table.rows[: found.top + 1]), set[Key]()
    blank, names = [""] * len(rows[found.top]), (*ABOUT, EXERCISE, *RENEWED)
    for _, row in found.below():
        students = owner(found, row)
        mine = [(student, found.cell(row, EXERCISE)) for student in students]
        if len(mine) == 1 and mine[0] in known:
            there.add(mine[0])
            rows.append(_renewed(found, row, known[mine[0]]))
        elif found.is_filled_in(row):
            rows.append(row)
    return [*rows, *(_renewed(found, blank, cells, names) for key, cells in known.items() if key not in there)]


def _renewed(found: HandTable, row: Row, cells: Cells, names: Sequence[str] = RENEWED) -> Row:
    """Return a row with the grader's cells in the columns of these names that the table still has."""
    new = list(row)
    for name in names:
        column = found.columns.get(name)
        if column is not None:
            new.extend([""] * (column + 1 - len(new)))
            new[column] = cells[name].replace(".", ",") if name in (EARNED, MOST) and _has_comma(found) else cells[name]
    return new


def _has_comma(found: HandTable) -> bool:
    """Return whether the table is of a spreadsheet that writes numbers with a comma."""
    return found.table.dialect.delimiter == ";"
