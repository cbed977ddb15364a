"""Run Jupyter's and nbgrader's own commands in a folder of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import nbformat

from autograder.course.course import Course

TOY = Course(Path(__file__).parent / "toy")
STEM = "ch01_toy"
PLACES = ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")


def run(folder: Path, command: str, *arguments: str, **environment: str) -> str:
    """What a command of the environment that runs the tests says; it reads nobody's settings and leaves none."""
    programs = Path(sys.executable).parent
    home = folder.parent / "home"
    home.mkdir(exist_ok=True)
    own = {name: str(home / name.lower()) for name in PLACES}
    path = os.pathsep.join((str(programs), os.environ["PATH"]))
    done = subprocess.run(
        [programs / command, *arguments],
        cwd=folder,
        env=os.environ | own | {"PATH": path, "OMP_NUM_THREADS": "1"} | environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def with_answers(notebook: Path, answers: Mapping[str, str]) -> Any:
    """The notebook with these answers in the cells of their exercises."""
    read = nbformat.read(notebook, as_version=4)
    for cell in read.cells:
        cell.source = answers.get(cell.metadata.get("exercise"), cell.source)
    return read


def graded_cells(notebook: Path) -> dict[str, Any]:
    """The test cell of each exercise."""
    cells = nbformat.read(notebook, as_version=4).cells
    marks = [(cell.metadata.get("nbgrader", {}), cell) for cell in cells]
    return {mark["grade_id"].removeprefix("check-"): cell for mark, cell in marks if mark.get("grade")}


def text_of(cell: Any) -> str:
    """Everything that a cell shows."""
    return "".join(
        output.get("text", "") + output.get("data", {}).get("text/plain", "") + "\n".join(output.get("traceback", []))
        for output in cell.outputs
    )
