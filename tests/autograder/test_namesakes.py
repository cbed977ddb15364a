"""People of one name: each has a row with a label of its own, and no submission goes to one of them by guessing."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from autograder.classroom.enrol import enrol
from autograder.classroom.grades import PERHAPS, WHOSE, Grade
from autograder.classroom.person import Download, Person
from autograder.classroom.register import Register
from autograder.classroom.roster import Roster
from autograder.core.errors import UsageError
from autograder.grading import book, sums
from autograder.platforms import download as downloads
from autograder.platforms.export import export
from autograder.platforms.feedback_forms import FORMS as BACK
from autograder.platforms.handing_back import hand_back
from autograder.report.outputs import attention
from autograder.report.pages import students_page
from tests.autograder import arriving
from tests.autograder.arriving import ADA, BEN, COURSE, FILE, HALF, RIGHT, Files
from tests.autograder.paging import TITLE
from tests.autograder.returned_class import fill
from tests.autograder.run_cli import attend
from tests.autograder.test_enrol import attempt, of

TOY = Path(__file__).parent / "toy"
OTHER = Person(ADA.name, "21", "ada21", "ada21@uni.edu")
BOTH = Roster((ADA, OTHER, BEN))
WHEN = "Nov 20, 2026 926 PM"


def folder(numbers: str, name: str = ADA.name, when: str = WHEN) -> str:
    return f"{numbers} - {name} - {when}/{FILE}"


def read(place: Path, files: Files) -> Download:
    return downloads.read(arriving.folder(place / "class", files), COURSE)


def students(made: Register) -> dict[str, Person]:
    return {row.student: row.person for row in made.everybody}


def given(place: Path, made: Register, rules: str = "") -> dict[str, Grade]:
    """The grades in a folder as `attend grade` would leave it, by the students' labels."""
    return {grade.student: grade for grade in book.read(fill(place / "grades", made, rules=rules)).grades}


@pytest.mark.parametrize("other", ["397063-2557377", "397064-2557376", "397064-2557377"])
def test_folders_of_one_name_with_other_numbers_are_two_students_and_that_is_said(tmp_path: Path, other: str) -> None:
    files = {folder("397063-2557376"): RIGHT, folder(other, when="Nov 20, 2026 927 PM"): HALF}
    found = read(tmp_path, files)
    assert sorted(arriving.texts(found).values()) == sorted([RIGHT, HALF])
    says = next(each for each in found.problems if "different numbers" in each)
    assert f"397063-2557376 and {other}" in says
    assert "if they are the same person's, give them the same numbers; else write each one's login or number" in says


def test_the_same_numbers_make_them_one_student_s(tmp_path: Path) -> None:
    files = {folder("397063-2557376"): HALF, folder("397063-2557376", when="Nov 20, 2026 927 PM"): RIGHT}
    found = read(tmp_path, files)
    assert len({each.key for each in found.attempts}) == 1
    assert not any("different numbers" in each for each in found.problems)


def test_a_name_that_two_on_the_roster_have_is_told_with_a_remedy_that_works(tmp_path: Path) -> None:
    made, _ = enrol(read(tmp_path, {folder("1-2"): RIGHT, folder("1-3"): HALF}), BOTH)
    assert len(made.unmatched) == 2
    for says in made.unmatched:
        assert "write whose it is in place of the name, in the unpacked download: ada or ada21" in says
    again = read(tmp_path / "renamed", {folder("1-2", "ada"): RIGHT, folder("1-3", "ada21"): HALF})
    done, _ = enrol(again, BOTH)
    assert (done.unmatched, {row.person for row in done.rows}) == ((), {ADA, OTHER})


@pytest.mark.parametrize("mark", ["ada21", "21", "ada21@uni.edu"])
def test_a_name_may_be_a_login_a_number_or_an_address_of_the_roster(mark: str) -> None:
    made, _ = enrol(of(attempt("x", Person(mark))), BOTH)
    assert [row.person for row in made.rows] == [OTHER]


def test_a_name_that_is_another_one_s_login_is_nobody_s() -> None:
    roster = Roster((Person("ada", "1", "x"), Person("Ben", "2", "ada")))
    made, _ = enrol(of(attempt("k", Person("ada"))), roster)
    assert "has the name of 2 people on the roster" in made.unmatched[0]


NAMED: Mapping[str, Callable[[str], Files]] = {
    "Brightspace": lambda name: {folder("1-2", name): RIGHT, folder("1-3", ADA.name): HALF},
    "Moodle": lambda name: {f"{who}_{n}_assignsubmission_file_/{FILE}": RIGHT for n, who in ((7, name), (8, ADA.name))},
    "Schoology": lambda name: {f"{who} - {n}/Revision 1/{FILE}": RIGHT for n, who in ((7, name), (8, ADA.name))},
    "CodeGrade": lambda name: {f"{who} - 2026-11-20 22:59:00/{FILE}": RIGHT for who in (name, "Lovelace, Ada")},
    "Google Classroom": lambda name: {f"{who} - {FILE}": RIGHT for who in (name, "Lovelace, Ada")},
    "folder": lambda name: {f"{who}/{FILE}": RIGHT for who in (name, "Lovelace, Ada")},
    "files": lambda name: {f"{who}_{FILE}": RIGHT for who in (name, "Lovelace Ada")},
}


@pytest.mark.parametrize("form", NAMED)
def test_two_submissions_of_one_name_go_to_nobody_and_wait(tmp_path: Path, form: str) -> None:
    download = read(tmp_path, NAMED[form](ADA.name))
    assert download.form == form
    made, _ = enrol(download, Roster((Person(ADA.name, "", "ada", "ada@uni.edu"), BEN)))
    assert len(made.rows) == len(made.unmatched) == 2
    assert all(row.contested and row.person.login == "" for row in made.rows)
    grades = given(tmp_path, made)
    assert len(grades) == len(made.rows) + len(made.absent) == 4
    waiting = [grade for grade in grades.values() if grade.held]
    assert [(grade.held, grade.is_final) for grade in waiting] == [((WHOSE,), False)] * 2
    assert all(
        "nothing tells whose it is; unpack the download, and in whatever" in attention(grade) for grade in waiting
    )
    assert attention(grades[f"{ADA.name} (ada)"]) == PERHAPS
    page = students_page(list(grades.values()), made, {}, TITLE)
    assert PERHAPS in page
    assert page.count("no grade yet: this has the name of Ada Lovelace") == 2


def test_what_a_person_decides_on_one_of_them_settles_that_one_alone(tmp_path: Path) -> None:
    made, _ = enrol(read(tmp_path, {folder("1-2"): RIGHT, folder("1-3"): HALF}), Roster((ADA, BEN)))
    first, second = (row.student for row in made.rows)
    grades = given(tmp_path, made, f'[students."{first}"]\ndecided = true\n')
    assert [bool(grades[each].held) for each in (first, second)] == [False, True]


def test_a_number_is_surer_than_a_name_and_two_equal_ones_are_not() -> None:
    sure, other = attempt("s", Person(ADA.name, "11")), attempt("o", Person(ADA.name))
    made, _ = enrol(of(sure, other), Roster((ADA, BEN)))
    assert [row.person.login for row in made.rows if not row.contested] == ["", "ada"]
    made, _ = enrol(of(sure, attempt("t", Person(ADA.name, "11"))), Roster((ADA, BEN)))
    assert all(row.contested for row in made.rows)
    assert "has the number of Ada Lovelace on the roster, as has t" in made.unmatched[0]


def test_the_run_ends_with_status_1_while_it_is_not_clear_whose_one_is(tmp_path: Path) -> None:
    class_ = arriving.zipped(tmp_path / "class", {folder("1-2"): RIGHT, folder("1-3"): HALF})
    roster = arriving.roster(tmp_path, f"name,login\n{ADA.name},ada\n{BEN.name},ben\n")
    run = attend("grade", class_, "--out", tmp_path / "out", "--roster", roster, "--only", "double", cwd=TOY)
    assert run.returncode == 1, run.stderr
    assert "as has Ada Lovelace_1-3, and nothing tells whose it is" in run.stdout
    assert "no grade yet for 2 students" in run.stdout


def test_every_row_has_a_label_of_its_own_also_of_those_who_are_absent(tmp_path: Path) -> None:
    made, _ = enrol(read(tmp_path, {folder("1-2"): RIGHT}), BOTH)
    assert students(made) == {
        f"{ADA.name} (1-2)": Person(ADA.name),
        f"{ADA.name} (ada)": ADA,
        f"{ADA.name} (ada21)": OTHER,
        BEN.name: BEN,
    }
    one, _ = enrol(of(attempt("ada21")), BOTH)
    assert list(students(one)) == [f"{ADA.name} (ada21)", f"{ADA.name} (ada)", BEN.name]
    plain, _ = enrol(of(attempt(ADA.name)), Roster((Person(ADA.name, sis="1"), Person(ADA.name, sis="2"))))
    assert list(students(plain)) == [f"{ADA.name} (as handed in)", f"{ADA.name} (1)", f"{ADA.name} (2)"]


def test_a_decision_by_login_is_about_that_row_alone(tmp_path: Path) -> None:
    made, _ = enrol(read(tmp_path, {folder("1-2"): RIGHT}), BOTH)
    grades = given(tmp_path, made, '[students."ada21"]\npoints = 3\n')
    assert {student: grade.score for student, grade in grades.items() if grade.result is None} == {
        f"{ADA.name} (ada)": 0.0,
        f"{ADA.name} (ada21)": 3.0,
        BEN.name: 0.0,
    }
    assert [attention(grades[f"{ADA.name} ({login})"]) for login in ("ada", "ada21")] == [PERHAPS] * 2
    assert attention(grades[BEN.name]) == "nothing handed in"
    with pytest.raises(UsageError, match=r"Ada Lovelace means .* write each of them once"):
        given(tmp_path / "again", made, f'[students."{ADA.name}"]\npoints = 3\n')


def test_by_hand_has_rows_for_each_of_them_and_fills_in_that_one(tmp_path: Path) -> None:
    class_ = arriving.zipped(tmp_path / "class", {folder("1-2", "ada"): RIGHT, folder("1-3"): HALF})
    roster = arriving.roster(tmp_path, f"name,login\n{ADA.name},ada\n{ADA.name},ada21\n")
    out = tmp_path / "out"
    attend("grade", class_, "--out", out, "--roster", roster, "--only", "double", cwd=TOY)
    table = out / "by_hand.csv"
    rows = list(csv.DictReader(table.read_text(encoding="utf-8-sig").splitlines()))
    labels = [f"{ADA.name} (1-3)", f"{ADA.name} (ada)", f"{ADA.name} (ada21)"]
    assert sorted(row["student"] for row in rows) == labels
    for row in rows:
        row["points"] = "1" if row["login"] == "ada21" else ""
    with table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    run = attend("regrade", out, "--yes", cwd=TOY)
    assert run.returncode == 0, run.stderr
    scores = {each.student: each.score for each in book.read(out).grades}
    assert (scores[labels[2]], len(scores)) == (1.0, 3)


def test_an_export_fills_in_each_one_s_own_row_and_names_who_has_none(tmp_path: Path) -> None:
    files = {folder("1-2", "ada"): RIGHT, folder("1-3"): HALF}
    made, _ = enrol(read(tmp_path, files), BOTH)
    given(tmp_path, made)
    table = tmp_path / "brightspace.csv"
    table.write_text(
        "Username,Last Name,First Name,Toy Points Grade <Numeric MaxPoints:12>,End-of-Line Indicator\n"
        "#ada,Lovelace,Ada,,#\n#ada21,Lovelace,Ada,,#\n"
    )
    done = export(tmp_path / "grades", table, None, tmp_path / "out.csv")
    assert done.unmatched == [f"{ADA.name} (1-3)"]
    assert f"left as it was: one of the submissions that match nobody may be of {ADA.name} (ada21)" in done.text()
    filled = (tmp_path / "out.csv").read_text().splitlines()
    assert [row.split(",")[-2] != "" for row in filled[1:]] == [True, False]


def test_the_sum_names_a_submission_whose_name_two_on_the_roster_have(tmp_path: Path) -> None:
    made, _ = enrol(read(tmp_path, {folder("1-2"): RIGHT, folder("1-3", "ada"): HALF}), BOTH)
    given(tmp_path, made)
    found = sums.add_up([tmp_path / "grades"], BOTH)
    assert len(found.strangers) == 1
    assert f"{ADA.name} (1-2) has the name of 2 people on the roster" in found.strangers[0]
    assert sum(grade.result is not None for grade in found.grades) == 2
    roster = arriving.roster(tmp_path, f"name,id,login\n{ADA.name},11,ada\n{ADA.name},21,ada21\n")
    run = attend("grades", tmp_path / "grades", "--roster", roster, cwd=TOY)
    assert (run.returncode, "has the name of 2 people on the roster" in run.stdout) == (1, True)


def test_pages_that_wait_are_counted_and_the_status_says_so(tmp_path: Path) -> None:
    files = {**arriving.brightspace(), folder("1-2"): HALF}
    made, _ = enrol(read(tmp_path, files), Roster((ADA, BEN)))
    given(tmp_path, made)
    for form in (BACK["brightspace"], None):
        done = hand_back(form, tmp_path / "grades", None, hold=True)
        assert len(done.held) == 2
        assert ("the pages of 2 of 4 students" if form else "1 of 4 rows") in done.text()
    run = attend("return", "brightspace", tmp_path / "grades", "--hold", cwd=TOY)
    assert run.returncode == 1


def test_two_folders_of_one_name_on_codegrade_are_attempts_and_that_is_said(tmp_path: Path) -> None:
    files = {f"{ADA.name} - 2026-11-20 22:5{n}:00/{FILE}": RIGHT for n in (1, 2)}
    found = read(tmp_path, files)
    assert len({each.key for each in found.attempts}) == 1
    assert "if they are two people's, write each one's login in place of the name" in " ".join(found.problems)


def test_rows_of_a_roster_that_hold_one_name_and_no_more_are_told(tmp_path: Path) -> None:
    table = arriving.roster(tmp_path, f"name\n{ADA.name}\n{ADA.name}\n{BEN.name}\n")
    (says,) = Roster.read(table).remarks
    assert "in several rows, and taken for one student each: Ada Lovelace; if not, add logins or numbers" in says
