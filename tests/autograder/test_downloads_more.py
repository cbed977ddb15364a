"""Downloads of more platforms: whose each file is, which version counts, and when it was handed in."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC
from pathlib import Path

import pytest

from autograder.classroom.enrol import enrol
from autograder.classroom.person import Download
from autograder.classroom.roster import Roster
from tests.autograder import arriving
from tests.autograder.arriving import ADA, BEN, ZOE
from tests.autograder.arriving_more import (
    DATED,
    FORMS,
    ONCE,
    Versions,
    marked,
    read,
    sixty,
    text,
    unsaid,
    when,
    zipped,
)

Put = Callable[[Path, arriving.Files], Download]
EVERY = pytest.mark.parametrize("form", FORMS)
VERSIONED = pytest.mark.parametrize("form", [form for form in FORMS if form != "Google Classroom"])
ROSTER = Roster((ADA, BEN, ZOE))


@EVERY
@pytest.mark.parametrize("put", [read, zipped])
def test_a_class_is_told_by_its_names_and_everybody_s_answers_are_read(tmp_path: Path, form: str, put: Put) -> None:
    download = put(tmp_path, FORMS[form](ONCE))
    assert download.form == form.split(",")[0]
    assert sorted(map(text, download.attempts)) == sorted(arriving.ANSWERS.values())
    assert unsaid(download) == []


@pytest.mark.parametrize("form", sorted(set(FORMS) - {"PrairieLearn"}))  # whose zip has a folder of its own already
def test_a_class_zip_may_hold_the_folder_of_the_class(tmp_path: Path, form: str) -> None:
    download = zipped(tmp_path, {f"class/{name}": data for name, data in FORMS[form](ONCE).items()})
    assert (download.form, len(download.attempts)) == (form.split(",")[0], 3)


@EVERY
def test_each_student_is_found_on_the_roster(tmp_path: Path, form: str) -> None:
    register, entries = enrol(read(tmp_path, FORMS[form](ONCE)), ROSTER)
    assert {row.person.login for row in register.rows} == {"ada", "ben", "zoe"}
    assert (len(entries), register.absent, register.unmatched) == (3, (), ())


@VERSIONED
def test_version_ten_comes_after_version_two_and_the_last_one_counts(tmp_path: Path, form: str) -> None:
    versions: Versions = {ADA: [marked(ADA, number) for number in range(1, 13)], BEN: [marked(BEN, 1)]}
    download = read(tmp_path, FORMS[form](versions))
    ada = [attempt for attempt in download.attempts if "ada" in text(attempt)]
    assert [text(attempt) for attempt in ada] == versions[ADA]
    register, entries = enrol(download, ROSTER)
    assert [row.attempt for row in register.rows if row.person == ADA] == [12]
    assert len(entries) == 2


@EVERY
def test_of_a_class_of_sixty_each_gets_the_last_version_and_its_time(tmp_path: Path, form: str) -> None:
    people = sixty()
    count = {person: 1 if form == "Google Classroom" else place % 12 + 1 for place, person in enumerate(people)}
    versions = {person: [marked(person, number) for number in range(1, count[person] + 1)] for person in people}
    download = zipped(tmp_path, FORMS[form](versions))
    register, entries = enrol(download, Roster(tuple(people)))
    assert (len(register.rows), register.absent, register.unmatched) == (60, (), ())
    latest = {attempt.key: attempt for attempt in download.attempts}
    for row, entry in zip(register.rows, entries, strict=True):
        attempt = latest[str(entry.path)]
        login, version = re.findall(r"# (\w+) (\d+)", text(attempt))[0]
        assert (login, int(version)) == (row.person.login, count[row.person])
        told = row.submitted and row.submitted.replace(tzinfo=UTC)
        assert told == (when(int(version)) if form in DATED else None)


@EVERY
def test_what_belongs_to_nobody_is_left_out_and_said(tmp_path: Path, form: str) -> None:
    inside = {"PrairieLearn": "Homework1/", "Microsoft Teams": "Submitted files/", "Submitty": "submissions/"}
    top = inside.get(form, "")
    download = read(
        tmp_path, {**FORMS[form](ONCE), f"{top}notes/x.txt": "", f"{top}.DS_Store": "", f"{top}roster.csv": ""}
    )
    assert (download.form, len(download.attempts)) == (form.split(",")[0], 3)
    said = " ".join(download.problems)
    assert "roster.csv" in said
    assert "notes" in said
