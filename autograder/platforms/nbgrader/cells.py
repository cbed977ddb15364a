"""A chapter as nbgrader's source notebook: the plain notebook, with a test cell after each answer."""

from __future__ import annotations

import json
from typing import Any

import nbformat
from nbformat.v4 import new_code_cell

from autograder.author.chapter import Chapter
from autograder.author.notebooks import as_notebook_text
from autograder.course.model import Exercise
from autograder.source.notebook import short

SCHEMA_VERSION = 3
SHOWN = ("property", "values")
_HOW_TO_CHECK = """\
## Check your answers
Run the cell below your answer: it says what is right, what is wrong and why, and its last line is the points.
Then Validate, above the notebook, runs all cells afresh, as the grader does. The rest of the notebook is yours."""


def source_notebook(chapter: Chapter, exercises: tuple[Exercise, ...], *, hide_edges: bool) -> str:
    """Return the JSON text of the instructor's notebook, of which nbgrader makes the students' copy.

    Cells and ids are those of the plain notebook, without its tool cells.

    Args:
        exercises: the exercises of the chapter, with their points.
        hide_edges: run checks of level "edges" only when grading.
    """
    notebook = nbformat.reads(as_notebook_text(chapter.stem, chapter.cells), as_version=4)
    texts = {cell.exercise: cell.text for cell in chapter.cells if cell.exercise}
    worth = {exercise.name: exercise.points for exercise in exercises}
    cells: list[Any] = []
    for cell in notebook.cells:
        name = cell.metadata.get("exercise")
        if cell.metadata.get("attend") == "tool":
            continue
        cells.append(cell)
        if name is not None:
            cell.source = texts[name]
            cell.metadata["nbgrader"] = _marks(name, solution=True)
            cells.append(_test_cell(chapter.stem, name, worth[name], hide_edges))
        elif cell.id == f"{short(chapter.stem)}-how-to-check":
            cell.source = _HOW_TO_CHECK
    notebook.cells = cells
    nbformat.validate(notebook)
    return str(nbformat.writes(notebook, version=4)).rstrip("\n") + "\n"


def _test_cell(stem: str, name: str, points: float, hide_edges: bool) -> Any:
    text = _hidden_test(name) if hide_edges else f"points({json.dumps(name)})"
    marks = _marks(f"check-{name}", solution=False) | {"points": points}
    identifier = f"{short(stem)}-{name}-check"
    return new_code_cell(
        f"from autograder.platforms.nbgrader import points\n{text}", id=identifier, metadata={"nbgrader": marks}
    )


def _hidden_test(name: str) -> str:
    quoted = json.dumps(name)
    shown = ", ".join(json.dumps(level) for level in SHOWN)
    return (
        f"points({quoted}, edges=False)\n"
        f"### BEGIN HIDDEN TESTS\npoints({quoted}, shown=({shown}))\n### END HIDDEN TESTS"
    )


def _marks(identifier: str, *, solution: bool) -> dict[str, Any]:
    kinds = {"solution": solution, "grade": not solution, "locked": not solution, "task": False}
    return {"schema_version": SCHEMA_VERSION, "grade_id": identifier, **kinds}
