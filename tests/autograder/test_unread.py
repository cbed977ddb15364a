"""What could not be read has one reason, however many exercises it takes along, and the reason quotes nothing."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from autograder.classroom.lost_files import OTHER, REASONS
from autograder.course.course import Course
from autograder.intake.archive import read_limit
from autograder.intake.submissions import HandIn, read_submission
from autograder.report.unread import unread
from autograder.source.notebook import BRACKETS_LIMIT
from tests.autograder.test_analysis import exercise, handed_in

COURSE = Course(Path(__file__).parent / "toy")
ANSWER = b"def double(x):\n    return 2 * x\n"
OTHERS = ANSWER.replace(b"2 * x", b"x + x")
MODULE, NOTEBOOK = "ch01_toy.py", "ch01_toy.ipynb"
LARGE = b"#" * (read_limit(Path(MODULE)) + 1)
COMPILES, MERGED, NO_NOTEBOOK = "it does not compile", "a merge conflict was left in it", "it is no readable notebook"


def found_in(folder: Path) -> list[tuple[tuple[str, ...], str]]:
    """The chapters and reasons for a submission of which the intake says what it says."""
    read = read_submission(HandIn("ada", "ada", folder), COURSE)
    source = read.chapters.get("ch01_toy")
    assert source is None or source.problem
    status = source.problem.status if source and source.problem else "missing"
    says = source.problem.message if source and source.problem else read.absent["ch01_toy"]
    result = handed_in("ada", *(exercise(name, status, says=says) for name in ("double", "mean_and_sum", "Scale")))
    return [(each.chapters, each.reason) for each in unread([result])]


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({MODULE: b"1 +\n"}, COMPILES),
        ({MODULE: b"<<<<<<< HEAD\n"}, MERGED),
        pytest.param(
            {MODULE: b"try: pass\nexcept A, B: pass\n"},
            "it needs a newer Python",
            marks=pytest.mark.skipif(sys.version_info >= (3, 14), reason="this Python knows what is newer than 3.13"),
        ),
        ({MODULE: b"<!DOCTYPE html>\n<html>"}, "it is another kind of file"),
        ({MODULE: b"%PDF-1.4\n\0"}, "it is another kind of file"),
        ({MODULE: LARGE}, "it is too large"),
        ({MODULE: b"a = 1\n\0" + ANSWER}, "it is damaged, locked or packed in an unusual way"),
        ({NOTEBOOK: b"{"}, NO_NOTEBOOK),
        ({NOTEBOOK: b"[" * (BRACKETS_LIMIT + 1)}, "it is too large"),
        ({"a.py": ANSWER, "b.py": OTHERS}, "it is unclear which file was meant"),
    ],
    ids=["syntax", "merge", "newer", "page", "pdf", "large", "nul", "json", "brackets", "two"],
)
def test_a_file_that_cannot_be_read_is_one_failure_with_its_reason(
    tmp_path: Path, files: dict[str, bytes], reason: str
) -> None:
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    assert found_in(tmp_path) == [(("ch01_toy",), reason)]
    assert reason in REASONS


def test_a_damaged_submission_is_one_failure_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "ada.zip").write_bytes(b"PK no zip")
    (tmp_path / "ada.rar").write_bytes(b"Rar!")
    assert found_in(tmp_path / "ada.zip") == [(("ch01_toy",), "it is damaged, locked or packed in an unusual way")]
    assert found_in(tmp_path / "ada.rar") == [(("ch01_toy",), "it is another kind of file")]


@pytest.mark.parametrize(
    "files", [{}, {MODULE: b""}, {"ch03_attention.py": b"a = 1\n"}], ids=["none", "empty", "other"]
)
def test_what_was_not_handed_in_is_missing_and_not_unreadable(tmp_path: Path, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    assert found_in(tmp_path) == []


def test_a_cause_that_takes_several_chapters_along_is_one_failure() -> None:
    says = "ada.zip cannot be read as a zip file (x); zip the folder again"
    result = handed_in("ada", *(exercise(name, "missing", chapter=f"ch0{name}", says=says) for name in "123"))
    (found,) = unread([result])
    assert (found.chapters, found.says) == (("ch01", "ch02", "ch03"), says)


def test_what_has_no_compiling_file_and_no_known_reason_could_not_be_read_either() -> None:
    (found,) = unread([handed_in("ada", exercise("x", "syntax", says="what was handed in took too long to read"))])
    assert found.reason == OTHER
