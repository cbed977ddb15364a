"""Write results into nbgrader's gradebook and notebooks, with its own converter but without a kernel."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

from nbconvert.preprocessors import ExecutePreprocessor
from nbformat.v4 import new_output
from nbgrader import api
from nbgrader.converters import Autograde
from nbgrader.converters.base import NbGraderException
from nbgrader.preprocessors import NbGraderPreprocessor, SaveAutoGrades
from sqlalchemy.exc import OperationalError
from traitlets.utils.importstring import import_item

from autograder.platforms.nbgrader.gradebook import MarkedCell, Marks, NbgraderCourse, unusable
from autograder.platforms.nbgrader.verdicts import CellVerdict

Verdicts = Mapping[tuple[str, str, str], CellVerdict]
"""By student, notebook and cell; a test cell and the cell with its answer share one."""


class NotWrittenError(Exception):
    """nbgrader could not take one student's notebooks; the message says why."""


class GiveResults(NbGraderPreprocessor):  # type: ignore[misc]
    """Replaces nbgrader's run of a notebook: its test cells get the sandbox's verdicts as outputs."""

    verdicts: Verdicts

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        place = resources["nbgrader"]
        for cell in nb.cells:
            marks = cell.metadata.get("nbgrader", {})
            found = self.verdicts.get((place["student"], place["notebook"], marks.get("grade_id", "")))
            if found and marks["grade"]:
                cell.outputs = _outputs(found)
        return nb, resources


def _outputs(found: CellVerdict) -> list[Any]:
    """Return the outputs that a kernel would have given."""
    printed = new_output("stream", name="stdout", text=found.text)
    if found.points is None:
        return [printed]
    return [printed, new_output("execute_result", data={"text/plain": repr(found.points)})]


class SaveGrades(SaveAutoGrades):  # type: ignore[misc]
    """Saves grades as nbgrader does; the instructor must grade what has no verdict or an outdated manual score."""

    verdicts: Verdicts
    before: Marks
    tests: frozenset[tuple[str, str]]  # notebook and cell of all tests that nbgrader would have run

    def _add_score(self, cell: Any, resources: Any) -> None:
        name = cell.metadata["nbgrader"]["grade_id"]
        key = self.student_id, self.notebook_id, name
        if (self.notebook_id, name) not in self.tests:
            super()._add_score(cell, resources)
            return
        found, before = self.verdicts.get(key), self.before.get(key)
        grade = self.gradebook.find_grade(name, self.notebook_id, self.assignment_id, self.student_id)
        grade.auto_score = found.points if found else None
        overtaken = before and before.manual is not None and (before.needs_manual or before.auto != grade.auto_score)
        grade.needs_manual_grade = grade.auto_score is None or bool(overtaken)
        self.gradebook.db.commit()

    def _add_comment(self, cell: Any, resources: Any) -> None:
        name = cell.metadata["nbgrader"]["grade_id"]
        found = self.verdicts.get((self.student_id, self.notebook_id, name))
        if found is None:
            super()._add_comment(cell, resources)
            return
        comment = self.gradebook.find_comment(name, self.notebook_id, self.assignment_id, self.student_id)
        comment.auto_comment = found.comment
        self.gradebook.db.commit()


class Converter(Autograde):  # type: ignore[misc]
    """nbgrader's autograde for one student's notebooks, in another folder than submitted/."""

    staged: Path
    student: str

    def init_notebooks(self) -> None:
        place = self._format_source(self.coursedir.assignment_id, self.student)
        self.notebooks = list[str]()
        self.assignments = {place: [str(path) for path in sorted(Path(place).glob("*.ipynb"))]}

    def _format_source(self, assignment_id: str, student_id: str, escape: bool = False) -> str:
        if not self._sanitizing:
            return str(super()._format_source(assignment_id, student_id, escape=escape))
        first = re.escape(str(self.staged)) if escape else str(self.staged)
        return (re.escape(os.sep) if escape else os.sep).join((first, student_id, assignment_id))


class GradebookWriter:
    """Writes the results of one student at a time."""

    def __init__(
        self,
        course: NbgraderCourse,
        assignment: str,
        notebooks: Mapping[str, tuple[MarkedCell, ...]],
        verdicts: Verdicts,
        before: Marks,
        staged: Path,
    ) -> None:
        self._directory = course.directory
        self._directory.assignment_id, self._directory.notebook_id = assignment, "*"
        self._log = _Log()
        self._log.replace(course.app.log)
        self._converter = Converter(coursedir=self._directory, parent=course.app)
        self._converter.staged, self._converter.force = staged, True
        give, save = GiveResults(parent=self._converter), SaveGrades(parent=self._converter)
        give.verdicts = save.verdicts = verdicts
        save.before = before
        save.tests = frozenset((name, cell.name) for name, cells in notebooks.items() for cell in cells if cell.is_test)
        chosen = [_in_place_of(each, give, save) for each in self._converter.autograde_preprocessors]
        self._converter.autograde_preprocessors = chosen
        self._engine = cache(api.create_engine)

    def write(self, student: str) -> None:
        """Write one student's grades, comments and autograded notebooks.

        Raises:
            NotWrittenError: nbgrader could not take the notebooks.
            AttendError: the gradebook cannot be used.
        """
        self._directory.student_id = self._converter.student = student
        self._log.messages.clear()
        try:
            # nbgrader would make a database engine for every step of every notebook.
            with patch.object(api, "create_engine", self._engine):
                self._converter.start()
        except (NbGraderException, SystemExit) as error:
            cause, refused = self._log.cause, error.__context__
            if isinstance(refused, OperationalError) or "database is locked" in cause:
                raise unusable(self._directory.db_url, str(refused or cause)) from error
            raise NotWrittenError(cause) from error


def _in_place_of(preprocessor: Any, give: GiveResults, save: SaveGrades) -> Any:
    """Return our preprocessor for the two that we replace, else `preprocessor`."""
    chosen = import_item(preprocessor) if isinstance(preprocessor, str) else preprocessor
    kind = chosen if isinstance(chosen, type) else type(chosen)
    if issubclass(kind, ExecutePreprocessor):
        return give
    return save if issubclass(kind, SaveAutoGrades) else chosen


class _Log(logging.Handler):
    """Keeps the errors that nbgrader would have logged."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())

    def replace(self, log: logging.Logger) -> None:
        """Replace the handlers of `log`."""
        log.handlers = [self]
        log.propagate = False
        log.setLevel(logging.ERROR)

    @property
    def cause(self) -> str:
        """The last line of the traceback, else the first message."""
        traces = [text for text in self.messages if text.startswith("Traceback")]
        text = traces[-1].strip().splitlines()[-1] if traces else next(iter(self.messages), "")
        return text or "nbgrader does not say why"
