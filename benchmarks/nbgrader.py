"""The same exercises as an nbgrader course: one assignment per chapter, graded by nbgrader's own commands."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

from autograder.course.course import Course
from autograder.course.model import Exercise
from benchmarks.bench import SEED
from benchmarks.machine import Stopwatch, accept, program, timed

CONFIG = 'c = get_config()\nc.CourseDirectory.course_id = "bench"\n'
NAME_ONLY = 'assert "{exercise}" in globals()'
CHECKS = 'from benchmarks.kernel import points\npoints("{chapter}", "{exercise}", In[1], {seed})'
"""Two kinds of test cells: one tests whether the name exists, the other runs the exercise's checks."""
BEGINS = "Creating/updating student"
"""nbgrader logs this when it begins a submission; the time before is start-up."""


@dataclass(frozen=True)
class Graded:
    """One submission: seconds and core-seconds of all its notebooks; start-up (of a command per chapter) is apart."""

    seconds: float
    busy: float
    startup: float
    points: float


@dataclass(frozen=True)
class NbgraderCourse:
    """A course in a folder of its own, with nbgrader's default settings."""

    course: Course
    folder: Path
    chapters: Sequence[str]
    test_cell: str

    def make(self) -> Iterator[str]:
        """Write the assignments and release them, one chapter at a time."""
        (self.folder / "home").mkdir()
        (self.folder / "nbgrader_config.py").write_text(CONFIG, encoding="utf-8")
        for chapter in self.chapters:
            stub = self.course.stub(chapter).read_text(encoding="utf-8")
            place = self.folder / "source" / chapter
            place.mkdir(parents=True)
            nbformat.write(notebook(stub, self.course.of(chapter), self.test_cell), place / f"{chapter}.ipynb")
            timed([program("nbgrader"), "generate_assignment", chapter], self.folder, self._environment)
            yield chapter

    def hand_in(self, student: Path) -> None:
        """Put a student's chapters into the notebooks that were released."""
        for chapter in self.chapters:
            released = nbformat.read(self.folder / "release" / chapter / f"{chapter}.ipynb", as_version=4)
            released.cells[0].source = (student / f"{chapter}.py").read_text(encoding="utf-8")
            place = self.folder / "submitted" / student.name / chapter
            place.mkdir(parents=True)
            nbformat.write(released, place / f"{chapter}.ipynb")

    def autograde(self, student: str) -> Graded:
        """Grade all chapters of one student, with one command after another."""
        found = [self._autograde(student, chapter) for chapter in self.chapters]
        seconds, used, startup = (sum(each[place] for each in found) for place in range(3))
        return Graded(seconds, used, startup, sum(self._points(student, chapter) for chapter in self.chapters))

    def _autograde(self, student: str, chapter: str) -> tuple[float, float, float]:
        command = [program("nbgrader"), "autograde", chapter, "--student", student]
        began, lines, watch = time.perf_counter(), list[str](), None
        startup = 0.0
        with subprocess.Popen(
            command,
            cwd=self.folder,
            env=os.environ | self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as process:
            assert process.stdout is not None
            for line in process.stdout:
                lines.append(line)
                if watch is None and BEGINS in line:
                    startup, watch = time.perf_counter() - began, Stopwatch()
        accept(command, process.returncode if watch else -1, "".join(lines))
        assert watch is not None
        return *watch.read(), startup

    def _points(self, student: str, chapter: str) -> float:
        graded = self.folder / "autograded" / student / chapter / f"{chapter}.ipynb"
        return earned(nbformat.read(graded, as_version=4))

    @property
    def _environment(self) -> dict[str, str]:
        """The PATH as after `activate`, as nbgrader calls alembic; Jupyter's settings in a folder of the bench."""
        path = os.pathsep.join((str(Path(program("nbgrader")).parent), os.environ.get("PATH", "")))
        places = ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")
        return {"PATH": path} | {name: str(self.folder / "home" / name.lower()) for name in places}


def notebook(answers: str, exercises: Sequence[Exercise], test_cell: str) -> Any:
    """Return a notebook with a cell of the chapter's answers, then a test cell per exercise."""
    cells = [_cell(answers, "answers", solution=True)]
    for exercise in exercises:
        text = test_cell.format(chapter=exercise.chapter, exercise=exercise.name, seed=SEED)
        cells.append(_cell(text, f"test-{exercise.name}", points=exercise.points))
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return new_notebook(cells=cells, metadata={"kernelspec": kernel})


def _cell(text: str, identifier: str, *, solution: bool = False, points: float = 0.0) -> Any:
    marks = {"schema_version": 3, "grade_id": identifier, "solution": solution, "task": False}
    marks |= {"grade": not solution, "locked": not solution} | ({} if solution else {"points": points})
    return new_code_cell(text, metadata={"nbgrader": marks})


def earned(graded: Any) -> float:
    """Return nbgrader's score: a test cell's value, all its points if it has no value, none if it failed."""
    total = 0.0
    for cell in graded.cells:
        marks = cell.metadata.get("nbgrader", {})
        if not marks.get("grade"):
            continue
        kinds = {output.output_type: output for output in cell.outputs}
        value = kinds.get("execute_result")
        if "error" not in kinds:
            total += json.loads(value.data["text/plain"]) if value else marks["points"]
    return total
