"""A class of sixty on each platform: what stands in its table is what grades.csv says, in the platform's points."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import NamedTuple

import pytest

from autograder.classroom import register
from autograder.classroom.person import Person
from autograder.classroom.register import Register, RegisterRow
from autograder.grading import book
from autograder.platforms.export import export
from autograder.report.outputs import write_csv, write_result
from tests.autograder.graded_class import exercise, result

NUMBER = 60
MOST = 8
CLASS = [Person(f"Ada Lovelace {n}", str(1000 + n), f"ada{n}", f"ada{n}@uni.edu", f"S-{n}") for n in range(NUMBER)]


def rest(person: Person) -> tuple[str, str]:
    """Last and first name."""
    first, last = person.name.split(" ", 1)
    return last, first


class Made(NamedTuple):
    """A platform's table: the lines to the header, a row, the place of login or number, of the grade, and the most."""

    head: Sequence[Sequence[str]]
    row: Callable[[Person], list[str]]
    key: int
    scores: int
    most: float
    delimiter: str = ","


TABLES = {
    "canvas": Made(
        [
            ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Toy (1)"],
            ["    Points Possible", *[""] * 4, "30.00"],
        ],
        lambda each: [", ".join(rest(each)), each.id, each.sis, each.login, "A", ""],
        *(3, 5, 30),
    ),
    "moodle": Made(
        [["Identifier", "Full name", "Email address", "Grade", "Maximum Grade", "Grade can be changed"]],
        lambda each: [f"Participant {each.id}", each.name, each.email, "", "100.00", "Yes"],
        *(2, 3, 100),
    ),
    "blackboard": Made(
        [["Last Name", "First Name", "Username", "Student ID", "Toy [Total Pts: 12.5 Score] |7"]],
        lambda each: [*rest(each), each.login, each.sis, ""],
        *(2, 4, 12.5),
    ),
    "brightspace": Made(
        [["OrgDefinedId", "Username", "Toy Points Grade <Numeric MaxPoints:40 Weight:9>", "End-of-Line Indicator"]],
        lambda each: [f"#{each.sis}", f"#{each.login}", "", "#"],
        *(1, 2, 40),
    ),
    "sakai": Made(
        [["Toy", "SCORE_GRADE_TYPE"], [""], ["Display ID", "ID", "Last Name", "First Name", "grade"]],
        lambda each: [each.sis, each.login, *rest(each), ""],
        *(1, 4, MOST),
    ),
    "ilias": Made(
        [["update", "usr_id", "login", "lastname", "firstname", "status", "mark", "notice", "comment"]],
        lambda each: ["0", f"9{each.id}", each.login, *rest(each), "notgraded", "", "", ""],
        *(2, 6, MOST),
    ),
    "olat": Made(
        [["Benutzername", "Punkte", "Vorname", "Nachname", "Max."]],
        lambda each: [each.login, "", *rest(each), "48"],
        *(0, 1, 48, ";"),
    ),
}


def sixty(out: Path) -> Path:
    """The folder as `attend grade` would leave it: every seventh student is not graded to the end, two are absent."""
    rows = tuple(RegisterRow(person.login, person.name, person) for person in CLASS[:-2])
    register.write(out, Register("", rows, tuple(CLASS[-2:])))
    for n, row in enumerate(rows):
        status = "grader_error" if n % 7 == 6 else "passed"
        write_result(
            out, row.stem, result(row.student, exercise("double", n % 9 / 2, 4, status), exercise("Scale", n % 5, 4))
        )
    write_csv(out, book.read(out).grades)
    return out


def expected(out: Path, most: float) -> dict[str, str]:
    """The grade of each login, from grades.csv; "" without one."""
    with (out / "grades.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == NUMBER
    handed_in = [row for row in rows if row["attention"] != "nothing handed in"]
    scores = {row["login"]: row["score"] for row in handed_in}
    found = {login: str(_scaled(score, most)) if score else "" for login, score in scores.items()}
    return {row["login"]: found.get(row["login"], "") for row in rows}


def _scaled(score: str, most: float) -> Decimal:
    return (Decimal(score) * Decimal(str(most)) / MOST).quantize(Decimal("0.01"), ROUND_HALF_UP)


@pytest.mark.parametrize("platform", TABLES)
def test_each_of_sixty_gets_the_grade_of_grades_csv_in_the_row_of_that_student(platform: str, tmp_path: Path) -> None:
    made, out = TABLES[platform], sixty(tmp_path / "out")
    file = tmp_path / "table.csv"
    with file.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, delimiter=made.delimiter).writerows([*made.head, *map(made.row, reversed(CLASS))])
    done = export(out, file, None, None)
    assert done.path.stem == platform
    assert not done.unmatched
    with done.path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.reader(stream, delimiter=made.delimiter))[len(made.head) :]
    written = {row[made.key].removeprefix("#").partition("@")[0]: row[made.scores].replace(",", ".") for row in rows}
    assert {login: f"{float(text):.2f}" if text else "" for login, text in written.items()} == expected(out, made.most)
    assert sum(map(bool, written.values())) == 50
