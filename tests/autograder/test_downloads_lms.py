"""Brightspace, Sakai, ILIAS and OpenOlat: whose a folder is, which upload counts, and what is no submission."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from autograder.classroom.enrol import enrol
from autograder.classroom.person import Attempt, Download, Person
from autograder.classroom.roster import Roster
from autograder.platforms import download as downloads
from tests.autograder import arriving
from tests.autograder.arriving import ADA, ANSWERS, BEN, COURSE, FILE, HALF, RIGHT, SQUARED, ZOE

MANY = {
    Person(
        f"Given {'abcdefgh'[number // 8]}{'abcdefgh'[number % 8]}", str(100 + number), f"user{number}"
    ): f"{HALF}# {number}\n"
    for number in range(60)
}
CLASSES = {
    "Brightspace": arriving.brightspace,
    "Sakai": arriving.sakai,
    "ILIAS": arriving.ilias,
    "OpenOlat": arriving.olat,
}


def read(place: Path, files: arriving.Files) -> Download:
    return downloads.read(arriving.zipped(place / "class", files), COURSE)


def only(place: Path, files: arriving.Files) -> Attempt:
    (attempt,) = [each for each in read(place, files).attempts if "ada" in each.key.casefold()]
    return attempt


def text(attempt: Attempt) -> str:
    return arriving.submission(attempt).chapters["ch01_toy"].text


def question(attempt: Attempt) -> str:
    """Why nothing was read of the chapter."""
    read = arriving.submission(attempt)
    assert read.chapters == {}
    return read.absent["ch01_toy"]


@pytest.mark.parametrize("form", CLASSES)
def test_of_a_class_of_sixty_each_text_is_its_students(tmp_path: Path, form: str) -> None:
    make: Callable[[Mapping[Person, str]], arriving.Files] = CLASSES[form]
    download = read(tmp_path, make(MANY))
    assert download.form == form
    register, entries = enrol(download, Roster(tuple(MANY)))
    assert (len(register.rows), register.absent, register.unmatched) == (60, (), ())
    by_stem = {attempt.key: text(attempt) for attempt in download.attempts}
    owner = {answer: person.name for person, answer in MANY.items()}
    assert {
        row.student: owner[by_stem[str(entry.path)]] for row, entry in zip(register.rows, entries, strict=True)
    } == {person.name: person.name for person in MANY}


def test_of_sixty_the_later_upload_to_brightspace_counts_with_its_time(tmp_path: Path) -> None:
    first = {person: datetime(2026, 11, 20, 9, 59) + timedelta(hours=hour) for hour, person in enumerate(MANY)}
    files = {
        f"{arriving.brightspace_upload(person, spelt(when + later))}/{FILE}": f"{text}# {later}\n"
        for person, when in first.items()
        for text, later in [(MANY[person], timedelta(minutes=2)), (HALF, timedelta(0))]
    }
    last = {attempt.person.name: attempt for attempt in read(tmp_path, files).attempts}
    assert {name: each.submitted for name, each in last.items()} == {
        person.name: when + timedelta(minutes=2) for person, when in first.items()
    }
    assert {name: text(each) for name, each in last.items()} == {
        person.name: f"{answer}# 0:02:00\n" for person, answer in MANY.items()
    }


def spelt(when: datetime) -> str:
    return f"{when:%b} {when.day}, {when:%Y} {int(f'{when:%I}')}{when:%M} {when:%p}"


def test_of_sixty_on_sakai_each_has_the_own_time(tmp_path: Path) -> None:
    times = {person: datetime(2026, 11, 20, tzinfo=UTC) + timedelta(minutes=each) for each, person in enumerate(MANY)}
    stamps = {
        f"Chapter 1/{arriving.sakai_student(person)}/timestamp.txt": when.isoformat().replace("+00:00", "Z")
        for person, when in times.items()
    }
    found = read(tmp_path, {**arriving.sakai(MANY), **stamps}).attempts
    assert {each.person.login: each.submitted for each in found} == {who.login: when for who, when in times.items()}


def test_of_thirty_teams_on_ilias_both_members_have_what_one_of_them_uploaded(tmp_path: Path) -> None:
    files = {
        f"Blatt 01/Abgaben/Team {index // 2}/{arriving.ilias_student(person)}/{name}": MANY[person]
        for index, person in enumerate(MANY)
        for name in [FILE if index % 2 else "notes.txt"]
    }
    people = list(MANY)
    uploaded = {person.login: MANY[people[index | 1]] for index, person in enumerate(people)}
    assert {each.person.login: text(each) for each in read(tmp_path, files).attempts} == uploaded


def test_of_sixty_on_olat_the_last_revision_of_each_counts(tmp_path: Path) -> None:
    revised = {
        f"ita_Week_1/{arriving.turned(person, '_')}_{person.login}/{4 + number}_revisions_{number}/{FILE}": text
        for person, answer in MANY.items()
        for number, text in [(1, HALF), (9, SQUARED), (10, f"{answer}# again\n")]
    }
    last = {each.person.login: text(each) for each in read(tmp_path, {**arriving.olat(MANY), **revised}).attempts}
    assert last == {person.login: f"{answer}# again\n" for person, answer in MANY.items()}


# Brightspace


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Nov 20, 2026 926 PM", "Nov 20, 2026 1007 PM"),
        ("Nov 20, 2026 117 AM", "Nov 20, 2026 1106 AM"),
        ("Nov 9, 2026 926 PM", "Nov 10, 2026 926 AM"),
        ("20 nov. 2026 926", "1 déc. 2026 800"),
        ("Sep 29, 2026 4:17 PM", "Oct 1, 2026 0317 PM"),
    ],
)
def test_of_uploads_to_brightspace_the_later_time_counts_however_it_is_spelt(
    tmp_path: Path, first: str, second: str
) -> None:
    files = {
        f"{arriving.brightspace_upload(ADA, second)}/{FILE}": RIGHT,
        f"{arriving.brightspace_upload(ADA, first)}/{FILE}": HALF,
        f"{arriving.brightspace_upload(BEN)}/{FILE}": HALF,
    }
    found = [each for each in read(tmp_path, files).attempts if each.person.name == ADA.name]
    assert [text(each) for each in found] == [HALF, RIGHT]
    assert len({each.key for each in found}) == 1


def test_uploads_whose_times_cannot_be_read_are_held_and_named(tmp_path: Path) -> None:
    files = {
        f"{arriving.brightspace_upload(ADA, f'{day} Nivôse 2026 926')}/{FILE}": f"{HALF}# {day}\n" for day in (1, 2)
    }
    download = read(tmp_path, files)
    (attempt,) = download.attempts
    assert "may each be ch01_toy.py, so none of them was read" in question(attempt)
    assert "nothing tells which of these was handed in last" in attempt.notes[0]
    assert "the time cannot be read in 2 names" in download.problems[0]


def test_brightspace_may_put_a_number_or_a_user_name_before_the_name_and_be_flat(tmp_path: Path) -> None:
    files = {
        f"11-2 - ada01 {ADA.name} - Nov 20, 2026 926 PM/{FILE}": RIGHT,
        f"12-2 - N0123 - {BEN.name} - Nov 20, 2026 926 PM - {FILE}": HALF,
        f"12-2 - N0123 - {BEN.name} - Nov 20, 2026 926 PM - notes.txt": "",
    }
    found = read(tmp_path, files).attempts
    assert [each.person for each in found] == [Person(ADA.name, login="ada01"), Person(BEN.name, "N0123")]
    assert arriving.paths(found[1]) == [FILE, "notes.txt"]


def test_two_students_of_one_name_on_brightspace_are_two(tmp_path: Path) -> None:
    files = {f"{number}-2 - {ADA.name} - Nov 20, 2026 926 PM/{FILE}": RIGHT for number in (1, 2)}
    assert len({each.key for each in read(tmp_path, files).attempts}) == 2


# Sakai


def test_sakai_s_feedback_and_typed_text_are_no_submission(tmp_path: Path) -> None:
    folder = f"Chapter 1/{arriving.sakai_student(ADA)}"
    more = {
        f"{folder}/Feedback Attachment(s)/{FILE}": SQUARED,
        f"{folder}/feedbackText.html": "",
        f"{folder}/{arriving.sakai_student(ADA)}_submissionText.html": "<p>",
    }
    attempt = only(tmp_path, arriving.sakai() | more)
    assert (arriving.paths(attempt), text(attempt)) == ([FILE], RIGHT)
    assert attempt.notes == (
        f"only files handed in are graded; not read: {arriving.sakai_student(ADA)}_submissionText.html",
    )


@pytest.mark.parametrize("stamp", ["20261120225900000", "2026-11-20T22:59:00.123456789Z"])
def test_sakai_s_times_may_be_digits_or_have_thousandths(tmp_path: Path, stamp: str) -> None:
    files = {**arriving.sakai(), f"Chapter 1/{arriving.sakai_student(ADA)}/timestamp.txt": stamp}
    submitted = only(tmp_path, files).submitted
    assert submitted
    assert submitted.replace(microsecond=0) == datetime(2026, 11, 20, 22, 59, tzinfo=UTC)


def test_a_file_that_sakai_numbered_is_held_as_its_number_tells_no_order(tmp_path: Path) -> None:
    again = f"Chapter 1/{arriving.sakai_student(ADA)}/Submission attachment(s)/ch01_toy+1.py"
    assert "ch01_toy+1.py" in question(only(tmp_path / "other", {**arriving.sakai(), again: SQUARED}))
    assert text(only(tmp_path / "same", {**arriving.sakai(), again: RIGHT})) == RIGHT


def test_a_group_on_sakai_is_each_of_its_members(tmp_path: Path) -> None:
    folder = "Chapter 1/Team 1 (5f2b)"
    both = f"{arriving.sakai_student(ADA)}; {arriving.sakai_student(BEN)}"
    files = {f"{folder}/Submission attachment(s)/{FILE}": RIGHT, f"{folder}/members.txt": both}
    found = read(tmp_path, files).attempts
    assert [(each.person.login, text(each), each.shared) for each in found] == [
        ("ada", RIGHT, "Team 1 (5f2b)"),
        ("ben", RIGHT, "Team 1 (5f2b)"),
    ]


def test_sakai_without_folders_for_students_is_told_by_the_names(tmp_path: Path) -> None:
    files = {f"{arriving.sakai_student(who)}_Submission attachment(s)_{FILE}": text for who, text in ANSWERS.items()}
    download = read(tmp_path, files)
    assert download.form == "Sakai"
    assert {each.person.login: text(each) for each in download.attempts} == {
        who.login: answer for who, answer in ANSWERS.items()
    }


# ILIAS


def test_what_lies_in_a_team_s_folder_on_ilias_is_each_member_s(tmp_path: Path) -> None:
    files = {
        f"Blatt 01/Abgaben/Team 5/{arriving.ilias_student(ADA)}/{FILE}": RIGHT,
        f"Blatt 01/Abgaben/Team 5/{arriving.ilias_student(BEN)}/essay.pdf": "%PDF",
        f"Blatt 01/Abgaben/Team 6/{arriving.ilias_student(ZOE)}/{FILE}": HALF,
    }
    found = read(tmp_path, files).attempts
    assert {each.person.login: (text(each), each.shared) for each in found} == {
        "ada": (RIGHT, "Team 5"),
        "ben": (RIGHT, "Team 5"),
        "zoe": (HALF, ""),
    }


@pytest.mark.parametrize("below", ["", "homework/"])
def test_two_members_of_a_team_with_the_same_chapter_are_both_asked_about(tmp_path: Path, below: str) -> None:
    ada, ben = (f"Blatt 01/Abgaben/Team 5/{arriving.ilias_student(who)}" for who in (ADA, BEN))
    files = {f"{ada}/{FILE}": RIGHT, f"{ben}/{below}{FILE}": SQUARED}
    for attempt in read(tmp_path, files).attempts:
        assert "so none of them was read" in question(attempt)


@pytest.mark.parametrize("mark", ["Late Submission - ", "Verspatete Abgabe - "])
def test_a_late_file_on_ilias_is_read_and_late(tmp_path: Path, mark: str) -> None:
    files = {f"Blatt 01/Abgaben/{arriving.ilias_student(who)}/{FILE}": RIGHT for who in (BEN, ZOE)}
    attempt = only(tmp_path, files | {f"Blatt 01/Abgaben/{arriving.ilias_student(ADA)}/{mark}{FILE}": RIGHT})
    assert (text(attempt), attempt.is_late, arriving.paths(attempt)) == (RIGHT, True, [FILE])


def test_a_second_file_of_one_name_on_ilias_is_held(tmp_path: Path) -> None:
    again = f"Blatt 01/Abgaben/{arriving.ilias_student(ADA)}/ch01_toy (2).py"
    assert "ch01_toy (2).py" in question(only(tmp_path, {**arriving.ilias(), again: SQUARED}))


def test_a_name_that_ilias_could_not_write_leaves_the_number(tmp_path: Path) -> None:
    files = {f"multi_feedback_Blatt_01_9/{who}/{FILE}": RIGHT for who in ("___zoe_13", arriving.ilias_student(ADA))}
    download = read(tmp_path, files)
    assert (download.form, download.attempts[1].person) == ("ILIAS", Person(id="13"))


def test_an_empty_folder_for_feedback_on_ilias_is_no_student(tmp_path: Path) -> None:
    files = {path.removeprefix("Blatt 01/Abgaben/"): text for path, text in arriving.ilias().items()}
    download = read(tmp_path, {**files, "multi_feedback_1_9/": ""})
    assert (download.form, len(download.attempts)) == ("ILIAS", 3)


# OpenOlat


def test_neither_the_task_nor_the_solution_on_olat_is_a_submission(tmp_path: Path) -> None:
    download = read(tmp_path, arriving.olat())
    assert sorted(arriving.texts(download).values()) == sorted(ANSWERS.values())
    nobody = f"ita_Week_1/Muller_Eve_eve/1_task/{FILE}"
    download = read(tmp_path / "more", {**arriving.olat(), nobody: RIGHT})
    assert len(download.attempts) == 3
    assert "handed in nothing, though a task or a correction is there: Muller_Eve_eve" in download.problems


def test_a_revision_on_olat_is_a_later_attempt_and_the_tenth_comes_after_the_second(tmp_path: Path) -> None:
    folder = f"ita_Week_1/{arriving.turned(ADA, '_')}_ada"
    revisions = {f"{folder}/{3 + number}_revisions_{number}/{FILE}": f"{HALF}# {number}\n" for number in (10, 2)}
    empty = {f"{folder}/9_corrections_2/{FILE}": SQUARED, f"{folder}/14_revisions_11/": ""}
    found = [each for each in read(tmp_path, arriving.olat() | revisions | empty).attempts if "Ada" in each.key]
    assert [text(each) for each in found] == [RIGHT, f"{HALF}# 2\n", f"{HALF}# 10\n"]
    assert found[2].notes == ("13_revisions_10 counts, as it was handed in after 2_submissions and 5_revisions_2",)


def test_a_group_task_on_olat_has_the_name_of_the_group(tmp_path: Path) -> None:
    files = {f"grouptask_Week_1/{team}_771/1_submissions/{FILE}": RIGHT for team in ("Team_Blue", "Team_Red")}
    assert [each.person for each in read(tmp_path, files).attempts] == [Person("Team Blue"), Person("Team Red")]


def test_a_name_of_many_words_on_olat_claims_no_login(tmp_path: Path) -> None:
    files = {f"ita_Week_1/{who}/2_submissions/{FILE}": RIGHT for who in ("van_Dyk_Ada_ada", "Muller_Zoe_zoe")}
    assert [each.person for each in read(tmp_path, files).attempts] == [
        Person("Zoe Muller", login="zoe"),
        Person("van Dyk Ada"),
    ]
