"""Whose each submission is: matched with a roster by what cannot be forged first, and nobody is lost."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from autograder.classroom import register
from autograder.classroom.enrol import enrol
from autograder.classroom.grades import grades
from autograder.classroom.person import NOBODY, Attempt, Download, Person
from autograder.classroom.policy import Policy
from autograder.classroom.roster import Roster
from autograder.core.records import ExerciseResult, SubmissionResult
from autograder.core.text import SAFE_STEM
from autograder.intake.submissions import read_submission
from autograder.platforms import download as downloads
from tests.autograder import arriving
from tests.autograder.arriving import ADA, BEN, COURSE, FORMS, HALF, RIGHT, ZOE
from tests.autograder.test_roster import CANVAS

ROSTER = Roster((ADA, BEN, ZOE))


def attempt(key: str, person: Person = NOBODY, hour: int = 0) -> Attempt:
    when = datetime(2026, 11, 20, tzinfo=UTC) + timedelta(hours=hour) if hour else None
    return Attempt(key, lambda: pytest.fail("nothing is opened to know whose it is"), person, when)


def of(*attempts: Attempt) -> Download:
    return Download("made", attempts)


def matched(download: Download, roster: Roster = ROSTER) -> dict[str, str]:
    """By stem, whom of the roster each submission is of."""
    made, _ = enrol(download, roster)
    said = " ".join(made.unmatched)
    return {row.stem: "" if row.student in said else row.person.email for row in made.rows}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_s_students_are_found_on_the_roster(tmp_path: Path, form: str) -> None:
    made, entries = enrol(downloads.read(arriving.zipped(tmp_path / "class", FORMS[form]()), COURSE), ROSTER)
    assert sorted(row.student for row in made.rows) == sorted(person.name for person in (ADA, BEN, ZOE))
    assert {row.person for row in made.rows} == {ADA, BEN, ZOE}
    assert (made.absent, made.unmatched) == ((), ())
    assert [entry.student for entry in entries] == [row.student for row in made.rows]


def test_the_platform_s_own_gradebook_is_the_roster_of_its_download(tmp_path: Path) -> None:
    roster = Roster.read(arriving.roster(tmp_path, CANVAS))
    made, _ = enrol(downloads.read(arriving.zipped(tmp_path / "class", arriving.canvas()), COURSE), roster)
    assert [row.student for row in made.rows] == ["Lovelace, Ada", "müllerzoë", "O'Brien, Ben"]
    assert made.unmatched == ("müllerzoë has the number 13, which is not on the roster",)


def test_without_a_roster_everybody_has_the_download_s_name(tmp_path: Path) -> None:
    made, entries = enrol(downloads.read(arriving.zipped(tmp_path / "class", arriving.moodle()), COURSE), None)
    assert [row.student for row in made.rows] == [ADA.name, BEN.name, ZOE.name]
    assert (made.form, made.absent, made.unmatched) == ("Moodle", (), ())
    assert read_submission(entries[0], COURSE).chapters["ch01_toy"].text == RIGHT


def test_a_plain_folder_s_names_and_stems_are_as_they_were(tmp_path: Path) -> None:
    made, entries = enrol(downloads.read(arriving.folder(tmp_path / "class", arriving.plain()), COURSE), None)
    assert [(row.stem, row.student) for row in made.rows] == [(name, name) for name in ("ada", "ben", "zoe")]
    assert [entry.stem for entry in entries] == ["ada", "ben", "zoe"]


def test_stems_are_the_same_with_a_roster_and_without(tmp_path: Path) -> None:
    for form, make in FORMS.items():
        download = downloads.read(arriving.zipped(tmp_path / form, make()), COURSE)
        with_roster, without = (enrol(download, roster)[0] for roster in (ROSTER, None))
        assert [row.stem for row in with_roster.rows] == [row.stem for row in without.rows]


@pytest.mark.parametrize(
    ("person", "email"),
    [
        (Person("Nobody At All", "11"), ADA.email),
        (Person("Nobody At All", login="ADA"), ADA.email),
        (Person("Nobody At All", email="Ada@Uni.Edu"), ADA.email),
        (Person("LOVELACE, Ada"), ADA.email),
        (Person("lovelaceada"), ADA.email),
        (Person("Müller Zoe"), ZOE.email),
        (Person("Obrien, BEN"), BEN.email),
        (Person("Ada"), ""),
        (Person("Ada Lovelace", "77"), ADA.email),
    ],
)
def test_a_person_is_known_by_number_login_address_or_name(person: Person, email: str) -> None:
    assert matched(of(attempt("x", person))) == {"x": email}


@pytest.mark.parametrize("key", ["ada", "11", "ada@uni.edu", "Ada Lovelace", "lovelace_ada"])
def test_the_name_of_a_student_s_folder_may_be_any_of_them(key: str) -> None:
    made, _ = enrol(of(attempt(key)), ROSTER)
    assert made.rows[0].person == ADA
    assert made.rows[0].student == ADA.name


def test_a_number_decides_and_a_name_cannot_take_its_place() -> None:
    eve, ben = attempt("eve", Person(ADA.name, "77", ADA.login, ADA.email)), attempt("ben", Person(BEN.name, "12"))
    made, entries = enrol(of(eve, ben), ROSTER)
    assert made.unmatched == ("Ada Lovelace (eve) has the number 77, which is not on the roster",)
    assert made.absent == (ADA, ZOE)
    assert len(entries) == 2


def test_numbers_of_another_kind_decide_nothing_and_that_is_said() -> None:
    made, _ = enrol(of(attempt("x", replace(ADA, id="9000")), attempt("y", replace(BEN, id="9001"))), ROSTER)
    assert made.unmatched == ()
    assert made.problems == (
        "no number in the download, such as 9000 and 9001, is on the roster, "
        "so submissions were matched by login, email address and name",
    )


def test_of_two_submissions_of_one_person_neither_wins_in_silence() -> None:
    sure, other = attempt("zzz", Person("Someone", "11")), attempt("aaa", Person(ADA.name))
    made, entries = enrol(of(sure, other), ROSTER)
    assert [(row.stem, row.person.id) for row in made.rows] == [("aaa", ""), ("zzz", "11")]
    assert made.unmatched == (
        "Ada Lovelace (aaa) has the name of a person on the roster, as has zzz, which counts as that person's",
    )
    assert len(entries) == 2


def test_a_login_in_other_letters_does_not_take_the_place_of_the_login_itself() -> None:
    made, _ = enrol(of(attempt("ADA"), attempt("ada"), attempt("Ada")), ROSTER)
    assert {row.stem for row in made.rows if row.person == ADA} == {
        stem for stem in (row.stem for row in made.rows) if stem.startswith("ada")
    }
    assert len(made.unmatched) == 2


def test_a_name_that_two_people_have_is_nobody_s() -> None:
    roster = Roster((Person("Ada Lovelace", email="a@b.c"), Person("Ada Lovelace", email="d@e.f")))
    made, _ = enrol(of(attempt("x", Person("Ada Lovelace"))), roster)
    assert made.unmatched == (
        "Ada Lovelace (x) has the name of 2 people on the roster; write whose it is in place of the name, in the "
        "unpacked download: a@b.c or d@e.f",
    )
    assert len(made.absent) == 2


def test_who_is_on_the_roster_and_handed_in_nothing_is_absent() -> None:
    made, _ = enrol(of(attempt("ada")), ROSTER)
    assert made.absent == (BEN, ZOE)


def test_students_of_one_name_can_be_told_apart() -> None:
    one, two, three = (Person("Jane Doe", number) for number in "123")
    made, _ = enrol(
        of(attempt("Jane Doe_1", one), attempt("Jane Doe_2", two), attempt("Jane Doe (Jane Doe_1)", three)), None
    )
    assert len({row.student for row in made.rows}) == 3


def test_a_name_made_to_look_like_another_student_stays_apart() -> None:
    made, _ = enrol(
        of(
            attempt("k", Person("Jane")),
            attempt("m", Person("Jane")),
            attempt("n", Person("Jane (k)")),
            attempt("o", Person("Jane (k) [k]")),
        ),
        None,
    )
    assert len({row.student for row in made.rows}) == 4


def test_only_the_latest_attempt_is_graded_unless_the_best_counts() -> None:
    download = of(attempt("ada", ADA, 1), attempt("ada", ADA, 2), attempt("ada", ADA, 3), attempt("ben", BEN, 1))
    latest, entries = enrol(download, ROSTER)
    assert [(row.stem, row.attempt, row.attempts) for row in latest.rows] == [("ada", 3, 3), ("ben", 1, 1)]
    assert [entry.stem for entry in entries] == ["ada", "ben"]
    best, entries = enrol(download, ROSTER, "best")
    assert [(row.stem, row.attempt) for row in best.rows] == [
        ("ada.attempt-1", 1),
        ("ada.attempt-2", 2),
        ("ada", 3),
        ("ben", 1),
    ]
    assert {row.student for row in best.rows} == {ADA.name, BEN.name}
    assert [entry.stem for entry in entries] == [row.stem for row in best.rows]


def test_the_stems_of_earlier_attempts_are_safe_and_nobody_else_s() -> None:
    names = ["ada", "ada.attempt-1", "ADA.attempt-1_", "n" * 300, "con"]
    download = of(*(attempt(name, hour=hour) for name in names for hour in (1, 2)))
    made, _ = enrol(download, None, "best")
    stems = [row.stem for row in made.rows]
    assert len({stem.casefold() for stem in stems}) == len(stems) == 10
    for stem in stems:
        assert SAFE_STEM.match(stem)
        assert set(stem) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")


def test_the_best_of_several_attempts_counts_end_to_end(tmp_path: Path) -> None:
    files = arriving.blackboard_attempt(ADA, RIGHT, "2026-11-20-10-00-00")
    files = {**files, **arriving.blackboard_attempt(ADA, HALF, "2026-11-20-11-00-00")}
    download = downloads.read(arriving.zipped(tmp_path / "class", files), COURSE)
    made, entries = enrol(download, ROSTER, "best")
    texts = {entry.stem: read_submission(entry, COURSE).chapters["ch01_toy"].text for entry in entries}
    assert texts == {"ada.attempt-1": RIGHT, "ada": HALF}
    results = {stem: _result(9 if text == RIGHT else 5) for stem, text in texts.items()}
    best, *absent = grades(replace(made, policy=Policy(attempt="best")), results)
    latest, *_ = grades(replace(made, policy=Policy(attempt="latest")), results)
    assert (best.score, latest.score) == (9, 5)
    assert [grade.person for grade in absent] == [BEN, ZOE]


def _result(score: float) -> SubmissionResult:
    exercise = ExerciseResult("ch01_toy", "double", score, 9, "passed", ())
    return SubmissionResult("x", score, 9, "off", 1, {}, (exercise,))


def test_when_somebody_pushed_comes_from_the_grades_of_github_classroom(tmp_path: Path) -> None:
    when = datetime(2026, 11, 20, 22, 59, tzinfo=UTC)
    roster = Roster((ADA, BEN), {ADA: when})
    made, _ = enrol(downloads.read(arriving.folder(tmp_path / "class", arriving.github()), COURSE), roster)
    assert {row.person.login: row.submitted for row in made.rows} == {"ada": when, "ben": None, "zoe": None}


def test_the_roster_s_word_on_who_was_late_stands_where_the_download_says_nothing() -> None:
    late = replace(ROSTER, late=frozenset({ADA, BEN}))
    made, _ = enrol(of(attempt("ada", ADA), replace(attempt("ben", BEN), is_late=False), attempt("zoe", ZOE)), late)
    assert {row.student: row.is_late for row in made.rows} == {ADA.name: True, BEN.name: False, ZOE.name: None}


def test_a_register_of_any_names_can_be_written_and_read_again(tmp_path: Path) -> None:
    odd = "a\x1b[31m\udcff\nb"
    made, _ = enrol(of(attempt(odd, Person(odd, "1\0"))), Roster((Person("Ada"),)))
    register.write(tmp_path, made)
    assert register.read(tmp_path) == made
