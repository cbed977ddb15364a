"""`attend export` for Brightspace, Sakai, ILIAS and OLAT: what each imports, and nothing else of theirs is touched."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from autograder.classroom.person import Person
from autograder.core import table
from autograder.core.errors import UsageError
from autograder.platforms.brightspace.export import BRIGHTSPACE as OF_BRIGHTSPACE
from autograder.platforms.export import export
from tests.autograder.exported import (
    BRIGHTSPACE,
    CANVAS,
    GOLDEN,
    ILIAS,
    MOODLE,
    OLAT,
    SAKAI,
    cells,
    column,
    edited,
    said,
)
from tests.autograder.graded_class import FORMULA, PEOPLE, graded


def test_brightspace_gets_its_keys_and_our_item_and_the_last_column(grades: Path) -> None:
    header, *rows = cells(export(grades, BRIGHTSPACE, None, None).path)
    before, *others = cells(BRIGHTSPACE)
    assert header == [*before[:2], before[5], before[-1]]
    assert [[*row[:2], row[-1]] for row in rows] == [[*row[:2], row[-1]] for row in others]
    assert rows[0][:2] == ["#101", "#sobrien"], "the signs before numbers and logins stay"
    assert {row[-1] for row in rows} == {"#"}


def test_brightspace_s_grades_are_scaled_to_the_points_in_the_title(grades: Path) -> None:
    done = export(grades, BRIGHTSPACE, None, None)
    assert said(done, "scaled") == "scaled from 8 points to the 20 of the table"
    assert column(done.path, "Chapter 1", 1) == {
        **{"#sobrien": "20", "#zmueller": "15", "#evil": "20", "#lli": "0"},
        **{"#jdoe": "", "#ffaulty": "", "#gghost": ""},
    }


@pytest.mark.parametrize("key", ["OrgDefinedId", "Username"])
def test_one_of_brightspace_s_two_keys_is_enough(key: str, grades: Path, tmp_path: Path) -> None:
    wanted = cells(GOLDEN / "brightspace-filled.csv")
    other = {"OrgDefinedId": "Username", "Username": "OrgDefinedId"}[key]
    left = [[each for title, each in zip(wanted[0], row, strict=True) if title != other] for row in wanted]
    header = ("OrgDefinedId,Username,", f"{key},")
    rows = [(f"#{person.id},#{person.login},", f"#{getattr(person, FIELDS[key])},") for person in LISTED]
    assert cells(export(grades, edited(tmp_path, BRIGHTSPACE, header, *rows), None, None).path) == left


FIELDS = {"OrgDefinedId": "id", "Username": "login"}
LISTED = [
    *(person for stem, person in PEOPLE.items() if stem != "nia"),
    Person(id="105", login="jdoe"),
    Person(id="107", login="gghost"),
]


def test_the_signs_before_brightspace_s_numbers_and_logins_are_no_part_of_them() -> None:
    (found, *_) = table.read(BRIGHTSPACE)
    people = OF_BRIGHTSPACE.sheet(found, "Chapter 1", []).people.values()
    assert {(person.id, person.login) for person in people} == {(person.id, person.login) for person in LISTED}


def test_a_decimal_comma_of_brightspace_stays_a_comma(tmp_path: Path) -> None:
    file = edited(tmp_path, BRIGHTSPACE, ("7.5,9", '"7,5",9'))
    out = graded(tmp_path, policy='[students."O\'Brien, Siobhán"]\npoints = -0.5\n')
    assert column(export(out, file, None, None).path, "Chapter 1", 1)["#sobrien"] == "18,75"


def test_sakai_s_file_keeps_its_three_lines_and_the_places_of_its_columns(grades: Path) -> None:
    done = export(grades, SAKAI, None, None)
    before, after = (path.read_bytes().split(b"\n")[:3] for path in (SAKAI, done.path))
    assert after == before
    assert [row[:4] + row[5:] for row in cells(done.path)] == [row[:4] + row[5:] for row in cells(SAKAI)]
    assert cells(done.path)[2][4] == "6", "the fifth cell is the grade"
    assert "name it grades.csv, put it into a zip" in done.text()
    assert said(done, "highest grade") == "the table does not give the highest grade, so nothing is scaled"


def test_a_sakai_site_with_semicolons_gets_a_decimal_comma(tmp_path: Path) -> None:
    file = edited(tmp_path, SAKAI, ('","', '";"'), ("3.0", ""))
    out = graded(tmp_path, policy='[students."O\'Brien, Siobhán"]\npoints = -0.5\n')
    assert '"Siobhán";"7,5";' in export(out, file, None, None).path.read_text(encoding="utf-8-sig")


def test_a_sakai_assignment_without_points_is_refused(grades: Path, tmp_path: Path) -> None:
    file = edited(tmp_path, SAKAI, ("SCORE_GRADE_TYPE", "PASS_FAIL_GRADE_TYPE"))
    with pytest.raises(UsageError, match=r"read as Sakai's table, the grades\.csv .*graded by PASS_FAIL.*have points"):
        export(grades, file, None, None)


def test_ilias_updates_the_rows_that_were_filled_and_no_others(grades: Path) -> None:
    done = export(grades, ILIAS, None, None)
    header, *rows = cells(done.path)
    assert header == cells(ILIAS)[0], "the plugin goes by the order of the columns"
    filled = {row[2]: (row[0], row[5], row[6]) for row in rows}
    assert filled["sobrien"] == ("1", "passed", "8"), "what a person thinks of passing stays"
    assert filled["zmueller"] == ("1", "notgraded", "6")
    assert {login: filled[login][0] for login in ("jdoe", "ffaulty", "gghost")} == dict.fromkeys(
        ("jdoe", "ffaulty", "gghost"), "0"
    )
    comments = column(done.path, "comment", 2)
    assert comments["zmueller"].startswith("6 of 8 points. ch01_toy: 5.5 of 8. double: your double is")
    assert comments["lli"] == "Come and see me, please."


def test_ilias_shows_the_student_why_a_grade_is_held(grades: Path) -> None:
    done = export(grades, ILIAS, None, None, hold=True)
    (row,) = [row for row in cells(done.path) if row[2] == "ffaulty"]
    assert (row[0], row[6]) == ("1", "")
    assert row[8].startswith("No grade yet: the grader failed")


def test_a_file_of_ilias_with_teams_is_refused(grades: Path, tmp_path: Path) -> None:
    file = edited(tmp_path, ILIAS, ('"usr_id","login","lastname","firstname"', '"team_id","logins"'))
    with pytest.raises(UsageError, match=r"read as ILIAS's table, .*: it has a row for each team.* by hand"):
        export(grades, file, None, None)


def test_olat_gets_user_and_score_in_the_first_columns_and_its_own_notation(grades: Path) -> None:
    done = export(grades, OLAT, None, None)
    header, *rows = cells(done.path)
    assert header[:2] == ["Benutzername", "Punkte"]
    assert [row[:2] for row in rows[:2]] == [["sobrien", "20"], ["zmueller", "15"]]
    assert "copy the first two columns without the header" in done.text()
    before = [dict(zip(cells(OLAT)[0], row, strict=True)) for row in cells(OLAT)[1:]]
    after = [dict(zip(header, row, strict=True)) for row in rows]
    assert [{**row, "Punkte": ""} for row in after] == [{**row, "Punkte": ""} for row in before]


def test_an_english_table_of_olat_is_filled_too(grades: Path, tmp_path: Path) -> None:
    titles = ("Vorname;Nachname;E-Mail;Benutzername", "First name;Last name;E-mail;User name")
    file = edited(tmp_path, OLAT, titles, ("Versuche;Punkte", "Attempts;Score"))
    assert [row[:2] for row in cells(export(grades, file, None, None).path)][2] == ["zmueller", "15"]


@pytest.mark.parametrize(
    ("file", "change", "says"),
    [
        (
            MOODLE,
            ("Grade can be changed", "Locked"),
            "like Moodle's it has Identifier and Grade, but no column Grade can",
        ),
        (CANVAS, (",Section,", ",Group,"), r"like Canvas's it has Student and ID, but no column Section\. Known are"),
        (SAKAI, ('"grade"', '"points"'), "like Sakai's it has Display ID and ID, but no column grade"),
        (BRIGHTSPACE, ("Numeric", "Text"), r"--column|no column of an assignment|Quiz"),
    ],
)
def test_what_was_recognised_is_said_and_only_what_is_missing(
    file: Path, change: tuple[str, str], says: str, grades: Path, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=says):
        export(grades, edited(tmp_path, file, change), None, None)


def test_a_table_without_an_assignment_is_told_by_its_platform_and_how_such_a_column_is_called(
    grades: Path, tmp_path: Path
) -> None:
    file = edited(tmp_path, BRIGHTSPACE, ("Points Grade", "Weighted Grade"))
    with pytest.raises(
        UsageError,
        match=r"read as Brightspace's table, the grades .*: it has no column of an assignment, with a title such as "
        r"Chapter 1 Points Grade <Numeric MaxPoints:8>; make the assignment",
    ):
        export(grades, file, None, None)


def test_columns_are_known_whatever_apostrophe_or_blank_a_program_wrote(grades: Path, tmp_path: Path) -> None:
    file = edited(tmp_path, ILIAS, ('"usr_id"', '"usr\u00a0id"'), ('"mark"', '" Mark\u200b"'))
    assert cells(export(grades, file, None, None).path)[1][6] == "8"


def test_canvas_s_test_student_is_no_row_in_any_language(grades: Path, tmp_path: Path) -> None:
    login = "8054dc7dea06ac29b246be030ededb30a6197af0"
    file = edited(tmp_path, CANVAS, ("Student, Test", "Testteilnehmer"), (",0f3c,", f",{login},"))
    assert said(export(grades, file, None, None), "no grade for") == "no grade for 1 row: Ghost, Gus"


def test_a_workbook_is_no_table(grades: Path, tmp_path: Path) -> None:
    book = tmp_path / "participants.xlsx"
    book.write_bytes(b"PK\x03\x04 xl/workbook.xml")
    with pytest.raises(UsageError, match="is a workbook; save it as CSV"):
        export(grades, book, None, None)


def only(out: Path, person: Person) -> list[str]:
    """Who in Canvas's table gets the grade of one graded student."""
    done = export(graded(out, {"obrien": person}, ""), CANVAS, None, None)
    before = column(CANVAS, "Chapter 1", 1)
    return [key for key, value in column(done.path, "Chapter 1", 1).items() if value != before[key]]


@pytest.mark.parametrize("person", [Person(sis="S107"), Person("x", "S107"), Person("x", sis="107")])
def test_the_institution_s_number_finds_a_student_on_either_side(person: Person, tmp_path: Path) -> None:
    assert only(tmp_path, person) == ["107"]


def test_the_platform_s_number_goes_before_the_institution_s(tmp_path: Path) -> None:
    assert only(tmp_path, Person(FORMULA, "107", sis="S104")) == ["107"]


@pytest.mark.parametrize(("table", "name"), [(BRIGHTSPACE, "Brightspace"), (CANVAS, "Canvas")])
def test_a_gradebook_that_a_spreadsheet_saved_goes_back_as_the_platform_exports_it(
    table: Path, name: str, grades: Path, tmp_path: Path
) -> None:
    header, *rows = cells(table)
    at = next(number for number, title in enumerate(header) if title.startswith("Chapter 1"))
    for row in rows:
        row[at] = row[at].replace(".", ",")
    file = tmp_path / "saved.csv"
    with file.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, delimiter=";").writerows([header, *rows])
    done, plain = export(grades, file, None, tmp_path / "new.csv"), export(grades, table, None, None)
    assert cells(done.path) == cells(plain.path)
    assert said(done, "as a spreadsheet saves it") == (
        "the table has semicolons and decimal commas, as a spreadsheet saves it: what is written has commas and "
        f"decimal points, as {name} exports it"
    )
    assert "spreadsheet saves" not in plain.text()
