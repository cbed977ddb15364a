"""Results on disk: one JSON form that is read back exactly, a table no spreadsheet runs, a view for a terminal."""

from __future__ import annotations

import csv
import io
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from autograder.classroom.grades import Grade, grades
from autograder.classroom.person import Person
from autograder.classroom.policy import Adjustment, Policy
from autograder.classroom.register import Register, RegisterRow
from autograder.core.errors import AttendError, UsageError
from autograder.core.message import Message, of_first_version
from autograder.core.records import CheckResult, ExerciseResult, Status, SubmissionResult
from autograder.core.text import join_names, shortened
from autograder.report.outputs import (
    cell,
    faults,
    prepare_out,
    read_result,
    result_path,
    summary_table,
    write_csv,
    write_result,
)

HEADER = ["student", "score", "max_score", "percent", "ch01_toy.double", "remarks", "attention"]


def result(student: str = "alice", status: Status = "passed", message: str = "", named: tuple[str, ...] = ()):
    points = 2.0 if status == "passed" else 0.0
    check = CheckResult("test_twice", "2 · x", "values", points, 2.0, status, of_first_version(message), named)
    exercise = ExerciseResult.of("ch01_toy", "double", [check])
    versions = {"attend": "0.1.0"}
    return SubmissionResult(student, points, 2.0, "off", 7, versions, (exercise,), ("a note",), 0.5)


def graded(*results: SubmissionResult, **about: Any) -> list[Grade]:
    register = Register.of({result.student: result.student for result in results})
    return grades(replace(register, **about), {result.student: result for result in results})


def rows(out: Path) -> list[list[str]]:
    return list(csv.reader(io.StringIO((out / "grades.csv").read_text(encoding="utf-8"))))


def shown(*results: SubmissionResult, width: int = 80) -> str:
    stream = io.StringIO()
    Console(file=stream, width=width, force_terminal=False).print(summary_table(graded(*results), width))
    return stream.getvalue()


def test_a_result_has_the_documented_form(tmp_path: Path) -> None:
    write_result(tmp_path, "alice", result(status="failed", message="no", named=("double-squared",)))
    assert json.loads(result_path(tmp_path, "alice").read_bytes()) == {
        "version": 2,
        "final": True,
        "student": "alice",
        "score": 0.0,
        "max_score": 2.0,
        "sandbox": "off",
        "seed": 7,
        "versions": {"attend": "0.1.0"},
        "exercises": [
            {
                "chapter": "ch01_toy",
                "exercise": "double",
                "score": 0.0,
                "max_score": 2.0,
                "status": "failed",
                "checks": [
                    {
                        "name": "test_twice",
                        "sentence": "2 · x",
                        "level": "values",
                        "points": 0.0,
                        "max_points": 2.0,
                        "status": "failed",
                        "message": {
                            "headline": "no",
                            "called": "",
                            "expected": "",
                            "got": "",
                            "advice": "",
                            "line": None,
                            "wrong": 0.0,
                            "example": None,
                        },
                        "misconceptions": ["double-squared"],
                        "patch": None,
                        "lent": [],
                        "forms": [],
                    }
                ],
            }
        ],
        "notes": ["a note"],
        "seconds": 0.5,
    }


@pytest.mark.parametrize("message", ["", "√d\n\t<b>", "\x1b[31m\x00", "a \ud800 surrogate"])
def test_what_is_written_is_read_back_and_leaves_no_other_file(tmp_path: Path, message: str) -> None:
    write_result(tmp_path, "alice", result(status="error", message=message))
    assert read_result(result_path(tmp_path, "alice")) == result(status="error", message=message.replace("\ud800", "?"))
    assert os.listdir(tmp_path / "results") == ["alice.json"]


def test_a_result_of_version_1_is_read(tmp_path: Path) -> None:
    path, text = result_path(tmp_path, "alice"), "no\n  called    f(x)\n  expected  1\n  got       2\n  try       this"
    write_result(tmp_path, "alice", result(status="failed", message=text))
    record = json.loads(path.read_bytes())
    record["version"] = 1
    record["exercises"][0]["checks"][0]["message"] = text
    path.write_text(json.dumps(record), encoding="utf-8")
    assert read_result(path) == result(status="failed", message=text)
    assert read_result(path).exercises[0].checks[0].message == Message("no", "f(x)", "1", "2", "this")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('"passed"', '"splendid"', "is damaged"),
        ('"score": 2.0', '"score": "2"', "is damaged"),
        ('"seed": 7,', "", "is damaged"),
        ('"version": 2', '"version": 9', "has format 9, not 2"),
        ("}", "", "is damaged"),
        ("a note", "\xff", "is damaged"),
    ],
)
def test_a_damaged_result_is_refused_with_the_remedy(tmp_path: Path, old: str, new: str, says: str) -> None:
    path = result_path(tmp_path, "alice")
    write_result(tmp_path, "alice", result())
    assert old in path.read_text(encoding="utf-8")
    path.write_bytes(path.read_bytes().replace(old.encode(), new.encode("latin-1")))
    with pytest.raises(AttendError, match=says) as caught:
        read_result(path)
    assert str(caught.value).endswith("; grade that submission again")


def test_a_missing_result_is_refused(tmp_path: Path) -> None:
    with pytest.raises(AttendError, match="cannot be read"):
        read_result(tmp_path / "none.json")


def test_the_csv_has_a_row_per_student_and_a_column_per_exercise(tmp_path: Path) -> None:
    write_csv(tmp_path, graded(result(), result("ben", "timeout")))
    assert rows(tmp_path) == [
        HEADER,
        ["alice", "2", "2", "100", "2", "", ""],
        ["ben", "0", "2", "0", "0", "", "timeout: double"],
    ]


def test_what_the_grader_failed_on_is_no_number_that_a_gradebook_could_take(tmp_path: Path) -> None:
    write_csv(tmp_path, graded(result("ben", "grader_error")))
    assert rows(tmp_path)[1] == ["ben", "", "", "", "", "", "grader_error: double"]
    write_result(tmp_path, "ben", result("ben", "grader_error"))
    assert json.loads(result_path(tmp_path, "ben").read_bytes())["final"] is False


def test_a_fault_of_the_grader_is_told_with_who_and_what_to_do() -> None:
    said = faults([result(), result("ben", "grader_error", "the sandbox was lost\n  more")])
    assert said.splitlines()[0] == "the grader failed on ben, which costs them nothing: the sandbox was lost"
    assert "run the same command again" in said
    assert faults([result(), result("eve", "timeout")]) == ""


def test_what_an_interrupted_run_left_half_written_is_removed(tmp_path: Path) -> None:
    prepare_out(tmp_path)
    for part in (tmp_path / ".grades.csv.part", tmp_path / "results" / ".ann.json.part"):
        part.write_text("{")
    prepare_out(tmp_path)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["feedback", "results"]


@pytest.mark.parametrize("name", ['=HYPERLINK("http://evil")', "+1", "-1", "@SUM(A1)", "\t=1", "\x1b[0m=1"])
def test_no_name_is_a_formula(tmp_path: Path, name: str) -> None:
    write_csv(tmp_path, graded(result(name)))
    cell = rows(tmp_path)[1][0]
    assert cell.startswith("'")
    assert "\x1b" not in cell


@pytest.mark.parametrize("sign", "=+-@＝＋－＠﹢")
def test_no_part_of_a_cell_is_a_formula_where_another_separator_counts(sign: str) -> None:
    assert cell(f"x;{sign}HYPERLINK(1+1)") == f"x;'{sign}HYPERLINK(1+1)"
    assert cell(f"x\t{sign}1") == f"x\t'{sign}1"
    assert cell(f" {sign}1") == f"' {sign}1"
    assert cell("expected [1, -2] and a-b") == "expected [1, -2] and a-b"


def test_texts_that_differ_differ_in_their_cells() -> None:
    texts = [
        f"{quotes}{blank}=a{apart}{more}=b"
        for quotes in ("", "'", "''")
        for blank in ("", " ")
        for apart in ";,"
        for more in ("", "'")
    ]
    assert len({cell(text) for text in texts}) == len(texts)


def test_commas_quotes_and_newlines_stay_in_their_cell(tmp_path: Path) -> None:
    write_csv(tmp_path, graded(result('a,"b"\nc')))
    assert rows(tmp_path)[1][0] == 'a,"b"\nc'


def test_an_exercise_that_was_not_graded_is_an_empty_cell(tmp_path: Path) -> None:
    write_csv(tmp_path, graded(result(), replace(result("ben"), exercises=())))
    assert rows(tmp_path)[2] == ["ben", "0", "2", "0", "", "", ""]


def test_what_a_person_and_the_clock_changed_stands_beside_the_grade(tmp_path: Path) -> None:
    decided = Policy(students={"alice": Adjustment(points=1, exercises={"double": 1.0}, why="seen in class")})
    write_csv(tmp_path, graded(result(), policy=decided))
    remarks = "double counts 1 point instead of 2: graded by a person. 1 point added by a person. Why: seen in class"
    assert rows(tmp_path)[1] == ["alice", "2", "2", "100", "1", remarks, ""]


def test_who_handed_in_nothing_has_a_row_and_what_is_known_of_people_its_columns(tmp_path: Path) -> None:
    about = RegisterRow("alice", "alice", Person("Alice", login="al"))
    write_csv(tmp_path, graded(result(), rows=(about,), absent=(Person("=Bob", login="bob"),)))
    assert rows(tmp_path) == [
        ["student", "name", "login", *HEADER[1:]],
        ["alice", "Alice", "al", "2", "2", "100", "2", "", ""],
        ["'=Bob", "'=Bob", "bob", "0", "2", "0", "", "", "nothing handed in"],
    ]


def test_a_late_submission_that_nobody_has_decided_on_is_to_be_looked_at(tmp_path: Path) -> None:
    write_csv(tmp_path, graded(result(), rows=(RegisterRow("alice", "alice", is_late=True),)))
    assert "days_late in policy.toml" in rows(tmp_path)[1][-1]


def test_a_chapter_of_which_nothing_counts_says_why(tmp_path: Path) -> None:
    write_csv(tmp_path, graded(result(status="error", message="a.py stops when it is loaded: E\n  more")))
    assert rows(tmp_path)[1][-1] == "no grade yet: a.py stops when it is loaded: E"


def test_preparing_makes_the_folders_and_leaves_nothing_in_them(tmp_path: Path) -> None:
    prepare_out(tmp_path / "a" / "out")
    prepare_out(tmp_path / "a" / "out")
    assert sorted(path.name for path in (tmp_path / "a" / "out").rglob("*")) == ["feedback", "results"]


def test_a_place_that_cannot_be_written_is_refused_before_grading(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "file", tmp_path / "file" / "out", Path("/proc/attend")):
        with pytest.raises(UsageError, match="choose another folder with --out"):
            prepare_out(place)


def test_the_table_fits_80_columns_and_keeps_the_numbers(tmp_path: Path) -> None:
    long = result("x" * 200, "failed", named=("a-misconception-with-a-very-long-name-" * 3,))
    lines = shown(result(), long, result("ben", "grader_error"), result("eve", "missing")).splitlines()
    assert all(len(line) <= 80 for line in lines)
    assert [line.split()[1:3] for line in lines[1:]] == [["2/2", "100"], ["0/2", "0"], ["0+?/2", "?"], ["0/2", "0"]]
    assert "a-misconception" in lines[2]
    assert "grader_error: double" in lines[3]
    assert "1 missing" in lines[4]


def test_a_name_is_no_markup_in_the_table() -> None:
    text = shown(result("[red]x[/red] \x1b[31m"))
    assert "[red]x[/red]" in text
    assert "\x1b" not in text


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_a_score_is_whole_in_any_terminal(width: int) -> None:
    long = result("x" * 200, "failed", named=("a-misconception-with-a-very-long-name-" * 3,))
    lines = shown(result(), long, width=width).splitlines()
    assert max(map(len, lines)) <= min(width, 80)
    assert [line.split()[1:3] for line in lines[1:]] == [["2/2", "100"], ["0/2", "0"]]


def test_names_with_commas_are_told_apart_by_semicolons() -> None:
    assert join_names(["Müller, Jürgen", "O'Brien, Seán", "Ray"]) == "Müller, Jürgen; O'Brien, Seán and Ray"
    assert join_names(["a", "b", "c"]) == "a, b and c"


def test_names_that_begin_alike_show_where_they_differ_and_others_are_cut_at_the_end() -> None:
    names = ["Ada Lovelace of London (11)", "Ada Lovelace of London (12)", "Zoë Müller of nowhere at all", "Ben"]
    assert shortened(names, 16) == ["Ada Lov…don (11)", "Ada Lov…don (12)", "Zoë Müller of n…", "Ben"]
    stream = io.StringIO()
    Console(file=stream, width=60).print(summary_table(graded(*(result(name) for name in names[:2])), 60))
    assert "(11)" in stream.getvalue()
    assert "(12)" in stream.getvalue()
