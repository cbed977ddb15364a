"""Any table that says who is in a class is a roster, the gradebook of a course platform above all."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autograder.classroom.person import Person
from autograder.classroom.roster import Roster, normal
from autograder.core.errors import UsageError
from autograder.core.text import one_line
from tests.autograder import arriving

CANVAS = """\
Student,ID,SIS User ID,SIS Login ID,Section,Homework 1 (4711),Current Score
,,,,,Manual Posting,(read only)
    Points Possible,,,,,10.00,(read only)
"Lovelace, Ada",11,S-1,ada,Group A,,
"O'Brien, Ben",12,S-2,ben@uni.edu,Group A,7,
"Student, Test",99,,f00ba4,Group A,,
"""
MOODLE = """\
Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,Last modified (submission)
Participant 11,Ada Lovelace,ada@uni.edu,Submitted for grading,,10.00,Yes,"Friday, 20 November 2026, 2:14 PM"
Participant 12,Ben O'Brien,ben@uni.edu,No submission,,10.00,Yes,-
"""
PARTICIPANTS = "First name,Surname,ID number,Email address,Groups\nAda,Lovelace,11,ada@uni.edu,\n"
BLACKBOARD = (
    '"Last Name"\t"First Name"\t"Username"\t"Student ID"\t"Homework 1 [Total Pts: 100 Score] |123456"\n'
    '"Müller"\t"Zoë"\t"zoe"\t"13"\t""\n'
)
GROUPS = (
    "name,canvas_user_id,user_id,login_id,sections,group_name,canvas_group_id,group_id\n"
    "Ada Lovelace,11,S-1,ada,Section 1,Project Group 1,501,\nBen O'Brien,12,S-2,ben,Section 1,,,\n"
)
GRADESCOPE = "First Name,Last Name,SID,Email,Role\nAda,Lovelace,11,ada@uni.edu,Student\n"
CLASSROOM = (
    '"identifier","github_username","github_id","name"\n"ada@uni.edu","ada-l","4711",""\n"Ben O\'Brien","","",""\n'
)
GRADES = (
    "assignment_name,assignment_url,starter_code_url,github_username,roster_identifier,student_repository_name,"
    "student_repository_url,submission_timestamp,points_awarded,points_available\n"
    "HW,u,s,ada-l,ada@uni.edu,hw-ada-l,r,2026-11-20T22:59:00Z,8,10\nHW,u,s,ben-o,Ben O'Brien,hw-ben-o,r,,0,10\n"
)


def read(place: Path, text: str | bytes) -> Roster:
    return Roster.read(arriving.roster(place, text))


@pytest.mark.parametrize(
    ("table", "people"),
    [
        (
            CANVAS,
            [
                Person("Lovelace, Ada", "11", "ada", sis="S-1"),
                Person("O'Brien, Ben", "12", "ben@uni.edu", "ben@uni.edu", "S-2"),
            ],
        ),
        (MOODLE, [Person("Ada Lovelace", "11", "", "ada@uni.edu"), Person("Ben O'Brien", "12", "", "ben@uni.edu")]),
        (PARTICIPANTS, [Person("Ada Lovelace", "11", "", "ada@uni.edu")]),
        (BLACKBOARD, [Person("Zoë Müller", "13", "zoe")]),
        (GRADESCOPE, [Person("Ada Lovelace", "11", "", "ada@uni.edu")]),
        (CLASSROOM, [Person("", "", "ada-l", "ada@uni.edu"), Person("Ben O'Brien")]),
        (GRADES, [Person("", "", "ada-l", "ada@uni.edu"), Person("Ben O'Brien", "", "ben-o")]),
        ("name,email,id,login\nAda,a@b.c,1,ada\n\n,,,\n", [Person("Ada", "1", "ada", "a@b.c")]),
        ("sep=;\nName;E-Mail\nAda;a@b.c\n", [Person("Ada", email="a@b.c")]),
        ("Nachname;Vorname;Matrikelnummer;E-Mail-Adresse\nA;B;7;a@b.c\n", [Person("B A", "7", "", "a@b.c")]),
        ("Prénom,Nom,Adresse de courriel\nB,A,a@b.c\n", [Person("B A", email="a@b.c")]),
        ("email\na@b.c\na@b.c\n", [Person(email="a@b.c")]),
    ],
    ids=[
        "Canvas",
        "Moodle",
        "participants",
        "Blackboard",
        "Gradescope",
        "Classroom",
        "grades",
        "plain",
        "Excel",
        "German",
        "French",
        "twice",
    ],
)
def test_a_platform_s_own_table_is_a_roster(tmp_path: Path, table: str, people: list[Person]) -> None:
    assert read(tmp_path, table).people == tuple(people)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_tables_in_the_encodings_of_platforms_and_spreadsheets_are_read(tmp_path: Path, encoding: str) -> None:
    assert read(tmp_path, BLACKBOARD.encode(encoding)).people[0].name == "Zoë Müller"


def test_the_grades_of_github_classroom_tell_when_each_handed_in(tmp_path: Path) -> None:
    roster = read(tmp_path, GRADES)
    assert roster.submitted == {roster.people[0]: datetime(2026, 11, 20, 22, 59, tzinfo=UTC)}


def test_moodle_s_worksheet_tells_who_was_late(tmp_path: Path) -> None:
    late = MOODLE.replace("Submitted for grading", "Submitted for grading - 2 hours 5 mins late - Graded")
    roster = read(tmp_path, late)
    assert roster.late == {roster.people[0]}
    other = MOODLE.replace("No submission", "No submission - Assignment is overdue by: 2 days").replace(
        "Ada", "Chocolate"
    )
    assert read(tmp_path, other).late == frozenset()


def test_a_list_of_groups_is_a_roster_and_tells_who_is_in_which(tmp_path: Path) -> None:
    roster = read(tmp_path, GROUPS)
    assert roster.people == (
        Person("Ada Lovelace", "11", "ada", sis="S-1"),
        Person("Ben O'Brien", "12", "ben", sis="S-2"),
    )
    assert roster.groups == {roster.people[0]: "Project Group 1"}


@pytest.mark.parametrize("text", ["2026-11-20 22:59", "Friday, 20 November 2026, 10:59 PM"])
def test_a_time_without_a_zone_is_kept_without(tmp_path: Path, text: str) -> None:
    roster = read(tmp_path, f'Email,Submission Time\na@b.c,"{text}"\n')
    assert roster.submitted[roster.people[0]] == datetime(2026, 11, 20, 22, 59)


@pytest.mark.parametrize("text", ["2026-11-20 17:59:00 -0500", "2026-11-20 23:59:00+01:00"])
def test_a_time_is_kept_with_its_zone(tmp_path: Path, text: str) -> None:
    roster = read(tmp_path, f"Email,Submission Time\na@b.c,{text}\n")
    assert roster.submitted[roster.people[0]] == datetime(2026, 11, 20, 22, 59, tzinfo=UTC)


@pytest.mark.parametrize(
    ("table", "says"),
    [
        (
            "Colour,Size\nred,1\n",
            "has no column that identifies a student among Colour and Size; known columns are .*email.*sis login id",
        ),
        ("", "has no column that identifies a student"),
        ("First name,Grade\nAda,1\n", "has no column that identifies a student"),
        ("name,email\n,\n", "has no students below its header; export the roster again"),
        (arriving.packed({"[Content_Types].xml": "", "xl/workbook.xml": ""}), "is a workbook; save it as CSV"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "is a workbook; save it as CSV"),
        (arriving.packed({"ann/ch01_toy.py": "x = 1"}), "is a zip and no table; .* give a CSV file"),
        ("name\n" + '"' + "x" * 200_000, "cannot be read as a table"),
    ],
    ids=["no column", "empty", "first names", "nobody", "workbook", "old workbook", "zip", "endless cell"],
)
def test_a_table_that_is_no_roster_says_what_to_do(tmp_path: Path, table: str | bytes, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        read(tmp_path, table)


def test_a_roster_that_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        Roster.read(tmp_path / "nothing.csv")


def test_names_are_the_same_whatever_their_order_case_accents_and_marks() -> None:
    assert normal("O'Brien, Zoë-Ann") == normal("zoeann OBRIEN") == "obrien zoeann"
    assert normal("Ada Lovelace") != normal("Ada Love")


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(st.lists(st.text(max_size=10), min_size=2, max_size=4), max_size=5))
def test_whatever_a_table_holds_it_is_read_or_refused(tmp_path: Path, rows: list[list[str]]) -> None:
    stream = io.StringIO()
    csv.writer(stream).writerows([["Name", "Email", "Submission Time"], *rows])
    try:
        roster = read(tmp_path, stream.getvalue().encode("utf-8", "replace"))
    except UsageError:
        return
    for person in roster.people:
        assert all(one_line(text, 200) == text for text in (person.name, person.email))


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=60))
def test_whatever_bytes_a_file_holds_it_is_read_or_refused(tmp_path: Path, data: bytes) -> None:
    try:
        people = read(tmp_path, b"name,email\n" + data).people
    except UsageError:
        return
    assert people
