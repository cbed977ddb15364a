"""Every notebook runs from top to bottom in a kernel of its own: as it is handed out, and with every answer right."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from autograder.author.notebooks import as_notebook
from autograder.core import files
from autograder.course.course import Course
from autograder.intake.artefacts import FOLDER, SUFFIX, of_course
from autograder.student.lab import launch, settings
from autograder.student.start import start
from tests.promises.world import COURSE

PATIENCE = 600
SAMPLE = "ch13_inspection"  # which builds on nearly all others; `make prove` runs every notebook
each_notebook = pytest.mark.parametrize(
    "chapter",
    [pytest.param(each, marks=[pytest.mark.exhaustive] * (each != SAMPLE)) for each in COURSE.chapters],
)


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Course:
    """A working copy, and Jupyter as `attend lab` would start it there."""
    course = Course(start(COURSE, tmp_path / "mine").root)
    for path, text in settings(tmp_path / "jupyter").items():
        files.write(path, text)
    home = {name: str(tmp_path / name) for name in ("IPYTHONDIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")}
    threads = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    for name, value in {**launch(course, tmp_path / "jupyter", ()).environment, **home, **threads}.items():
        monkeypatch.setenv(name, value)
    return course


def executed(text: str, copy: Course) -> Any:
    """The notebook after every cell has run.

    Raises:
        CellExecutionError: a cell raised.
    """
    notebook = nbformat.reads(text, as_version=4)
    place = {"metadata": {"path": str(copy.exercises_dir)}}
    return NotebookClient(notebook, timeout=PATIENCE, resources=place).execute()


def said(notebook: Any) -> Iterator[tuple[str, str]]:
    """By exercise, what the cell that checks it says."""
    for cell in notebook.cells:
        if cell.cell_type == "code" and cell.source.startswith("%check "):
            outputs = [output.get("text") or output.data["text/plain"] for output in cell.outputs]
            yield cell.source.removeprefix("%check "), "".join(outputs)


def pieces(notebook: Any) -> list[str]:
    """Whose pieces the cells that run some say they are."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code" and "    mine(" in cell.source]
    printed = [output.text for cell in cells for output in cell.outputs if output.output_type == "stream"]
    return [line for text in printed for line in text.splitlines() if line.startswith(("yours: ", "given: "))]


@each_notebook
def test_a_notebook_as_it_is_handed_out_runs_and_every_check_says_that_the_answer_is_missing(
    copy: Course, chapter: str
) -> None:
    text = (copy.exercises_dir / f"{chapter}.ipynb").read_text(encoding="utf-8")
    ran = executed(text, copy)
    told = dict(said(ran))
    lines = pieces(ran)
    assert lines
    assert all(line.startswith("given: ") for line in lines)  # and so its cells run, and say so
    assert list(told) == [exercise.name for exercise in COURSE.of(chapter)]
    for exercise in COURSE.of(chapter):
        assert f"· {exercise.name}  0/{exercise.points:g}" in told[exercise.name], told


@each_notebook
def test_a_notebook_with_every_answer_runs_and_every_check_gives_full_marks(copy: Course, chapter: str) -> None:
    solution = COURSE.solution(chapter).read_text(encoding="utf-8")
    for name, model in of_course(COURSE, chapter).items():
        files.write(copy.exercises_dir / FOLDER / f"{name}{SUFFIX}", model)
    ran = executed(as_notebook(COURSE, chapter, solution), copy)
    told = dict(said(ran))
    assert any("yours: " in line for line in pieces(ran))
    own = {exercise.name for exercise in COURSE.of(chapter)}
    given = [name for line in pieces(ran) for name in line.partition("given: ")[2].partition(" (")[0].split(", ")]
    assert not own & {*given}
    for exercise in COURSE.of(chapter):
        full = f"✓ {exercise.name}  {exercise.points:g}/{exercise.points:g}"
        assert full in told[exercise.name], told[exercise.name]


def test_a_cell_that_raises_is_found(copy: Course) -> None:
    text = (copy.exercises_dir / "ch01_markov.ipynb").read_text(encoding="utf-8")
    with pytest.raises(CellExecutionError, match="NameError"):
        executed(text.replace("import numpy as np", "import numpy as np; undefined_name"), copy)
