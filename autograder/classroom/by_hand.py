"""by_hand.csv: a table in which a person gives points, writes comments and decides, with any spreadsheet.

It has a row for each student and exercise. A person fills in three columns; all others are written by
`report.by_hand_table`. What stands there counts like policy.toml, and before it where both speak of the same exercise.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from autograder.classroom import policy
from autograder.classroom.policy import Adjustment, NamedStudent, Policy, whom
from autograder.core import table
from autograder.core.errors import UsageError
from autograder.core.table import Row, Table, harmless
from autograder.core.text import join_names, one_line

NAME = "by_hand.csv"
ABOUT = ("student", "id", "login", "email")
"""The columns that tell whose a row is."""
EXERCISE, POINTS, COMMENT, DECISION = "exercise", "points", "comment", "decision"
FILLED_IN = (POINTS, COMMENT, DECISION)
"""The columns that a person fills in."""
DECIDED = ("decided", "yes", "true", "x", "wahr", "vrai", "verdadero")  # spreadsheets translate TRUE
NUMBER = re.compile(r"([0-9]+)(?:[.,]([0-9]+))?")
MOST_SHOWN = 20  # problems


@dataclass(frozen=True)
class HandTable:
    """The table as a person left it: its cells, the index of its header, and the index of each known column."""

    table: Table
    top: int
    columns: Mapping[str, int]

    def cell(self, row: Row, name: str) -> str:
        """Return the cell of a column; "" if the table has no such column, or the row no such cell."""
        column = self.columns.get(name)
        return row[column].strip() if column is not None and column < len(row) else ""

    def is_filled_in(self, row: Row) -> bool:
        return any(self.cell(row, name) for name in FILLED_IN)

    def below(self) -> Iterator[tuple[int, Row]]:
        """Yield each row below the header with its number in a spreadsheet."""
        yield from enumerate(self.table.rows[self.top + 1 :], start=self.top + 2)


@dataclass(frozen=True)
class HandRow:
    """What a person decided about one exercise of one student; `number` is the row in a spreadsheet."""

    number: int
    student: str
    exercise: str
    points: float | None
    comment: str
    stands: bool

    @property
    def says(self) -> tuple[float | None, str, bool]:
        return self.points, self.comment, self.stands


def read(out: Path) -> HandTable | None:
    """Return the table in `out`; None if there is none.

    Raises:
        UsageError: it cannot be read, or lacks the columns that tell what a row is about, or has one of them twice.
    """
    path = out / NAME
    if not path.is_file():
        return None
    for found in table.read(path):
        top = next((n for n, row in enumerate(found.rows) if any(row) and not row[0].startswith("sep=")), 0)
        titles = [title.strip().casefold() for title in found.rows[top]] if found.rows else []
        if EXERCISE in titles and any(name in titles for name in ABOUT):
            known = (*ABOUT, EXERCISE, *FILLED_IN)
            if twice := [name for name in known if titles.count(name) > 1]:
                raise UsageError(f"{path} has the column {join_names(twice)} twice; delete or rename one")
            return HandTable(found, top, {title: n for n, title in enumerate(titles) if title})
    remedy = "undo what removed them, or delete the file, and it is written anew, empty"
    raise UsageError(f"{path} needs the columns {EXERCISE} and {join_names(ABOUT, last='or')} in its header; {remedy}")


def owner_of(rows: Iterable[NamedStudent]) -> Callable[[HandTable, Row], set[str]]:
    """Return a function that returns the students whom the cells of a row name: none, one, or several by mistake."""
    known = list(rows)
    meant = whom(known)
    words = {each for row in known for each in (row.student, row.person.id, row.person.login, row.person.email)}
    guarded = {harmless(word): word for word in words}

    def owner(found: HandTable, row: Row) -> set[str]:
        cells = filter(None, (found.cell(row, name) for name in ABOUT))
        told = [students for cell in cells if (students := meant(cell) or meant(guarded.get(cell, "")))]
        common = set[str].intersection(*told) if told else set[str]()
        return common if len(common) == 1 else set[str]().union(*told)

    return owner


def added(
    rules: Policy,
    out: Path,
    rows: Iterable[NamedStudent],
    most: Mapping[str, float] | None = None,
    left: Callable[[str], bool] = lambda _: False,
) -> tuple[Policy, list[str]]:
    """Return the policy with what a person wrote into by_hand.csv, and sentences on what takes precedence.

    Args:
        rules: the policy of policy.toml, with students under their names in grades.csv.
        most: the points of each exercise that is graded; None if that is not to be checked.
        left: whether an exercise is known but not graded, so that rows about it are left alone.

    Raises:
        UsageError: the table cannot be read; the message names row and column of all that is wrong in it.
    """
    found = read(out)
    if found is None:
        return rules, []
    problems = list[str]()
    apart = {number for number, row in found.below() if left(found.cell(row, EXERCISE))}
    filled = _once(list(_filled(found, owner_of(rows), most, problems, apart)), problems)
    if problems:
        more = f"; and {len(problems) - MOST_SHOWN} more" if len(problems) > MOST_SHOWN else ""
        raise UsageError(
            f"{out / NAME}: {'; '.join(problems[:MOST_SHOWN])}{more}; correct these cells, and run it again"
        )
    says = [sentence for each in filled for sentence in _precedence(each, rules.of(each.student))]
    students = {**rules.students}
    for each in filled:
        students[each.student] = _with(students.get(each.student, Adjustment()), each)
    return msgspec.structs.replace(rules, students=students), says


def _filled(
    found: HandTable,
    owner: Callable[[HandTable, Row], set[str]],
    most: Mapping[str, float] | None,
    problems: list[str],
    apart: Collection[int],
) -> Iterator[HandRow]:
    """Yield the rows that a person filled in, but for those `apart`, and add what is wrong in them to `problems`."""
    for number, row in found.below():
        if number in apart or not found.is_filled_in(row):
            continue
        exercise, students = found.cell(row, EXERCISE), owner(found, row)
        wrong = [*_wrong_names(found, row, students, most), *_wrong_cells(found, row, most)]
        problems += [f"row {number}, {says}" for says in wrong]
        if not wrong:
            points, decision = _number(found.cell(row, POINTS)), found.cell(row, DECISION)
            yield HandRow(number, students.pop(), exercise, points, found.cell(row, COMMENT), bool(decision))


def _wrong_names(found: HandTable, row: Row, students: set[str], most: Mapping[str, float] | None) -> Iterator[str]:
    exercise = found.cell(row, EXERCISE)
    there = [name for name in ABOUT if found.cell(row, name)]
    if not students:
        who = one_line(found.cell(row, there[0])) if there else ""
        yield f"column {there[0] if there else ABOUT[0]}: no student of this class is called '{who}'"
    elif len(students) > 1:
        yield f"columns {join_names(there)}: they mean {join_names(sorted(students))}"
    if not exercise or (most is not None and exercise not in most):
        yield f"column {EXERCISE}: '{one_line(exercise)}' is not graded here"


def _wrong_cells(found: HandTable, row: Row, most: Mapping[str, float] | None) -> Iterator[str]:
    text, decision = found.cell(row, POINTS), found.cell(row, DECISION)
    points, highest = _number(text), (most or {}).get(found.cell(row, EXERCISE))
    if text and points is None:
        yield f"column {POINTS}: '{one_line(text)}' is no number of points"
    elif points is not None and highest is not None and points > highest:
        yield f"column {POINTS}: {points:g} is more than {highest:g}, the most for this exercise"
    if decision and decision.casefold() not in DECIDED:
        yield f"column {DECISION}: '{one_line(decision)}' is neither '{DECIDED[0]}' nor empty"


def _number(text: str) -> float | None:
    """Return the number in a cell, with a decimal point or comma; None if it holds none."""
    found = NUMBER.fullmatch(text)
    return float(f"{found[1]}.{found[2] or 0}") if found else None


def _once(rows: Sequence[HandRow], problems: list[str]) -> list[HandRow]:
    """Return one row for each student and exercise, and add rows that contradict each other to `problems`."""
    found: dict[tuple[str, str], HandRow] = {}
    for row in rows:
        first = found.setdefault((row.student, row.exercise), row)
        if first.says != row.says:
            whose = f"{row.exercise} of {one_line(row.student)}"
            problems.append(f"rows {first.number} and {row.number}: both are about {whose}, and differ")
    return list(found.values())


def _precedence(row: HandRow, own: Adjustment) -> Iterator[str]:
    """Yield sentences on what policy.toml says of the same exercise and does not count."""
    before, text = own.exercises.get(row.exercise), own.comments.get(row.exercise)
    whose = f"{row.exercise} of {one_line(row.student)}"
    if row.points is not None and before not in (None, row.points):
        yield f"{NAME} gives {row.points:g} points for {whose}, which count, and {policy.NAME} {before:g}"
    if row.comment and text not in (None, row.comment):
        yield f"{NAME} and {policy.NAME} have different comments on {whose}; that of {NAME} counts"


def _with(own: Adjustment, row: HandRow) -> Adjustment:
    stands = own.decided is not True and row.stands
    return msgspec.structs.replace(
        own,
        exercises=own.exercises | ({} if row.points is None else {row.exercise: row.points}),
        comments=own.comments | ({row.exercise: row.comment} if row.comment else {}),
        decided=tuple(sorted({*own.standing, row.exercise})) if stands else own.decided,
    )
