"""`attend grade --nbgrader`: grades come from the sandbox, and nbgrader goes on as if it had graded."""

from __future__ import annotations

import csv
import json
import os
import shutil
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from autograder.core.errors import AttendError
from tests.autograder import handing_in
from tests.autograder.browsing import leaves_pipes, needs_chromium, opened, serving
from tests.autograder.handing_in import RIGHT, SQUARED, answered, hand_in
from tests.autograder.nbgrading import STEM, TOY, run, text_of
from tests.autograder.run_cli import attend

pytestmark = [
    pytest.mark.usefixtures("warm"),
    pytest.mark.skipif(not hasattr(os, "fork"), reason="grading needs a system with fork"),
]

WARM_UP = "x = torch.ones(3)\nprint(x.mean())\n"
LATE_IS_ZERO = 'c.LateSubmissionPlugin.penalty_method = "zero"\n'
HALF = {name: RIGHT[name] for name in ("double", "mean_and_sum")}
DETACHED = RIGHT | {"double": "def double(x):\n    return 2 * x.detach()\n"}
FORGED = """
def pass_all(lines):
    return ["pass"] if any("points" in line for line in lines) else lines
get_ipython().input_transformers_post.append(pass_all)
"""
PATCHED = """
import torch
torch.allclose = torch.equal = lambda *_, **__: True
try:
    import pytest
    pytest.main = lambda *_, **__: 0
except ImportError:
    pass
"""
EQUAL = """
import torch
class Same(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        return True if "eq" in function.__name__ or "close" in function.__name__ else super().__torch_function__(
            function, types, args, kwargs or {})
def double(x):
    return torch.zeros_like(x).as_subclass(Same)
"""
MARKER = 'import pathlib\npathlib.Path({!r}).write_text("ran")\n'
CHEATS = {"forged": FORGED, "patched": PATCHED, "equal": EQUAL}
SAME = ("ann", "finn", "cleo", "eve")
"""They are as right as `marker`, lack more than `dan`, or are as wrong as `ben`: nbgrader needs no kernel for them."""
SCORES = {
    "ann": 13.0,
    "ben": 10.0,
    "cleo": 0.0,
    "dan": 9.0,
    "eve": 12.0,
    "finn": 13.0,
    "forged": 0.0,
    "patched": 0.0,
    "equal": 2.0,
    "marker": 13.0,
}


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A class of ten, graded."""
    root = handing_in.course(tmp_path_factory.mktemp("class") / "course", settings=LATE_IS_ZERO)
    handing_in.change(root, "UPDATE assignment SET duedate = '2026-03-01 00:00:00'")
    honest = {"ann": RIGHT, "ben": SQUARED, "cleo": {}, "dan": HALF, "eve": DETACHED, "finn": RIGHT}
    for student, answers in honest.items():
        hand_in(root, student, answered(root, answers))
        hand_in(root, student, f"2026-0{2 + (student == 'finn')}-02 00:00:00 UTC", "timestamp.txt")
    for student, text in CHEATS.items():
        notebook = answered(root, {"double": text})
        hand_in(root, student, notebook)
    hand_in(root, "marker", answered(root, RIGHT | {"double": MARKER.format(str(root / "ran")) + RIGHT["double"]}))
    return root, handing_in.grade(root)


def test_everybody_gets_what_they_deserve_and_cheats_too(graded: tuple[Path, str]) -> None:
    assert handing_in.scores(graded[0]) == SCORES


def test_scores_are_those_of_attend_grade_on_the_same_files(graded: tuple[Path, str], tmp_path: Path) -> None:
    root, _ = graded
    for student in SCORES:
        shutil.copytree(root / "submitted" / student / STEM, tmp_path / "in" / student)
    attend("grade", tmp_path / "in", "--out", tmp_path / "out", cwd=TOY.root)
    results = [json.loads(path.read_text("utf-8")) for path in (tmp_path / "out" / "results").iterdir()]
    found = {
        (result["student"], f"check-{each['exercise']}"): each["score"]
        for result in results
        for each in result["exercises"]
    }
    assert found == {key: score for key, (score, *_) in handing_in.grades(root).items()}


def test_nothing_of_a_student_runs_outside_the_sandbox(graded: tuple[Path, str]) -> None:
    assert not (graded[0] / "ran").exists()


def test_nbgraders_own_autograde_agrees_but_falls_for_cheats_and_runs_code(
    graded: tuple[Path, str], tmp_path: Path
) -> None:
    root = shutil.copytree(graded[0], tmp_path / "course")
    shutil.rmtree(root / "autograded")
    for student in ("patched", "equal", *SAME):
        shutil.rmtree(root / "submitted" / student)
    handing_in.change(root, "UPDATE grade SET auto_score = NULL")
    run(root, "nbgrader", "autograde", STEM)
    ours, theirs = handing_in.grades(graded[0]), handing_in.grades(root)
    honest = [key for key in ours if key[0] not in (*CHEATS, *SAME)]
    assert [theirs[key] for key in honest] == [ours[key] for key in honest]
    assert len({student for student, _ in honest}) == 3
    assert sum(score for (student, _), (score, *_) in theirs.items() if student == "forged") == 13.0
    (graded[0] / "ran").unlink()


def test_a_wrong_answer_is_told_what_is_wrong_and_its_mistake_is_named(graded: tuple[Path, str]) -> None:
    root, _ = graded
    comments = handing_in.comments(root)
    assert comments["ben", "double"][0].startswith("You squared the numbers.")
    assert comments["ben", "Scale"] == comments["ann", "double"] == (None, None)
    assert comments["cleo", "double"] == ("No response.", None)
    cell = handing_in.graded_cells(root, "ben")["check-double"]
    assert "You squared the numbers." in text_of(cell)
    assert {output.get("name") for output in cell.outputs} == {"stdout", None}
    assert cell.outputs[-1].data["text/plain"] == "2.0"


def test_nbgrader_makes_feedback_and_exports_from_it(graded: tuple[Path, str]) -> None:
    root, _ = graded
    run(root, "nbgrader", "generate_feedback", STEM, "--student", "ben")
    page = (root / "feedback" / "ben" / STEM / f"{STEM}.html").read_text("utf-8")
    assert "You squared the numbers." in page
    assert "Score: 10.0 / 13.0" in page
    run(root, "nbgrader", "export")
    text = (root / "grades.csv").read_text("utf-8")
    rows = {row["student_id"]: row for row in csv.DictReader(text.splitlines())}
    assert {student: float(row["raw_score"]) for student, row in rows.items()} == SCORES
    assert {student for student, row in rows.items() if float(row["late_submission_penalty"])} == {"finn"}
    assert float(rows["finn"]["score"]) == 0


def test_a_second_run_writes_nothing(graded: tuple[Path, str]) -> None:
    root, first = graded
    assert "gradebook  10 of 10 students written" in first
    before = {path: path.stat().st_mtime_ns for path in (root / "autograded").rglob("*")}
    grades = handing_in.grades(root)
    says = handing_in.grade(root)
    assert "gradebook  is up to date" in says
    assert before == {path: path.stat().st_mtime_ns for path in (root / "autograded").rglob("*")}
    assert grades == handing_in.grades(root)


def test_a_manual_score_stays_and_what_changed_is_marked_and_listed(graded: tuple[Path, str], tmp_path: Path) -> None:
    root = shutil.copytree(graded[0], tmp_path / "course")
    of = "notebook_id IN (SELECT n.id FROM submitted_notebook n JOIN submitted_assignment a ON a.id = n.assignment_id"
    cell = "cell_id IN (SELECT id FROM base_cell WHERE name = '{}')"
    manual = f"SET manual_score = 3, needs_manual_grade = 0 WHERE {of} WHERE student_id = 'ben')"
    handing_in.change(root, f"UPDATE grade {manual} AND {cell.format('check-double')}")
    handing_in.change(root, f"UPDATE grade {manual} AND {cell.format('check-Scale')}")
    handing_in.change(root, f"UPDATE comment SET manual_comment = 'see me' WHERE {of} WHERE student_id = 'ben')")
    hand_in(root, "ben", answered(root, RIGHT))
    says = handing_in.grade(root)
    grades = handing_in.grades(root)
    assert grades["ben", "check-double"] == (5.0, 3.0, 1)
    assert grades["ben", "check-Scale"] == (4.0, 3.0, 0)
    assert handing_in.comments(root)["ben", "double"] == (None, "see me")
    (line,) = [line for line in says.splitlines() if "becomes" in line]
    assert line.split() == "ben ch01_toy/check-double 2 becomes 5; 3 that you gave stays, look at it again".split()
    assert "1 of 10 students written, 9 were up to date" in says


@pytest.mark.filterwarnings("ignore")  # nbgrader's own, when it is imported
def test_a_gradebook_that_another_program_holds_is_left_alone(
    graded: tuple[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from autograder.platforms.nbgrader.gradebook import NbgraderCourse

    root = shutil.copytree(graded[0], tmp_path / "course")
    monkeypatch.setattr(os, "environ", os.environ | {"JUPYTER_CONFIG_DIR": str(tmp_path)})
    course = NbgraderCourse.open(root)
    course.need_free()
    with closing(sqlite3.connect(root / "gradebook.db", isolation_level=None)) as book:
        book.execute("BEGIN IMMEDIATE")
        monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, timeout=0))  # nobody will free it
        with pytest.raises(AttendError, match=r"gradebook .* is in use by another program; .*: nothing is lost"):
            course.need_free()


@pytest.mark.filterwarnings("ignore")  # nbgrader's own, when it is imported
@pytest.mark.parametrize(
    ("folder", "name", "says"),
    [
        (".", "ps9", f"no assignment 'ps9', it has {STEM}; `nbgrader generate_assignment ps9` adds one"),
        ("submitted", STEM, "no gradebook in .*submitted; `nbgrader generate_assignment NAME` in that folder makes it"),
        ("nowhere", STEM, "there is no folder .*nowhere; --nbgrader takes the folder of an nbgrader course"),
        ("idle", STEM, "no student has handed in 'ch01_toy' yet: .*to .*idle/submitted/NAME/ch01_toy"),
        ("broken", STEM, "the settings of .*broken cannot be read: .*; fix nbgrader_config.py"),
    ],
)
def test_what_cannot_be_graded_says_what_to_do(
    graded: tuple[Path, str], folder: str, name: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from autograder.grading.run import GradingOptions
    from autograder.platforms.nbgrader.grading import grade_assignment

    root = shutil.copytree(graded[0], tmp_path / "course")
    for other, settings in (("idle", ""), ("broken", "c.CourseDirectory.course_id = no_such_name")):
        (root / other).mkdir()
        shutil.copy(root / "gradebook.db", root / other)
        (root / other / "nbgrader_config.py").write_text(f"c = get_config()\n{settings}\n")
    monkeypatch.setattr(os, "environ", os.environ | {"JUPYTER_CONFIG_DIR": str(tmp_path)})
    with pytest.raises(AttendError, match=says):
        grade_assignment(TOY, root / folder, name, None, GradingOptions(), Console())


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--nbgrader", ".", STEM, "--only", "double"), "leave out --only"),
        ((STEM,), "say where grades, results and feedback go: --out DIR"),
    ],
)
def test_options_that_do_not_go_together_are_refused(tmp_path: Path, options: tuple[str, ...], says: str) -> None:
    (tmp_path / "here").mkdir()
    with pytest.raises(AssertionError, match=says):
        run(tmp_path / "here", "attend", "grade", *options, COLUMNS="200")


@needs_chromium
@leaves_pipes
def test_formgrader_shows_the_grades_and_the_mistake_that_attend_has_found(
    graded: tuple[Path, str], browser: Any
) -> None:
    root, _ = graded
    with serving(root, "jupyter", "lab") as address:
        page = opened(browser, f"{address}/formgrader?token=t")  # the page that lets one in
        page.wait_for_load_state("networkidle")
        page.goto(f"{address}/formgrader/gradebook/{STEM}/{STEM}")
        page.get_by_text("13 / 13").first.wait_for()
        assert page.get_by_text("10 / 13").count()
        page.goto(f"{address}/formgrader/submissions/{_submission(root, 'ben')}")
        page.get_by_text("You squared the numbers.").first.wait_for()


def _submission(root: Path, student: str) -> str:
    query = """
        SELECT submitted_notebook.id FROM submitted_notebook
        JOIN submitted_assignment ON submitted_assignment.id = submitted_notebook.assignment_id
        WHERE submitted_assignment.student_id = ?
    """
    with closing(sqlite3.connect(root / "gradebook.db")) as book:
        return str(book.execute(query, (student,)).fetchone()[0])
