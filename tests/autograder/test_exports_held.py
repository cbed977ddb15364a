"""`attend export --hold` leaves undecided grades out, and says why."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from autograder.commands.cli import app
from autograder.grading import book
from autograder.platforms.export import export, is_undecided, undecided, why_held
from tests.autograder.exported import CANVAS, MOODLE, column
from tests.autograder.graded_class import PEOPLE, graded


def test_what_is_undecided_is_held_back_and_the_student_reads_why(grades: Path) -> None:
    before = column(MOODLE, "Grade", 0)
    done = export(grades, MOODLE, None, None, hold=True)
    waiting = undecided(grades)
    assert sorted(done.held) == sorted(waiting)
    assert "Faulty, Fred" in waiting
    comments = column(done.path, "Feedback comments", 0)
    held = [row for row, text in comments.items() if text.startswith("No grade yet: ")]
    assert held
    assert "the grader failed on a part, which costs you nothing" in " ".join(comments.values())
    assert {row: column(done.path, "Grade", 0)[row] for row in held} == {row: before[row] for row in held}
    assert "held back, as something is undecided" in done.text()


def test_a_decided_grade_takes_the_place_of_the_sentence_that_it_was_held(
    grades: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class_ = book.read(grades)
    open_ = [replace(grade, held=("a.py is a PDF",)) for grade in class_.grades]
    with monkeypatch.context() as patched:
        patched.setattr("autograder.platforms.export.sums.read", lambda _: replace(class_, grades=tuple(open_)))
        first = export(grades, MOODLE, None, tmp_path / "held.csv", hold=True)
    assert len(first.held) > 1
    assert "No grade yet: a.py is a PDF." in column(first.path, "Feedback comments", 0).values()
    again = export(grades, first.path, None, tmp_path / "all.csv", hold=True)
    assert "No grade yet: a.py is a PDF." not in column(again.path, "Feedback comments", 0).values()
    usual = export(grades, MOODLE, None, tmp_path / "usual.csv", hold=True)
    assert again.path.read_bytes() == usual.path.read_bytes()


def test_a_file_that_could_not_be_read_is_held_in_the_students_words(grades: Path) -> None:
    (grade, *_) = book.read(grades).grades
    told = replace(grade, held=("a.py and b.py may each be ch01_toy.py",))
    assert is_undecided(told)
    assert why_held(told).endswith("a.py and b.py may each be ch01_toy.py.")
    assert not is_undecided(replace(grade, open=("points lost in `double`",)))


@pytest.mark.parametrize(("choice", "status"), [([], 1), (["--hold"], 1), (["--no-hold"], 0)])
def test_the_exit_status_tells_whether_a_grade_was_held(choice: list[str], status: int, tmp_path: Path) -> None:
    out = graded(tmp_path, {name: PEOPLE[name] for name in ("obrien", "fred")}, "")
    done = CliRunner().invoke(app, ["export", str(out), str(CANVAS), *choice])
    assert (done.exit_code, "held back" in done.output) == (status, status == 1)
