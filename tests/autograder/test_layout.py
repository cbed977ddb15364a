"""`--layout`: the teacher says how the paths of a download tell whose each is."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from autograder.classroom.person import Download, Person
from autograder.core.errors import UsageError
from autograder.platforms import download as downloads
from tests.autograder import arriving
from tests.autograder.arriving import ADA, BEN, COURSE, FILE, HALF, RIGHT, SQUARED

Put = Callable[[Path, arriving.Files], Path]
EITHER = pytest.mark.parametrize("put", [arriving.folder, arriving.zipped])


def read(place: Path, files: arriving.Files, layout: str, put: Put = arriving.zipped) -> Download:
    return downloads.read(put(place / "class", files), COURSE, layout)


@EITHER
@pytest.mark.parametrize(
    ("layout", "form", "person"),
    [
        ("{name}_{id}/{file}", "Ada Lovelace_11/{}", Person(ADA.name, "11")),
        ("{name}_{id}", "Ada Lovelace_11/deep/down/{}", Person(ADA.name, "11")),
        ("{login}_{file}", "ada_l_{}", Person(login="ada_l")),
        ("{last}, {first} ({login})/{*}/{file}", "Lovelace, Ada (ada)/any/{}", Person(ADA.name, login="ada")),
        ("{first} {last}/{file}", "Ada van Lovelace/{}", Person("Ada van Lovelace")),
        ("{*}/{email}/{file}", "week 1/ada@uni.edu/{}", Person(email="ada@uni.edu")),
        ("{group}/{login}/{file}", "Team 1/ada/{}", Person(login="ada")),
        ("{last}/{first}", "Lovelace/Ada/{}", Person("Lovelace Ada")),
    ],
)
def test_a_pattern_says_who_a_student_is(tmp_path: Path, put: Put, layout: str, form: str, person: Person) -> None:
    download = read(tmp_path, {form.format(FILE): RIGHT}, layout, put)
    assert (download.form, [each.person for each in download.attempts]) == ("layout", [person])
    assert list(arriving.texts(download).values()) == [RIGHT]


def test_what_fits_and_what_does_not_is_said(tmp_path: Path) -> None:
    files = {f"ada_11/{FILE}": RIGHT, f"ben_12/{FILE}": HALF, "notes/x.txt": "", "read me.txt": ""}
    assert read(tmp_path, files, "{login}_{id}/{file}").problems == (
        "--layout {login}_{id}/{file} fits 2 paths of 2 students, such as ada_11 of 11_ada",
        "left out, because --layout does not fit: notes and read me.txt",
    )


def test_a_zip_is_a_student_s_as_a_folder_is(tmp_path: Path) -> None:
    download = read(tmp_path, {"ada.zip": arriving.packed({FILE: RIGHT}), "notes.txt": ""}, "{login}")
    assert [(each.person, arriving.submission(each).chapters["ch01_toy"].text) for each in download.attempts] == [
        (Person(login="ada"), RIGHT)
    ]


@pytest.mark.parametrize(
    ("layout", "first", "second"),
    [
        ("{login}/{attempt}/{file}", f"ada/2/{FILE}", f"ada/10/{FILE}"),
        ("{login}/Version {attempt}/{file}", f"ada/Version 2/{FILE}", f"ada/Version 10/{FILE}"),
        ("{login}_{time}_{file}", f"ada_20261120-235900_{FILE}", f"ada_20261121-070000_{FILE}"),
        ("{login} - {time}/{file}", f"ada - Nov 9, 2026 926 PM/{FILE}", f"ada - Nov 10, 2026 926 AM/{FILE}"),
        ("{attempt} {time} {login}", f"2 2026-11-22-08-00-00 ada/{FILE}", f"3 2026-11-21-08-00-00 ada/{FILE}"),
    ],
)
def test_numbers_and_times_order_the_attempts_and_spelling_does_not(
    tmp_path: Path, layout: str, first: str, second: str
) -> None:
    found = read(tmp_path, {second: RIGHT, first: HALF}, layout).attempts
    assert [arriving.submission(each).chapters["ch01_toy"].text for each in found] == [HALF, RIGHT]


def test_a_time_is_kept_without_a_zone(tmp_path: Path) -> None:
    (attempt,) = read(tmp_path, {f"ada 2026-11-20-23-59-00/{FILE}": RIGHT}, "{login} {time}").attempts
    assert attempt.submitted == datetime(2026, 11, 20, 23, 59)


@pytest.mark.parametrize(
    ("layout", "one", "other"),
    [
        ("{*}/{login}/{file}", f"first/ada/{FILE}", f"second/ada/{FILE}"),
        ("{login}/{*}/{file}", f"ada/a/{FILE}", f"ada/b/{FILE}"),
        ("{login} {time}/{file}", f"ada day 1/{FILE}", f"ada day 2/{FILE}"),
    ],
)
def test_versions_that_nothing_orders_are_held_and_both_named(
    tmp_path: Path, layout: str, one: str, other: str
) -> None:
    (attempt,) = read(tmp_path, {one: HALF, other: SQUARED}, layout).attempts
    says = arriving.submission(attempt).absent["ch01_toy"]
    assert f"{one} and {other} may each be ch01_toy.py, so none of them was read" in says


def test_versions_are_told_apart_in_zips_and_at_any_depth(tmp_path: Path) -> None:
    packed = {"first/ada/hw.zip": HALF, "second/ada/far/below/hw.zip": SQUARED}
    files = {name: arriving.packed({FILE: text}) for name, text in packed.items()}
    (attempt,) = read(tmp_path, files, "{*}/{login}/{file}").attempts
    assert "none of them was read" in arriving.submission(attempt).absent["ch01_toy"]


def test_numbers_that_repeat_and_times_that_are_missing_order_nothing(tmp_path: Path) -> None:
    names = ("1 2026-11-20-08-00-00", "1 day 2", "2 day 1")
    files = {f"ada {name}/{FILE}": f"{HALF}# {name}\n" for name in names}
    (attempt,) = read(tmp_path, files, "{login} {attempt} {time}").attempts
    assert "none of them was read" in arriving.submission(attempt).absent["ch01_toy"]


def test_files_of_one_student_are_one_submission(tmp_path: Path) -> None:
    files = {f"ada_{FILE}": RIGHT, "ada_ch09_more.py": "", f"ben_{FILE}": HALF}
    ada, ben = read(tmp_path, files, "{login}_{file}").attempts
    assert (arriving.paths(ada), arriving.paths(ben)) == ([FILE, "ch09_more.py"], [FILE])


def test_of_sixty_each_has_the_own_text_and_number(tmp_path: Path) -> None:
    texts = {f"{1000 + number}": f"{HALF}# {number}\n" for number in range(60)}
    files = {
        f"hw/{number} (user{number}) v{version}/{FILE}": text if version == 2 else SQUARED
        for number, text in texts.items()
        for version in (1, 2)
    }
    found = read(tmp_path, files, "hw/{id} ({login}) v{attempt}/{file}").attempts
    last = {each.person.id: each for each in found}
    assert {number: arriving.submission(each).chapters["ch01_toy"].text for number, each in last.items()} == texts
    assert {each.person.login for each in found} == {f"user{number}" for number in texts}


@pytest.mark.parametrize(
    ("layout", "says"),
    [
        ("{nane}/{file}", r"--layout has no field \{nane\}; it has \{name\} "),
        (
            "{name/{file}",
            r"--layout has a \{ without its \}, at '\{name/\{file\}'; write a field as",
        ),
        ("name}/{file}", r"--layout has a \} without its \{, after 'name'; write"),
        ("{group}/{file}", "--layout must say whose a submission is"),
        ("{login}_{login}", r"--layout has \{login\} twice"),
        ("{id}", r"fits nothing in .*class\.zip, which holds a_b_c/ch01_toy\.py and ben/ch01_toy\.py; write"),
        ("{name}_{login}", r"'a_b_c' fits \{name\}_\{login\} in several ways \(.*a.* or .*\); write down"),
    ],
)
def test_a_pattern_that_cannot_be_used_says_what_to_write(tmp_path: Path, layout: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        read(tmp_path, {f"a_b_c/{FILE}": RIGHT, f"ben/{FILE}": HALF}, layout)


def test_a_student_s_file_name_cannot_look_like_another_student(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="in several ways"):
        read(tmp_path, {"ben - ada - homework.py": RIGHT}, "{name} - {file}")
    files = {"ben - ada - homework.py": RIGHT, "zoe - homework.py": HALF}
    download = read(tmp_path / "both", files, "{name} - {file}")
    assert [each.key for each in download.attempts] == ["zoe"]
    assert "'ben - ada - homework.py' fits {name} - {file} in several ways" in download.problems[1]
    forged = read(tmp_path / "forged", {f"ben/ada_{FILE}": RIGHT}, "{login}/{file}")
    assert [each.person for each in forged.attempts] == [Person(login=BEN.login)]
