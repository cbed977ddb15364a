"""A toy class that nbgrader's own commands release to, grade and give feedback to."""

from __future__ import annotations

import csv
import os
from html.parser import HTMLParser
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell

from autograder.platforms.nbgrader.course import make
from tests.autograder.nbgrading import STEM, TOY, graded_cells, run, text_of, with_answers
from tests.autograder.run_cli import attend

pytestmark = [
    pytest.mark.usefixtures("warm"),
    pytest.mark.skipif(not hasattr(os, "fork"), reason="grading needs a system with fork"),
]

RIGHT = {
    "double": "def double(x):\n    return 2 * x",
    "mean_and_sum": "def mean_and_sum(x):\n    return x.mean(-1), x.sum(-1)",
    "Scale": "class Scale(nn.Module):\n"
    "    def __init__(self, width):\n"
    "        super().__init__()\n"
    "        self.weight = nn.Parameter(torch.ones(width))\n"
    "    def forward(self, x):\n"
    "        return x * self.weight",
}
LOUD = """\
import sys
import warnings
warnings.warn("I warn where I am defined")
def double(x):
    print("to stderr", file=sys.stderr)
    print("printed")
    return 2 * x"""
SCRIPTS = """\
# A title
<script>owned()</script> <img src="x" onerror="owned()"> <a href="javascript:owned()">here</a>
[there](javascript:owned())"""
SHOWS = 'from IPython.display import HTML\nHTML("<script>owned()</script><p onclick=owned()>p</p>")'
CLASS = {
    "right": RIGHT,
    "partly": {"double": "def double(x):\n    return x ** 2", "mean_and_sum": "def mean_and_sum(x)\n    return x"},
    "loud": RIGHT | {"double": LOUD},
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An nbgrader course after everything that an instructor does, but for the exchange."""
    root = tmp_path_factory.mktemp("class") / "course"
    make(TOY, root)
    run(root, "nbgrader", "generate_assignment", STEM)
    released = root / "release" / STEM / f"{STEM}.ipynb"
    for student, answers in CLASS.items():
        place = root / "submitted" / student / STEM
        place.mkdir(parents=True)
        notebook = with_answers(released, answers)
        notebook.cells += [new_markdown_cell(SCRIPTS), new_code_cell(SHOWS)]
        nbformat.write(notebook, place / released.name)
    run(root, "nbgrader", "autograde", STEM)
    run(root, "nbgrader", "generate_feedback", STEM)
    run(root, "nbgrader", "export")
    return root


def shown(root: Path, student: str, exercise: str) -> str:
    return text_of(graded_cells(root / "autograded" / student / STEM / f"{STEM}.ipynb")[exercise])


def scores(table: Path, name: str) -> dict[str, float]:
    with table.open(encoding="utf-8") as rows:
        return {row[name]: float(row["score"]) for row in csv.DictReader(rows)}


def test_nbgraders_grades_are_what_the_answers_earn(root: Path) -> None:
    assert scores(root / "grades.csv", "student_id") == {"right": 13, "partly": 2, "loud": 13}


def test_they_are_those_of_attend_grade(root: Path, tmp_path: Path) -> None:
    modules = tmp_path / "modules"
    for student, answers in CLASS.items():
        (modules / student).mkdir(parents=True)
        text = TOY.stub(STEM).read_text(encoding="utf-8") + "".join(f"\n\n{answer}\n" for answer in answers.values())
        (modules / student / f"{STEM}.py").write_text(text, encoding="utf-8")
    (modules / "partly" / f"{STEM}.py").write_text(CLASS["partly"]["double"], encoding="utf-8")
    done = attend("grade", modules, "--out", tmp_path / "out", cwd=TOY.root)
    assert done.returncode == 0, done.stdout + done.stderr
    assert scores(tmp_path / "out" / "grades.csv", "student") == scores(root / "grades.csv", "student_id")


def test_the_graded_notebook_names_the_mistake(root: Path) -> None:
    assert "You squared the numbers." in shown(root, "partly", "double")
    assert "does not compile" in shown(root, "partly", "mean_and_sum")
    assert "· Scale  0/4" in shown(root, "partly", "Scale")


class Runs(HTMLParser):
    """Everything in a page that runs what a student wrote."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [f"{tag} {name}" for name, value in attrs if "owned" in (value or "")]

    def handle_data(self, data: str) -> None:
        if self.cdata_elem == "script" and "owned" in data:
            self.found.append("script")


def test_no_script_of_a_student_survives_into_the_feedback_page(root: Path) -> None:
    (page,) = (root / "feedback" / "right" / STEM).glob("*.html")
    text, parser = page.read_text(encoding="utf-8"), Runs()
    parser.feed(text)
    assert parser.found == []
    assert "owned()" in text, "it is shown as text"
    assert "<h1" in text
    assert "&lt;p&gt;" not in text


def test_the_feedback_page_names_the_mistake(root: Path) -> None:
    (page,) = (root / "feedback" / "partly" / STEM).glob("*.html")
    assert "You squared the numbers." in page.read_text(encoding="utf-8")


def test_what_a_student_prints_and_warns_is_in_the_graded_notebook(root: Path) -> None:
    assert {"printed", "to stderr"} <= {*shown(root, "loud", "double").splitlines()}
    graded = nbformat.read(root / "autograded" / "loud" / STEM / f"{STEM}.ipynb", as_version=4)
    assert any("I warn where I am defined" in text_of(cell) for cell in graded.cells if "outputs" in cell)


def test_a_released_notebook_has_no_answers(root: Path) -> None:
    text = (root / "release" / STEM / f"{STEM}.ipynb").read_text(encoding="utf-8")
    assert "return 2 * x" not in text
    assert text.count("raise NotImplementedError") == len(TOY.exercises)


def test_validation_passes_a_right_notebook_and_no_blank_one(root: Path) -> None:
    blank, right = (str(root / place / STEM / f"{STEM}.ipynb") for place in ("release", "submitted/right"))
    said = run(root, "nbgrader", "validate", right, blank)
    assert said.index("Success! Your notebook passes all the tests.") < said.index("VALIDATION FAILED ON 3 CELL(S)!")


def test_made_again_an_assignment_with_submissions_is_released_again(root: Path) -> None:
    assert make(TOY, root).written == ()
    assert "ERROR" not in run(root, "nbgrader", "generate_assignment", STEM, "--force")
