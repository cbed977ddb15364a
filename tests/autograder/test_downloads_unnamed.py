"""A class that no platform named: where it lies, who its students are, and what is asked rather than guessed."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from autograder.classroom.person import Attempt, Download
from autograder.core.errors import UsageError
from autograder.platforms import download as downloads
from tests.autograder import arriving
from tests.autograder.arriving import COURSE, FILE, HALF, RIGHT, SQUARED

Put = Callable[[Path, arriving.Files], Path]
EITHER = pytest.mark.parametrize("put", [arriving.folder, arriving.zipped])
TWO = {f"ada/{FILE}": RIGHT, f"ben/{FILE}": HALF}
MADE = {"grades/store.sqlite": "", "grades/grades.csv": "", f"grades/feedback/{FILE}": ""}


def read(place: Path, files: arriving.Files, put: Put = arriving.zipped) -> Download:
    return downloads.read(put(place / "class", files), COURSE)


def under(folder: str, files: Mapping[str, str]) -> dict[str, str]:
    return {f"{folder}/{name}": text for name, text in files.items()}


def said(download: Download) -> str:
    return "\n".join(download.problems)


def asked(place: Path, files: arriving.Files, put: Put = arriving.zipped) -> str:
    with pytest.raises(UsageError) as caught:
        read(place, files, put)
    return str(caught.value)


def why(attempt: Attempt) -> str:
    submission = arriving.submission(attempt)
    assert submission.chapters == {}
    return submission.absent["ch01_toy"]


@EITHER
@pytest.mark.parametrize("above", ["Chapter 3", "Chapter 3/all/of them", "Chapter 3: Attention"])
def test_a_lone_folder_at_the_top_is_no_student(tmp_path: Path, put: Put, above: str) -> None:
    download = read(tmp_path, under(above, TWO), put)
    assert (download.form, arriving.texts(download)) == ("folder", {"ada": RIGHT, "ben": HALF})


@EITHER
@pytest.mark.parametrize("inside", [FILE, f"exercises/{FILE}", "attend.toml", "ch09_other.ipynb"])
def test_a_lone_folder_that_may_be_a_student_s_own_is_asked_about(tmp_path: Path, put: Put, inside: str) -> None:
    says = asked(tmp_path, {f"ada/{inside}": RIGHT}, put)
    assert f"holds one folder, ada, with {inside.partition('/')[0]} in it" in says
    assert "add --layout '{name}'" in says
    assert "add --layout '{*}/{name}'" in asked(tmp_path / "deeper", {f"Chapter 3/ada/{inside}": RIGHT}, put)


@EITHER
def test_a_lone_folder_that_is_a_student_s_is_one_by_layout(tmp_path: Path, put: Put) -> None:
    place = put(tmp_path / "class", {f"Chapter 3/ada/exercises/{FILE}": RIGHT})
    assert arriving.texts(downloads.read(place, COURSE, "{*}/{name}")) == {"ada": RIGHT}


def test_a_lone_folder_without_submissions_is_none(tmp_path: Path) -> None:
    assert "there are no submissions in" in asked(tmp_path, {"x/": ""}, arriving.folder)


@EITHER
@pytest.mark.parametrize("above", ["", "Chapter 3/"])
def test_what_attend_wrote_into_the_class_is_no_student(tmp_path: Path, put: Put, above: str) -> None:
    files = {f"{above}{name}": text for name, text in {**TWO, **MADE}.items()}
    download = read(tmp_path, files, put)
    assert sorted(arriving.texts(download)) == ["ada", "ben"]
    assert said(download) == "left out, because `attend grade` wrote it: grades"


@EITHER
def test_results_beside_a_lone_folder_do_not_make_it_a_student(tmp_path: Path, put: Put) -> None:
    download = read(tmp_path, {**under("Chapter 3", TWO), **MADE}, put)
    assert sorted(arriving.texts(download)) == ["ada", "ben"]
    assert "left out, because `attend grade` wrote it: grades" in said(download)


@pytest.mark.parametrize("name", ["solutions", "1_task", "3_solutions", "Template", "Sample solution", "feedback"])
def test_a_folder_that_its_name_says_is_no_submission_is_left_out_and_said(tmp_path: Path, name: str) -> None:
    download = read(tmp_path, {**TWO, f"{name}/{FILE}": RIGHT})
    assert sorted(arriving.texts(download)) == ["ada", "ben"]
    assert said(download) == f"left out, as the name is that of no submission: {name}"


def test_a_colon_in_a_folder_s_name_is_read_and_a_drive_is_not(tmp_path: Path) -> None:
    download = read(tmp_path, {**under("Week 3: Attention", TWO), f"C:\\eve\\{FILE}": "", f"C:eve/{FILE}": ""})
    assert sorted(arriving.texts(download)) == ["ada", "ben"]
    assert "lead out of the zip" in said(download)


@EITHER
@pytest.mark.parametrize("apart", ["_", "-", " "])
def test_files_named_after_students_and_chapters_are_a_class(tmp_path: Path, put: Put, apart: str) -> None:
    files = {f"ada{apart}{FILE}": RIGHT, f"Zoë Müller{apart}ch01.py": SQUARED, f"an_a{apart}ch01_toy.ipynb": "{}"}
    download = read(tmp_path, files | {"grades.csv": ""}, put)
    assert download.form == "files"
    assert sorted(attempt.key for attempt in download.attempts) == ["Zoë Müller", "ada", "an_a"]
    assert arriving.texts(download)["ada"] == RIGHT
    assert arriving.texts(download)["Zoë Müller"] == SQUARED
    assert said(download) == "left out, because not named after a student and a chapter: grades.csv"


def test_sixty_students_in_one_folder_are_sixty(tmp_path: Path) -> None:
    texts = {f"user{number}": f"{HALF}# {number}\n" for number in range(60)}
    download = read(tmp_path, {f"{student}_{FILE}": text for student, text in texts.items()})
    assert arriving.texts(download) == texts


@pytest.mark.parametrize(
    "files",
    [
        {f"ada_{FILE}": RIGHT, f"ada_{FILE.replace('.py', '.ipynb')}": "{}"},
        {f"my_{FILE}": RIGHT, f"old_{FILE}": HALF},
        {f"ada_{FILE}": RIGHT, f"ben_{FILE}": HALF, "eve.py": HALF},
        {f"ada_{FILE}": RIGHT, f"ben_{FILE}": HALF, f"eve/{FILE}": HALF},
        {"one.py": RIGHT, "two.py": HALF, "ada/x.txt": ""},
        {"homework.py": RIGHT, **under("week 3", TWO)},
    ],
    ids=["one student", "no students", "another file", "a folder too", "other names", "a lone folder too"],
)
def test_files_that_may_be_anybody_s_are_asked_about_with_a_pattern(tmp_path: Path, files: arriving.Files) -> None:
    says = asked(tmp_path, files)
    assert sorted(files)[0] in says
    assert "tell it how: --layout '" in says


def test_the_proposed_pattern_fits(tmp_path: Path) -> None:
    files = {f"{who}_homework{number}.py": RIGHT for number, who in enumerate(("ada", "ben", "zoe"))}
    proposed = asked(tmp_path, files).partition("--layout '")[2].rstrip("'")
    assert proposed == "{login}_{file}"
    found = downloads.read(tmp_path / "class.zip", COURSE, proposed).attempts
    assert [attempt.person.login for attempt in found] == ["ada", "ben", "zoe"]


AGAIN = ["ada_ch01_toy (1).py", "ada_ch01_toy-1.py", "ada_ch01_toy_v2.py", "ada_ch01_toy_final.py"]


@pytest.mark.parametrize("again", AGAIN)
def test_a_second_version_of_a_file_is_held_unless_it_is_the_same(tmp_path: Path, again: str) -> None:
    files = {f"ada_{FILE}": RIGHT, f"ben_{FILE}": HALF}
    ada, ben = read(tmp_path, {**files, again: SQUARED}).attempts
    assert "may each be ch01_toy.py, so none of them was read" in why(ada)
    assert again in why(ada)
    assert arriving.submission(ben).chapters["ch01_toy"].text == HALF
    same, _ = read(tmp_path / "same", {**files, again: RIGHT}).attempts
    assert arriving.submission(same).chapters["ch01_toy"].text == RIGHT


@EITHER
def test_a_folder_and_a_zip_of_one_student_are_held_unless_they_are_the_same(tmp_path: Path, put: Put) -> None:
    for number, (text, is_held) in enumerate([(SQUARED, True), (RIGHT, False)]):
        files = {**TWO, "ada.zip": arriving.packed({f"homework/{FILE}": text})}
        ada, _ = read(tmp_path / str(number), files, put).attempts
        if is_held:
            assert why(ada).startswith(f"ada/{FILE} and ada.zip/homework/{FILE} may each be")
        else:
            assert arriving.submission(ada).chapters["ch01_toy"].text == RIGHT


def test_versions_hold_back_only_the_chapters_that_several_have(tmp_path: Path) -> None:
    files = {**TWO, "ada/essay.txt": "", "ben.zip": arriving.packed({"essay.pdf": ""})}
    _, ben = read(tmp_path, files).attempts
    assert arriving.submission(ben).chapters["ch01_toy"].text == HALF


def test_the_times_in_a_zip_decide_nothing(tmp_path: Path) -> None:
    path = arriving.zipped(tmp_path / "class", {f"ben_{FILE}": HALF, f"ada_{FILE}": RIGHT})
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(zipfile.ZipInfo("ada_ch01_toy (1).py", (2030, 1, 1, 0, 0, 0)), SQUARED)
    assert "none of them was read" in why(downloads.read(path, COURSE).attempts[0])


def test_a_folder_with_a_download_its_copy_and_a_table_says_what_to_give(tmp_path: Path) -> None:
    place = tmp_path / "Downloads"
    for name, make in (("Chapter 1", arriving.brightspace), ("Chapter 2", arriving.moodle)):
        arriving.zipped(place / name, make())
        arriving.folder(place / name, make())
        (place / "grades.csv").write_text("name\n")
        with pytest.raises(UsageError) as caught:
            downloads.read(place, COURSE)
        if name == "Chapter 1":
            assert str(caught.value) == f"{place} holds a download from Brightspace (Chapter 1.zip); give that"
    says = "holds 2 downloads from Brightspace and Moodle (Chapter 1.zip and Chapter 2.zip); give one of them"
    assert says in str(caught.value)


@pytest.mark.parametrize("form", ["Brightspace", "Canvas", "Moodle", "Blackboard", "Sakai", "ILIAS", "OpenOlat"])
def test_a_zip_beside_a_table_and_copies_without_their_zips_are_told_too(tmp_path: Path, form: str) -> None:
    files = arriving.FORMS[form]()
    arriving.zipped(tmp_path / "one" / "all", files)
    (tmp_path / "one" / "grades.csv").write_text("name\n")
    with pytest.raises(UsageError, match=rf"holds a download from {form} \(all\.zip\); give that"):
        downloads.read(tmp_path / "one", COURSE)
    two = under("a", files) | under("b", files)
    assert f"holds 2 downloads from {form} (a and b); give one of them" in asked(tmp_path, two)


def test_students_zips_are_no_downloads_of_a_class(tmp_path: Path) -> None:
    for name, text in (("ada", RIGHT), ("ben", HALF)):
        versions = {f"Chapter {n}/Version {v}/{FILE}": text for n in (1, 2) for v in (1, 2)}
        arriving.zipped(tmp_path / "in" / name, versions | {f"{name} - {FILE}": text})
    assert downloads.read(tmp_path / "in", COURSE).form == "folder"
