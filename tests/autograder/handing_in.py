"""An nbgrader course on the toy course, what students hand in, and what is in its gradebook afterwards."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import nbformat

from autograder.course.course import Course
from autograder.platforms.nbgrader.course import make
from tests.autograder.nbgrading import STEM, TOY, run, with_answers

MODULE = TOY.solution(STEM).read_text(encoding="utf-8")
RIGHT = {
    "double": "def double(x):\n    return x + x\n",
    "mean_and_sum": "def mean_and_sum(x):\n    return x.mean(-1), x.sum(-1)\n",
    "Scale": MODULE[MODULE.index("class Scale") : MODULE.index('# %% [markdown] hints="Scale"')],
}
SQUARED = RIGHT | {"double": "def double(x):\n    return x ** 2\n"}
ROWS = """
    SELECT student_id, base_cell.name, {values} FROM {table}
    JOIN base_cell ON base_cell.id = {table}.cell_id
    JOIN submitted_notebook ON submitted_notebook.id = {table}.notebook_id
    JOIN submitted_assignment ON submitted_assignment.id = submitted_notebook.assignment_id
"""


def course(
    folder: Path, *, of: Course = TOY, hide_edges: bool = False, settings: str = "", more: Callable[[Any], None] = id
) -> Path:
    """An nbgrader course in `folder` whose one assignment is released; `more` changes the source notebook before."""
    made = make(of, folder, hide_edges=hide_edges)
    source = made.root / "source" / STEM / f"{STEM}.ipynb"
    notebook = nbformat.read(source, as_version=4)
    more(notebook)
    nbformat.write(notebook, source)
    with (made.root / "nbgrader_config.py").open("a", encoding="utf-8") as config:
        config.write(settings)
    run(made.root, "nbgrader", "generate_assignment", STEM)
    return made.root


def answered(root: Path, answers: Mapping[str, str]) -> Any:
    """The released notebook with these answers."""
    return with_answers(root / "release" / STEM / f"{STEM}.ipynb", answers)


def hand_in(root: Path, student: str, notebook: Any, name: str = f"{STEM}.ipynb") -> Path:
    """Put a notebook, or the text of a file, where nbgrader collects it."""
    place = root / "submitted" / student / STEM / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(notebook if isinstance(notebook, str) else json.dumps(notebook), encoding="utf-8")
    return place


def grade(root: Path, *options: str) -> str:
    """Grade the assignment; what the command says."""
    return run(root, "attend", "grade", "--nbgrader", ".", STEM, *options, COLUMNS="160")


def change(root: Path, statement: str) -> None:
    """Change the gradebook, as the formgrader does."""
    with closing(sqlite3.connect(root / "gradebook.db")) as book, book:
        assert book.execute(statement).rowcount


def _rows(root: Path, table: str, values: str) -> dict[tuple[str, str], tuple[Any, ...]]:
    with closing(sqlite3.connect(root / "gradebook.db")) as book:
        rows = book.execute(ROWS.format(table=table, values=values))
        return {(student, cell): tuple(each) for student, cell, *each in rows}


def grades(root: Path) -> dict[tuple[str, str], tuple[Any, ...]]:
    """By student and cell: automatic and manual score, and whether a person must look."""
    return _rows(root, "grade", "auto_score, manual_score, needs_manual_grade")


def comments(root: Path) -> dict[tuple[str, str], tuple[Any, ...]]:
    """By student and cell: automatic and manual comment."""
    return _rows(root, "comment", "auto_comment, manual_comment")


def scores(root: Path) -> dict[str, float]:
    """By student, the sum of the automatic scores that exercises have."""
    found: dict[str, float] = {}
    for (student, cell), (score, *_) in grades(root).items():
        if cell.startswith("check-"):
            found[student] = found.get(student, 0.0) + (score or 0.0)
    return found


def graded_cells(root: Path, student: str) -> dict[str, Any]:
    """The cells of an autograded notebook by their nbgrader ids, or by their own."""
    read = nbformat.read(root / "autograded" / student / STEM / f"{STEM}.ipynb", as_version=4)
    return {cell.metadata.get("nbgrader", {}).get("grade_id", cell.id): cell for cell in read.cells}
