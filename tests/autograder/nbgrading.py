"""Run Jupyter's and nbgrader's own commands in a folder of their own."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Mapping
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import nbformat

from autograder.course.course import Course
from tests.autograder.kernels import quick_starts
from tests.autograder.run_cli import in_fork

TOY = Course(Path(__file__).parent / "toy")
STEM = "ch01_toy"
PLACES = ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")


def run(folder: Path, command: str, *arguments: str, **environment: str) -> str:
    """What a command of the environment that runs the tests says; it reads nobody's settings and leaves none."""
    home = folder.parent / "home"
    home.mkdir(exist_ok=True)
    own = {name: str(home / name.lower()) for name in PLACES}
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    place = own | {"PATH": path, "OMP_NUM_THREADS": "1"} | environment
    main = quick_starts(_main(command)) if command == "nbgrader" else _main(command)
    done = in_fork(main, command, *arguments, cwd=folder, env=place)
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    return said


def _main(command: str) -> Callable[[], object]:
    """What a command runs; loaded here, once for all forks."""
    (script,) = entry_points(group="console_scripts", name=command)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        loaded: Callable[[], object] = script.load()
    return loaded


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
