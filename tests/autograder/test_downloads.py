"""A class is graded as it arrives: whatever platform it comes from, as a folder or as the zip that was downloaded."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from autograder.calls.local import LocalTarget
from autograder.classroom.enrol import enrol
from autograder.classroom.roster import Roster
from autograder.core.errors import UsageError
from autograder.core.records import SubmissionResult
from autograder.core.submission import Submission
from autograder.course.course import Course
from autograder.intake import archive
from autograder.intake.submissions import read_submission
from autograder.judging.judge import judge
from autograder.platforms import download as downloads
from tests.autograder import arriving
from tests.autograder.arriving import ADA, BEN, COURSE, FILE, FORMS, RIGHT, ZOE

ROSTER = Roster((ADA, BEN, ZOE))
Put = Callable[[Path, arriving.Files], Path]
EVERY = pytest.mark.parametrize("form", FORMS)
EITHER = pytest.mark.parametrize("put", [arriving.folder, arriving.zipped])


def read(place: Path, files: arriving.Files, put: Put = arriving.zipped) -> downloads.Download:
    return downloads.read(put(place / "class", files), COURSE)


@EVERY
@EITHER
def test_a_class_is_told_by_its_names_and_everybody_s_answers_are_read(tmp_path: Path, form: str, put: Put) -> None:
    download = read(tmp_path, FORMS[form](), put)
    assert download.form == form.split(",")[0]
    assert sorted(arriving.texts(download).values()) == sorted(arriving.ANSWERS.values())
    about_times, about_olat = "UTC", "left out, as the name is that of no submission: solutions"
    assert [problem for problem in download.problems if about_times not in problem and problem != about_olat] == []


def submissions(path: Path) -> list[tuple[str, Submission]]:
    """Whose each submission of a class is, and what it is."""
    register, entries = enrol(downloads.read(path, COURSE), ROSTER)
    return [(row.student, read_submission(each, COURSE)) for row, each in zip(register.rows, entries, strict=True)]


def test_a_class_gets_the_same_grades_in_whatever_form_it_arrives(tmp_path: Path, toy: Course) -> None:
    found = [
        (form, *each) for form, make in FORMS.items() for each in submissions(arriving.zipped(tmp_path / form, make()))
    ]
    scores: list[float] = []

    def accept(result: SubmissionResult) -> None:
        scores.append(result.score)

    judge(toy, toy.exercises, [(each, LocalTarget(each)) for *_, each in found], 1, accept)
    by_form: dict[str, dict[str, float]] = {}
    for (form, name, _), score in zip(found, scores, strict=True):
        by_form.setdefault(form, {})[name] = score
    assert by_form == {form: {ADA.name: 9, BEN.name: 6, ZOE.name: 5} for form in FORMS}


def test_nothing_of_a_class_zip_is_unpacked_to_disk(tmp_path: Path) -> None:
    arriving.texts(read(tmp_path, arriving.moodle()))
    assert [path.name for path in tmp_path.iterdir()] == ["class.zip"]


@pytest.mark.parametrize(
    ("form", "known"),
    [
        ("Canvas", {"id": "11", "name": "lovelaceada"}),
        ("Moodle", {"id": "11", "name": ADA.name}),
        ("Gradescope", {"id": "11", "name": ADA.name, "email": ADA.email}),
        ("Blackboard", {"login": "ada", "name": ADA.name}),
        ("GitHub Classroom", {"login": "ada"}),
        ("Brightspace", {"name": ADA.name}),
        ("Sakai", {"login": "ada", "name": ADA.name}),
        ("ILIAS", {"id": "11", "login": "ada", "name": ADA.name}),
        ("OpenOlat", {"login": "ada", "name": ADA.name}),
    ],
)
def test_what_a_platform_tells_of_a_person_is_kept(tmp_path: Path, form: str, known: dict[str, str]) -> None:
    (person,) = {each.person for each in read(tmp_path, FORMS[form]()).attempts if "ada" in each.key.casefold()}
    assert {key: value for key in ("id", "name", "login", "email") if (value := getattr(person, key))} == known


@pytest.mark.parametrize(
    ("form", "when"),
    [
        ("Gradescope", datetime(2026, 11, 20, 22, 59, tzinfo=UTC)),
        ("nbgrader", datetime(2026, 11, 20, 22, 59, tzinfo=UTC)),
        ("Blackboard", datetime(2026, 11, 20, 23, 59)),
        ("Brightspace", datetime(2026, 11, 20, 21, 26)),
        ("Sakai", datetime(2026, 11, 20, 22, 59, tzinfo=UTC)),
        ("Moodle", None),
        ("ILIAS", None),
        ("OpenOlat", None),
    ],
)
def test_when_it_was_handed_in_is_kept_with_its_time_zone(tmp_path: Path, form: str, when: datetime | None) -> None:
    assert {attempt.submitted for attempt in read(tmp_path, FORMS[form]()).attempts} == {when}


def test_a_zip_within_a_class_zip_is_opened_in_memory(tmp_path: Path) -> None:
    inner = arriving.packed({f"my homework/{FILE}": RIGHT, "__MACOSX/._x": ""})
    for number, files in enumerate(
        [
            {arriving.canvas_name(ADA, "homework.zip"): inner},
            {f"{ADA.name}_11_assignsubmission_file_/homework.zip": inner},
            {"ada/homework.zip": inner, "ben/x.txt": ""},
            {"ada.zip": inner},
        ]
    ):
        download = read(tmp_path / str(number), files)
        assert next(iter(arriving.texts(download).values())) == RIGHT


def test_zips_beside_other_files_of_a_platform_s_submission_are_opened_too(tmp_path: Path) -> None:
    inner = arriving.packed({FILE: RIGHT})
    files = {arriving.canvas_name(ADA, "part.zip"): inner, arriving.canvas_name(ADA, "essay.pdf"): "%PDF"}
    (attempt,) = read(tmp_path, files).attempts
    assert arriving.paths(attempt) == ["essay.pdf", f"part.zip/{FILE}"]
    assert arriving.submission(attempt).chapters["ch01_toy"].text == RIGHT


def test_a_zip_that_is_damaged_is_that_student_s_alone(tmp_path: Path) -> None:
    files = {arriving.canvas_name(ADA, "homework.zip"): b"PK nothing", arriving.canvas_name(BEN, FILE): RIGHT}
    ada, ben = (arriving.submission(attempt) for attempt in read(tmp_path, files).attempts)
    problem = ada.chapters["ch01_toy"].problem
    assert problem
    assert problem.message.startswith("homework.zip cannot be read as a zip file")
    assert ben.chapters["ch01_toy"].text == RIGHT


def test_the_bytes_of_one_student_count_against_nobody_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "TOTAL_LIMIT", len(RIGHT) + 10)
    assert sorted(arriving.texts(read(tmp_path, arriving.canvas())).values()) == sorted(arriving.ANSWERS.values())


def test_all_parts_of_one_student_count_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = arriving.packed({FILE: RIGHT})
    monkeypatch.setattr(archive, "TOTAL_LIMIT", len(inner) + len(RIGHT) - 1)
    (attempt,) = read(tmp_path, {arriving.canvas_name(ADA, "homework.zip"): inner}).attempts
    problem = arriving.submission(attempt).chapters["ch01_toy"].problem
    assert problem
    assert "is one too many" in problem.message


def test_a_bomb_within_a_class_zip_is_not_unpacked(tmp_path: Path) -> None:
    bomb = arriving.packed({"ch01_toy.ipynb": b" " * 21 * 1024**2})
    files = {
        arriving.canvas_name(ADA, "homework.zip"): bomb,
        arriving.canvas_name(BEN, "ch01_toy.ipynb"): b" " * 21 * 1024**2,
    }
    for attempt in read(tmp_path, files).attempts:
        problem = arriving.submission(attempt).chapters["ch01_toy"].problem
        assert problem
        assert "is larger than 20 MiB; clear its outputs" in problem.message


def test_a_class_zip_with_an_endless_list_of_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autograder.platforms.class_zip.LIST_LIMIT", 100)
    with pytest.raises(UsageError, match="its list of files is larger than"):
        read(tmp_path, arriving.canvas())


def test_a_class_of_a_thousand_is_read_to_its_last_student(tmp_path: Path) -> None:
    files = {f"student{number}_{number}_9{number}_{FILE}": RIGHT for number in range(1000)}
    download = read(tmp_path, files)
    assert len(arriving.texts(download)) == 1000


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda place: place / "nothing", "nothing is not there; give the folder or zip that you downloaded"),
        (lambda place: arriving.folder(place / "empty", {}), "there are no submissions in"),
        (lambda place: arriving.zipped(place / "empty", {}), "there are no submissions in"),
        (lambda place: arriving.zipped(place / "one", {FILE: RIGHT}), r"holds ch01_toy\.py itself; give each student"),
        (lambda place: arriving.roster(place, "name\n"), "is a table; a roster goes behind --roster"),
        (
            lambda place: arriving.zipped(place / "a", {"xl/workbook.xml": ""}).rename(place / "a.xlsx"),
            "is a table; a roster",
        ),
        (lambda place: Path(__file__), "is neither a folder nor a zip"),
    ],
    ids=["missing", "empty folder", "empty zip", "loose", "table", "workbook", "file"],
)
def test_what_is_no_class_says_what_to_do(tmp_path: Path, make: Callable[[Path], Path], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        downloads.read(make(tmp_path), COURSE)


def test_a_damaged_zip_says_what_to_do(tmp_path: Path) -> None:
    whole = arriving.zipped(tmp_path / "class", arriving.canvas())
    whole.write_bytes(whole.read_bytes()[:-30])
    with pytest.raises(UsageError, match=r"class\.zip cannot be read as a zip file .*; download it again"):
        downloads.read(whole, COURSE)


def test_a_class_zip_may_hold_the_folder_of_the_class(tmp_path: Path) -> None:
    for form, make in FORMS.items():
        files = {f"class/{name}": text for name, text in make().items()}
        download = downloads.read(arriving.zipped(tmp_path / form / "class", files), COURSE)
        assert sorted(arriving.texts(download).values()) == sorted(arriving.ANSWERS.values()), form
