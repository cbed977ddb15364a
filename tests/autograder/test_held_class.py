"""A class in which some have no grade yet: its tables and pages, the platform's sheet, and what a person decides."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from autograder.classroom.policy import read as read_policy
from autograder.grading import book
from autograder.grading.regrade import decided as changes
from autograder.platforms.export import export
from autograder.report.outputs import result_path, summary_table, write_csv
from autograder.report.pages import feedback_page, report_page
from autograder.report.unread import what_waits
from tests.autograder.exported import CANVAS, MOODLE, column, said
from tests.autograder.graded_class import FORMULA
from tests.autograder.held_class import (
    NEEDS_NEWER,
    NOT_COMPILED,
    NOT_DONE,
    RIGHT,
    STOPS,
    chapter,
    graded,
    write_class,
)
from tests.autograder.paging import TITLE, Shape, students

ZOE, FRED, LILY = "Müller, Zoë", "Faulty, Fred", 'Li, "Lily", 李莉'


def test_each_student_with_no_grade_yet_is_named_with_the_lines_that_decide(tmp_path: Path) -> None:
    made = write_class(tmp_path)
    told = what_waits(made, tmp_path)
    assert told.startswith(f"no grade yet for 2 students: {ZOE} and {FRED}; {tmp_path / 'students.html'} says why.")
    assert told.endswith(f"then run `attend regrade {tmp_path}`")
    lines = "\n".join(line for line in told.splitlines() if line.startswith("  "))
    (tmp_path / "policy.toml").write_text(lines, encoding="utf-8")
    assert {name: own.decided for name, own in read_policy(tmp_path).students.items()} == {ZOE: True, FRED: True}
    assert "it stays at 2 of 4" in told
    (tmp_path / "policy.toml").unlink()
    assert "policy.toml" not in what_waits(made, tmp_path)
    assert "by_hand.csv" in told
    assert what_waits([grade for grade in made if grade.is_final], tmp_path) == ""


def test_the_lines_for_a_large_class_are_some(tmp_path: Path) -> None:
    made = write_class(tmp_path)
    told = what_waits(made * 10, tmp_path)
    assert told.count("decided = true") == 6
    assert "and likewise for 14 more" in told


@pytest.mark.parametrize(
    ("table", "name", "key"), [(CANVAS, "Chapter 1", 1), (MOODLE, "Grade", 0)], ids=["canvas", "moodle"]
)
def test_a_cell_stays_as_it_is_until_a_person_has_decided(table: Path, name: str, key: int, tmp_path: Path) -> None:
    write_class(tmp_path)
    first = export(tmp_path, table, None, None, hold=True)
    before, after = column(table, name, key), column(first.path, name, key)
    rows = {"102": ZOE, "106": FRED} if key else {"Participant 102": ZOE, "Participant 106": FRED}
    assert first.held == list(rows.values())
    assert {row: after[row] for row in rows} == {row: before[row] for row in rows}
    assert f'[students."{ZOE}"]' in first.text()

    policy = f'[students."{ZOE}"]\npoints = 1\ndecided = true\nwhy = "it ran"\n[students."{FRED}"]\ndecided = true\n'
    write_class(tmp_path, policy)
    again = export(tmp_path, table, None, tmp_path / "again.csv", hold=True)
    written = column(again.path, name, key)
    most = 100 if key else 10
    assert again.held == []
    assert [float(written[row].replace(",", ".")) for row in rows] == [most / 4, most / 2]


def test_what_is_to_decide_and_not_held_is_written_and_said(tmp_path: Path) -> None:
    write_class(tmp_path)
    done = export(tmp_path, CANVAS, None, None, hold=True)
    assert column(done.path, "Chapter 1", 1)["103"] == "50"
    assert said(done, "with an open decision").startswith(f"written, but with an open decision: {FORMULA}")


def test_in_moodle_the_student_reads_why_there_is_no_grade(tmp_path: Path) -> None:
    write_class(tmp_path)
    comments = column(export(tmp_path, MOODLE, None, None, hold=True).path, "Feedback comments", 0)
    assert comments["Participant 102"] == f"No grade yet: {STOPS}."
    assert comments["Participant 106"] == f"No grade yet: {NEEDS_NEWER}."


def test_where_nothing_is_held_back_it_counts_as_it_is_and_the_student_reads_why(tmp_path: Path) -> None:
    write_class(tmp_path)
    done = export(tmp_path, MOODLE, None, None, hold=False)
    assert (done.held, column(done.path, "Grade", 0)["Participant 102"]) == ([], "0")
    assert f"double: {STOPS}." in column(done.path, "Feedback comments", 0)["Participant 102"]


def test_a_decision_is_shown_as_a_change_before_it_is_written(tmp_path: Path) -> None:
    write_class(tmp_path)
    before = book.read(tmp_path)
    write_class(tmp_path, f'[students."{ZOE}"]\ndecided = true\n')
    after = book.read(tmp_path)
    found = {grade.stem: grade.result for grade in after.grades if grade.result}
    assert list(changes(before.register, after.register, found)) == [
        (ZOE, "grade", "no grade yet becomes 0, by policy.toml or by_hand.csv")
    ]


def test_no_table_holds_a_number_for_it(tmp_path: Path) -> None:
    made = write_class(tmp_path)
    write_csv(tmp_path, made)
    text = (tmp_path / "grades.csv").read_text(encoding="utf-8")
    rows = {row["student"]: row for row in csv.DictReader(io.StringIO(text))}
    assert [rows[ZOE][name] for name in ("score", "percent", "ch01_toy.double", "ch01_toy.mean")] == ["", "", "", "0"]
    assert [rows[FRED][name] for name in ("score", "ch01_toy.double", "ch01_toy.mean")] == ["", "2", ""]
    assert rows[ZOE]["attention"] == f"no grade yet: {STOPS}"
    assert rows[LILY]["score"] == "0"
    assert rows[LILY]["attention"] == NOT_COMPILED
    finals = {stem: json.loads(result_path(tmp_path, stem).read_bytes())["final"] for stem in ("mueller", "fred", "li")}
    assert finals == {"mueller": False, "fred": False, "li": True}


def test_the_terminal_says_so_in_the_students_row(tmp_path: Path) -> None:
    stream = io.StringIO()
    Console(file=stream, width=100).print(summary_table(write_class(tmp_path), 100))
    (row,) = [line for line in stream.getvalue().splitlines() if line.startswith("Müller")]
    assert "0+?/4" in row
    assert "no grade yet: ch01_toy.py" in row


def test_the_class_report_counts_each_once_and_no_share_sinks(tmp_path: Path) -> None:
    text = Shape(report_page(write_class(tmp_path), {}, TITLE)).text
    assert "Could not be read or loaded, and counted in no table below." in text
    for reason in ("it stops when it is loaded", "it does not compile", "it needs a newer Python"):
        assert f"1 file: {reason}" in text
    assert "students graded 5 mean score 75 % median score 75 % could not be read 1 held back for now 2" in text
    assert "double 100 % 3 0 0" in text
    assert "mean 50 % 2 1 1" in text


def test_the_page_for_the_instructor_has_it_to_decide_and_once(tmp_path: Path) -> None:
    page = students(write_class(tmp_path))
    text = Shape(page).text
    undecided = text[text.index("To decide") : text.index("Could not be read or loaded")]
    assert f"{ZOE} : no grade yet: {STOPS}" in undecided
    assert f"{FRED} : no grade yet: {NEEDS_NEWER}" in undecided
    assert "points lost in mean , as my_utils could not be imported" in undecided
    assert "decided = true" in undecided
    assert text.count(STOPS) == text.count(NEEDS_NEWER) == 1
    assert text.count(NOT_COMPILED) == 1
    assert "cannot be read" not in text  # the badge of a syntax error


def test_what_a_person_has_decided_is_still_told(tmp_path: Path) -> None:
    text = Shape(students(write_class(tmp_path, f'[students."{ZOE}"]\ndecided = true\n'))).text
    assert f"{ZOE} (1 · Toy) : {STOPS}" in text[text.index("Could not be read or loaded") :]


def test_the_student_reads_once_what_happened_and_that_it_is_no_grade(tmp_path: Path) -> None:
    grade = graded(*chapter(("error", STOPS), ("error", STOPS), NOT_DONE))
    text = Shape(feedback_page(grade, {}, TITLE)).text
    assert f"exercises passed This is no grade yet. Your instructor will look at it: {STOPS}" in text
    assert "0 of 6 points so far" in text
    assert text.count(STOPS) == 2  # there, and above the chapter's exercises
    assert "Next: fix this, then attend check ch01_toy" in text
    assert "mean is still to do" in text
    assert text.count("Next:") == 2  # for the file, and for what is missing


def test_what_needs_a_newer_python_has_no_hint_but_a_promise() -> None:
    text = Shape(feedback_page(graded(*chapter(RIGHT, ("syntax", NEEDS_NEWER))), {}, TITLE)).text
    assert "There are no points for it yet: your instructor will look at it." in text
    assert "fix the line" not in text
