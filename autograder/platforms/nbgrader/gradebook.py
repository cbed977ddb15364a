"""nbgrader's course and gradebook: the cells of an assignment, and its grades."""

from __future__ import annotations

import glob
import os
import re
import sqlite3
import sys
from collections.abc import Iterable, Iterator
from contextlib import chdir, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbgrader import api
from nbgrader.apps import AutogradeApp
from sqlalchemy.exc import OperationalError

from autograder.core.errors import AttendError, UsageError
from autograder.core.text import join_names

SQLITE = "sqlite:///"
HIDDEN = "BEGIN HIDDEN TESTS"
LOCKED = (
    "the gradebook {} is in use by another program; end that, or wait until it has saved, "
    "and run the same command again: nothing is lost"
)


@dataclass(frozen=True)
class MarkedCell:
    """A cell that nbgrader knows, as the gradebook holds it; a submission cannot change it."""

    name: str
    kind: str  # "code" or "markdown"
    source: str
    checksum: str
    locked: bool
    grade: bool
    solution: bool
    task: bool
    points: float

    @property
    def marks(self) -> dict[str, Any]:
        """The cell's nbgrader metadata."""
        marks: dict[str, Any] = {"schema_version": 3, "grade_id": self.name, "checksum": self.checksum}
        marks |= {"cell_type": self.kind, "grade": self.grade, "solution": self.solution}
        marks |= {"locked": self.locked, "task": self.task}
        return marks | ({"points": self.points} if self.grade or self.task else {})

    @property
    def is_test(self) -> bool:
        """Whether nbgrader would run it for a grade."""
        return self.grade and not self.solution and self.kind == "code"

    @property
    def hides(self) -> bool:
        """Whether part of it is hidden from students."""
        return HIDDEN in self.source


@dataclass(frozen=True)
class CellMark:
    """A grade in the gradebook; `needs_manual` asks the instructor for one."""

    auto: float | None
    manual: float | None
    needs_manual: bool


Marks = dict[tuple[str, str, str], CellMark]
"""By student, notebook and cell."""


@dataclass(frozen=True)
class Assignment:
    """An assignment's notebooks, each with its cells in order."""

    name: str
    notebooks: dict[str, tuple[MarkedCell, ...]]


@dataclass(frozen=True)
class NbgraderCourse:
    """An nbgrader course folder, with the settings that nbgrader's own commands use there."""

    app: Any

    @classmethod
    def open(cls, folder: Path) -> NbgraderCourse:
        """Read the settings as nbgrader's commands do in `folder`.

        Raises:
            UsageError: there is no such folder, no gradebook in it, or its settings cannot be read.
        """
        if not folder.is_dir():
            raise UsageError(f"there is no folder {folder}; --nbgrader takes the folder of an nbgrader course")
        before = list(sys.path)
        app = AutogradeApp(raise_config_file_errors=True)
        with chdir(folder):
            try:
                app.initialize(["--log-level=CRITICAL"])
            except (Exception, SystemExit) as error:
                raise UsageError(f"the settings of {folder} cannot be read: {error}; fix nbgrader_config.py") from error
            course = cls(app)
            course._need_gradebook()
        # nbgrader puts the folder first, where it could shadow the course's own modules.
        sys.path[:] = [*before, *(path for path in sys.path if path not in before)]
        return course

    @property
    def directory(self) -> Any:
        """nbgrader's CourseDirectory."""
        return self.app.coursedir

    @property
    def settings(self) -> list[str]:
        """The texts of all files that the settings came from."""
        return [Path(path).read_text(encoding="utf-8", errors="replace") for path in self.app.loaded_config_files]

    def _need_gradebook(self) -> None:
        url, root = self.directory.db_url, self.directory.root  # both are read relative to the current folder, once
        if url.startswith(SQLITE) and not Path(url.removeprefix(SQLITE)).is_file():
            make = "`nbgrader generate_assignment NAME` in that folder makes it"
            raise UsageError(
                f"there is no gradebook in {root}; {make}, and `attend nbgrader DIR` a course to begin with"
            )

    def need_free(self) -> None:
        """Check that the gradebook can be written to.

        Raises:
            AttendError: another program has locked it.
        """
        url = self.directory.db_url
        if not url.startswith(SQLITE):
            return
        try:
            with closing(sqlite3.connect(url.removeprefix(SQLITE), isolation_level=None)) as connection:
                connection.execute("BEGIN IMMEDIATE")
                connection.execute("ROLLBACK")
        except sqlite3.OperationalError as error:
            raise unusable(url, str(error)) from error

    @contextmanager
    def gradebook(self) -> Iterator[Any]:
        """Open the gradebook.

        Raises:
            AttendError: another program has locked it, or another version of nbgrader made it.
        """
        try:
            with api.Gradebook(self.directory.db_url, self.directory.course_id) as book:
                yield book
        except OperationalError as error:
            raise unusable(self.directory.db_url, str(error)) from error

    def assignment(self, name: str) -> Assignment:
        """Return the assignment as the gradebook holds it.

        Raises:
            UsageError: the gradebook has no such assignment.
        """
        with self.gradebook() as book:
            try:
                found = book.find_assignment(name)
            except api.MissingEntry as error:
                known = join_names(sorted(each.name for each in book.assignments)) or "none"
                make = f"`nbgrader generate_assignment {name}` adds one"
                raise UsageError(f"the gradebook has no assignment '{name}', it has {known}; {make}") from error
            return Assignment(name, {each.name: tuple(_cells(each)) for each in found.notebooks})

    def submitted(self, assignment: str) -> dict[str, Path]:
        """Return the folders of the assignment's submissions, by student.

        Raises:
            UsageError: there are none.
        """
        step, excluded = self.directory.submitted_directory, self.directory.student_id_exclude.split(",")
        pattern = re.compile(self.directory.format_path(step, "(?P<student>[^/]+)", re.escape(assignment), escape=True))
        places = sorted(glob.glob(self.directory.format_path(step, "*", glob.escape(assignment))))
        found = {match["student"]: Path(place) for place in places if (match := pattern.fullmatch(place))}
        chosen = {student: path for student, path in found.items() if path.is_dir() and student not in excluded}
        if not chosen:
            place = self.directory.format_path(step, "NAME", assignment)
            raise UsageError(f"no student has handed in '{assignment}' yet: each student's notebooks go to {place}")
        return chosen

    def autograded(self, student: str, assignment: str) -> Path:
        """Return the folder of the student's graded notebooks."""
        return Path(self.directory.format_path(self.directory.autograded_directory, student, assignment))

    def marks(self, assignment: str) -> Marks:
        """Return all grades of the assignment."""
        columns = (api.Student.id, api.Notebook.name, api.BaseCell.name)
        values = (api.Grade.auto_score, api.Grade.manual_score, api.Grade.needs_manual_grade)
        with self.gradebook() as book:
            rows = (
                book.db.query(*columns, *values)
                .join(api.SubmittedNotebook, api.SubmittedNotebook.id == api.Grade.notebook_id)
                .join(api.Notebook, api.Notebook.id == api.SubmittedNotebook.notebook_id)
                .join(api.SubmittedAssignment, api.SubmittedAssignment.id == api.SubmittedNotebook.assignment_id)
                .join(api.Student, api.Student.id == api.SubmittedAssignment.student_id)
                .join(api.Assignment, api.Assignment.id == api.SubmittedAssignment.assignment_id)
                .join(api.BaseCell, api.BaseCell.id == api.Grade.cell_id)
                .filter(api.Assignment.name == assignment)
                .all()
            )
            return {(student, notebook, cell): CellMark(*each) for student, notebook, cell, *each in rows}

    def deadlines(self, assignment: str, students: Iterable[str]) -> dict[str, str]:
        """Return the due date of the assignment and the extension of each student, as text."""
        with self.gradebook() as book:
            given = {each.student.id: each.extension for each in book.assignment_submissions(assignment)}
            due = book.find_assignment(assignment).duedate
            return {student: f"{due} + {given.get(student)}" for student in students}


def unusable(url: str, why: str) -> AttendError:
    """Return the error for a gradebook that cannot be used, with its remedy."""
    place = os.path.relpath(url.removeprefix(SQLITE)) if url.startswith(SQLITE) else url
    if "locked" in why:
        return AttendError(LOCKED.format(place))
    fix = "make a copy of it and run `nbgrader db upgrade` if nbgrader is newer than it"
    return AttendError(f"the gradebook {place} cannot be used ({why.splitlines()[0]}); {fix}")


def _cells(notebook: Any) -> Iterator[MarkedCell]:
    """Yield the notebook's cells in the order in which they were saved."""
    graded = {each.name: each for each in notebook.grade_cells}
    tasks = {each.name: each for each in notebook.task_cells}
    solutions = {each.name for each in notebook.solution_cells}
    for cell in notebook.source_cells:
        worth = graded.get(cell.name) or tasks.get(cell.name)
        yield MarkedCell(
            name=cell.name,
            kind=cell.cell_type,
            source=cell.source or "",
            checksum=cell.checksum or "",
            locked=bool(cell.locked),
            grade=cell.name in graded,
            solution=cell.name in solutions,
            task=cell.name in tasks,
            points=float(worth.max_score) if worth else 0.0,
        )
