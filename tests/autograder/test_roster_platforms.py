"""Tables of Brightspace, Sakai, ILIAS, OLAT and Google Classroom as rosters; people who are no students; titles."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from autograder.classroom.enrol import enrol
from autograder.classroom.person import Attempt, Download, Person
from autograder.classroom.roles import is_student
from autograder.classroom.roster import Roster
from autograder.core.errors import UsageError
from autograder.grading.admit import ClassOptions, admit
from autograder.platforms.download import read as read_download
from tests.autograder import arriving
from tests.autograder.arriving import ADA, COURSE, ZOE

BRIGHTSPACE = (
    "OrgDefinedId,Username,Last Name,First Name,Email,Toy Points Grade <Numeric MaxPoints:8>,End-of-Line Indicator\n"
    "#11,#ada,Lovelace,Ada,ada@uni.edu,,#\n"
)
SAKAI = (
    '"Chapter 1","SCORE_GRADE_TYPE"\n""\n'
    '"Display ID","ID","Last Name","First Name","grade","Submission date","Late submission"\n'
    '"11","ada","Lovelace","Ada","","2026-11-20T22:59:00Z","Late"\n'
    '"12","ben","O\'Brien","Ben","","","No submission"\n'
)
ILIAS = (
    '"update","usr_id","login","lastname","firstname","status","mark"\n"0","11","ada","Lovelace","Ada","passed",""\n'
)
OLAT = (
    "Benutzername;Vorname;Nachname;E-Mail;Institutionsnummer (Matrikelnummer);Punkte\n"
    "ada;Ada;Lovelace;ada@uni.edu;11;\n"
)
GOOGLE = (
    "Last Name,First Name,Email Address,Toy\nDate,,,2026-11-20\nPoints,,,8\nLovelace,Ada,ada@uni.edu,7\n"
    "Points,Ben,ben@uni.edu,\nDate,,date@uni.edu,\n"
)
CANVAS_GERMAN = (
    "Student,ID,SIS User ID,SIS Login ID,Section\n"
    '"Lovelace, Ada",11,S-1,ada,A\nTestteilnehmer,99,,8054dc7dea06ac29b246be030ededb30a6197af0,A\n'
)
HASHED_LOGIN = CANVAS_GERMAN.replace("11,S-1,ada", f"11,S-1,{'0a' * 20}")
HASHED = Person("Testteilnehmer", "99", "8054dc7dea06ac29b246be030ededb30a6197af0")


def read(place: Path, text: str) -> Roster:
    return Roster.read(arriving.roster(place, text))


@pytest.mark.parametrize(
    ("table", "people"),
    [
        (BRIGHTSPACE, [ADA]),
        (SAKAI, [Person("Ada Lovelace", "", "ada", "", "11"), Person("Ben O'Brien", "", "ben", "", "12")]),
        (ILIAS, [Person("Ada Lovelace", "11", "ada")]),
        (OLAT, [ADA]),
        (
            GOOGLE,
            [
                Person("Ada Lovelace", email="ada@uni.edu"),
                Person("Ben Points", email="ben@uni.edu"),
                Person("Date", email="date@uni.edu"),
            ],
        ),
        (CANVAS_GERMAN, [Person("Lovelace, Ada", "11", "ada", sis="S-1")]),
        (HASHED_LOGIN, [Person("Lovelace, Ada", "11", "0a" * 20, sis="S-1")]),
        ("Identifier,ID number,Full name\nParticipant 7,11,Ada\n", [Person("Ada", "7", sis="11")]),
    ],
    ids=["Brightspace", "Sakai", "ILIAS", "OLAT", "Google Classroom", "Canvas", "hashed", "two numbers"],
)
def test_a_platform_s_own_table_is_a_roster(table: str, people: list[Person], tmp_path: Path) -> None:
    assert read(tmp_path, table).people == tuple(people)


def test_sakai_s_file_tells_when_each_handed_in_and_who_was_late(tmp_path: Path) -> None:
    roster = read(tmp_path, SAKAI)
    ada, _ = roster.people
    assert roster.submitted == {ada: datetime(2026, 11, 20, 22, 59, tzinfo=UTC)}
    assert roster.late == {ada}


@pytest.mark.parametrize(
    "header",
    [
        "Nom,Prénom,Numéro d’étudiant,Nom d’utilisateur",
        "Nom,Prénom,NUMÉRO\u00a0D\u02bcÉTUDIANT,Nom d\u2019utilisateur",
        "Nachname,Vorname,Matrikel\u00adnummer,Anmeldename",
        "Last\u202fName,First\u2009Name,Student\u200b ID,User_Name",
        "Apellido(s),Nombre,Número de ID,Nombre de usuario",
    ],
)
def test_titles_are_known_whatever_apostrophe_hyphen_or_blank_is_in_them(header: str, tmp_path: Path) -> None:
    roster = read(tmp_path, f"{header}\nLovelace,Ada,11,ada\n")
    assert roster.people == (Person("Ada Lovelace", "11", "ada"),)
    assert read(tmp_path, "E‑Mail–Adresse\nada@uni.edu\n").people == (Person(email="ada@uni.edu"),)


@pytest.mark.parametrize(
    "role",
    [
        *("Student", "Learner", "StudentEnrollment", "Participant", "Student, Teaching Assistant"),
        *("Studierende/r", "Teilnehmer/in", "Kursmitglied", "Étudiant", "Apprenante", "Estudiante", "Alumno"),
        "Students",
    ],
)
def test_students_are_known_by_their_role(role: str) -> None:
    assert is_student(role)


@pytest.mark.parametrize(
    "role",
    [
        *(
            "Instructor",
            "TA",
            "Teaching Assistant",
            "Non-editing teacher",
            "Observer",
            "Course Designer",
            "Student View",
        ),
        *("TaEnrollment", "StudentViewEnrollment", "Student Assistant", "Dozent/in", "Trainer/in", "Kurstutor"),
        *("Kursadministrator/in", "Enseignant", "Tutrice", "Chargé de cours", "Profesora", "Asistente", "Invitado"),
    ],
)
def test_people_with_another_role_are_no_students(role: str) -> None:
    assert is_student(role) is False


@pytest.mark.parametrize("title", ["Role", "Roles", "Rolle", "Rôle", "Rol"])
def test_who_has_another_role_is_left_out_and_that_is_said(title: str, tmp_path: Path) -> None:
    roster = read(tmp_path, f"Name,{title}\nAda,Student\nBen,Tutor\nZoë,Hörerin\nZed,Hörerin\n")
    assert [person.name for person in roster.people] == ["Ada", "Zoë", "Zed"]
    assert roster.others == {Person("Ben"): "Tutor"}
    assert roster.remarks == (
        "roster.csv: left out, as no students: Ben (Tutor) (1)",
        "roster.csv: not known as roles, and taken for students: Hörerin (2)",
    )


def test_canvas_s_test_student_is_known_in_every_language_and_said(tmp_path: Path) -> None:
    roster = read(tmp_path, CANVAS_GERMAN)
    assert roster.others == {HASHED: "Canvas's test student"}
    assert "Testteilnehmer (Canvas's test student)" in roster.remarks[-1]


@pytest.mark.parametrize("role", ["Gasthörerin", "Auditor", "Lehramt", ""])
def test_a_role_that_nobody_knows_is_no_reason_to_leave_someone_out(role: str) -> None:
    assert is_student(role) is None


def test_someone_with_two_roles_in_two_rows_is_a_student_once(tmp_path: Path) -> None:
    roster = read(tmp_path, "Name,Role\nAda,Tutor\nAda,Student\n")
    assert (roster.people, roster.others) == ((Person("Ada"),), {})


def test_a_table_of_teachers_alone_says_whom_it_holds(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no students below its header, only Ben \(Tutor\); export"):
        read(tmp_path, "Name,Role\nBen,Tutor\n")


def test_what_of_a_table_was_used_and_what_not_is_said_in_one_sentence(tmp_path: Path) -> None:
    assert read(tmp_path, "Name,E-Mail,Tutorial,Seat\nAda,ada@uni.edu,B,4\n").remarks == (
        "roster.csv: used: Name and E-Mail; not used: Tutorial and Seat",
    )
    assert read(tmp_path, "Name,E-Mail\nAda,ada@uni.edu\n").remarks == ()


def test_a_run_is_told_what_its_roster_left_out(tmp_path: Path) -> None:
    place = arriving.folder(tmp_path / "class", arriving.plain())
    roster = arriving.roster(tmp_path, "Login,Role,Seat\nada,Student,1\nben,Tutor,2\nzoe,Student,3\n")
    class_ = admit(COURSE, read_download(place, COURSE), tmp_path / "out", ClassOptions(roster=roster))
    assert class_.remarks[-2:] == [
        "roster.csv: used: Login and Role; not used: Seat",
        "roster.csv: left out, as no students: ben (Tutor) (1)",
    ]
    assert class_.register.unmatched == ("ben is on the roster as no student: Tutor",)


def of(*people: Person) -> Download:
    return Download("Canvas", tuple(Attempt(person.name, arriving.ANSWERS.get, person) for person in people))


def test_a_submission_of_canvas_s_test_student_is_told_as_such(tmp_path: Path) -> None:
    test, ada = Person("testteilnehmer", "99"), Person("lovelaceada", "11")
    made, _ = enrol(of(test, ada), read(tmp_path, CANVAS_GERMAN))
    assert made.unmatched == ("testteilnehmer is on the roster as no student: Canvas's test student",)


def test_the_institution_s_number_matches_a_submission(tmp_path: Path) -> None:
    roster = read(tmp_path, CANVAS_GERMAN)
    made, _ = enrol(of(Person("someone else", "S-1")), roster)
    assert not made.unmatched
    assert made.rows[0].person == roster.people[0]


def test_of_two_equal_numbers_the_platform_s_own_counts() -> None:
    roster = Roster((Person("Ada", "1", sis="2"), Person("Ben", "2", sis="1"), ZOE))
    made, _ = enrol(of(Person("x", "2"), Person("y", "1")), roster)
    assert {row.person.id: row.person.name for row in made.rows} == {"2": "Ben", "1": "Ada"}


def test_the_titles_that_are_there_are_named_where_none_identifies_anybody(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no column that identifies a student among Seat and Shoe size; known columns"):
        read(tmp_path, "Seat,Shoe size\n1,40\n")
