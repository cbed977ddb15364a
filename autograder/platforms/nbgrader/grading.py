"""`attend grade --nbgrader`: grade an nbgrader assignment in the sandbox, into nbgrader's gradebook."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any
from warnings import catch_warnings, simplefilter

import msgspec
import nbformat
from nbgrader.utils import parse_utc
from rich.console import Console
from rich.table import Table
from rich.text import Text

from autograder.classroom.lost_files import held
from autograder.core import interrupts, reading
from autograder.core.errors import UsageError
from autograder.core.progress_bar import steps
from autograder.core.records import SubmissionResult
from autograder.core.submission import Problem, Submission
from autograder.core.text import display_names, join_names, one_line, safe_stems
from autograder.course.course import Course
from autograder.course.model import Exercise
from autograder.grading.bounded import NotDoneError, bounded
from autograder.grading.run import GradedClass, GradingOptions, check_sandbox, grade_entries
from autograder.intake.submissions import HandIn
from autograder.platforms.nbgrader import staging
from autograder.platforms.nbgrader.gradebook import Assignment, CellMark, MarkedCell, Marks, NbgraderCourse
from autograder.platforms.nbgrader.kernel import COURSE
from autograder.platforms.nbgrader.verdicts import CellVerdict, verdict
from autograder.platforms.nbgrader.writing import GradebookWriter, NotWrittenError

TIMESTAMP = "timestamp.txt"
MOST_SHOWN = 40


@dataclass(frozen=True)
class _Class:
    """One assignment, its submissions by student, and the exercises with their test cells."""

    nbgrader: NbgraderCourse
    assignment: Assignment
    folders: Mapping[str, Path]
    tests: Mapping[Exercise, MarkedCell]
    before: Marks
    deadlines: Mapping[str, str]

    @property
    def strange(self) -> list[str]:
        """Test cells that belong to no exercise, as "notebook/cell"."""
        known = {(exercise.chapter, cell.name) for exercise, cell in self.tests.items()}
        return [
            f"{notebook}/{cell.name}"
            for notebook, cells in self.assignment.notebooks.items()
            for cell in cells
            if cell.is_test and (notebook, cell.name) not in known
        ]


def grade_assignment(
    course: Course,
    folder: Path,
    name: str,
    out: Path | None,
    options: GradingOptions,
    console: Console,
) -> int:
    """Grade the assignment `name` of the nbgrader course in `folder`; return the exit status of the command."""
    check_sandbox(options)
    nbgrader = NbgraderCourse.open(folder.resolve())
    if named := os.environ.get(COURSE):
        course = Course.find(Path(named))
    assignment = nbgrader.assignment(name)
    tests = _tests(course, assignment)
    folders = nbgrader.submitted(name)
    nbgrader.need_free()
    work = _Class(nbgrader, assignment, folders, tests, nbgrader.marks(name), nbgrader.deadlines(name, folders))
    stems = safe_stems(list(folders))
    entries = [HandIn(*each) for each in zip(display_names(list(folders)), stems, folders.values(), strict=True)]
    chosen = replace(course, only=tuple(dict.fromkeys(exercise.chapter for exercise in tests)))
    place = out or folder / "attend" / name
    graded = grade_entries(chosen, entries, place, list(tests), options._replace(private=(folder,)), console)
    if len(graded.results) < len(entries):
        console.print("nothing was written into the gradebook")
        return graded.status or 1
    return max(graded.status, _write(work, dict(zip(stems, folders, strict=True)), graded, console))


def _tests(course: Course, assignment: Assignment) -> dict[Exercise, MarkedCell]:
    """Return the assignment's exercises, each with its test cell.

    Raises:
        UsageError: it has no exercise of the course.
    """
    cells = {(notebook, cell.name): cell for notebook, cells in assignment.notebooks.items() for cell in cells}
    tests = {
        exercise: cells[key]
        for exercise in course.exercises
        if (key := (exercise.chapter, f"check-{exercise.name}")) in cells and cells[key].is_test
    }
    if not tests:
        made = "a notebook that `attend nbgrader` made has a test cell check-NAME for each exercise"
        raise UsageError(f"'{assignment.name}' has no exercise of {course.root}: {made}")
    return tests


def _write(work: _Class, students: Mapping[str, str], graded: GradedClass, console: Console) -> int:
    verdicts = {
        key: each
        for stem, student in students.items()
        for key, each in _verdicts(work, student, graded.submissions[stem], graded.results[stem])
    }
    with tempfile.TemporaryDirectory(prefix="attend-nbgrader-") as scratch:
        staged, name = Path(scratch), work.assignment.name
        todo, failed = list[str](), dict[str, str]()
        for stem, student in students.items():
            place = staged / student / name
            try:
                if bounded(partial(_stage, work, student, graded.submissions[stem], verdicts, place), bool):
                    todo.append(student)
            except NotDoneError as error:
                failed[student] = f"its notebook {error}"
        writer = GradebookWriter(work.nbgrader, name, work.assignment.notebooks, verdicts, work.before, staged)
        done, refused = _write_all(writer, todo, console)
    _report(work, [each for each in done if each not in refused], len(students) - len(todo) - len(failed), console)
    failed |= refused
    for student, why in failed.items():
        failure = f"{one_line(student)} could not be written, and keeps the old grades: {one_line(why, 200)}"
        console.print(failure, style="red", soft_wrap=True, markup=False)
    if len(done) < len(todo):
        console.print(f"stopped: {len(done)} of {len(todo)} are written; the same command goes on from here")
    return 1 if failed or len(done) < len(todo) else 0


def _verdicts(
    work: _Class, student: str, submission: Submission, result: SubmissionResult
) -> Iterator[tuple[tuple[str, str, str], CellVerdict]]:
    """Yield the verdict for each test cell, and for the cell with the answer."""
    results = {(each.chapter, each.exercise): each for each in result.exercises}
    waits = {name: each.says for each in held(result.exercises) for name in each.exercises}
    for exercise, cell in work.tests.items():
        source = submission.chapters.get(exercise.chapter)
        answered = source is not None and source.problem is None
        own, why = results[exercise.chapter, exercise.name], waits.get(exercise.name, "")
        found = verdict(own, exercise, cell, answered=answered, waits=why)
        yield (student, exercise.chapter, cell.name), found
        yield (student, exercise.chapter, exercise.name), found


def _stage(
    work: _Class,
    student: str,
    submission: Submission,
    verdicts: Mapping[tuple[str, str, str], CellVerdict],
    place: Path,
) -> bool:
    """Write a submission to `place` in a form that nbgrader can read; return False if the gradebook has it already."""
    source = work.folders[student]
    notebooks = {
        name: notebook
        for name, cells in work.assignment.notebooks.items()
        if (notebook := _notebook(work, name, cells, source, submission)) is not None
    }
    others = list(_others(work, source))
    own = {key: each for key, each in verdicts.items() if key[0] == student}
    inputs = [notebooks, list(own.values()), others, _timestamp(source), work.deadlines[student]]
    digest = hashlib.sha256(msgspec.json.encode([inputs, work.nbgrader.settings])).hexdigest()
    if _is_current(work, student, own, notebooks, digest):
        return False
    place.mkdir(parents=True)
    for name, notebook in notebooks.items():
        notebook.metadata["attend"] = digest
        (place / f"{name}.ipynb").write_text(nbformat.writes(notebook, version=4), encoding="utf-8")
    for path, *_ in others:
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / path, place / path, follow_symlinks=False)
    if stamp := _timestamp(source):
        (place / TIMESTAMP).write_text(stamp, encoding="utf-8")
    return True


def _notebook(work: _Class, name: str, cells: Sequence[MarkedCell], source: Path, submission: Submission) -> Any:
    """Return the notebook for nbgrader; None if there is none and nothing of it was graded."""
    raw = staging.read(source / f"{name}.ipynb")
    notes = [note for note in submission.notes if name in note]
    if not isinstance(raw, Problem):
        return staging.staged(raw, cells, notes)
    if raw.status == "missing" and all(exercise.chapter != name for exercise in work.tests):
        return None
    counted = submission.chapters.get(name)
    notes.insert(0, raw.message)
    if counted is None or counted.problem:
        return staging.staged([], cells, notes)
    return staging.staged([staging.code(counted.text)], cells, [f"{counted.origin} was graded", *notes])


def _others(work: _Class, source: Path) -> Iterator[tuple[str, int, int]]:
    """Yield path, size and time of the other files handed in, which nbgrader copies beside the notebooks."""
    limit = work.nbgrader.directory.max_file_size * 1000
    for folder, _, names in os.walk(source):
        for path in (Path(folder, name) for name in sorted(names)):
            if path.suffix == ".ipynb" or path.is_symlink() or not path.is_file() or path == source / TIMESTAMP:
                continue
            if (facts := path.stat()).st_size <= limit:
                yield str(path.relative_to(source)), facts.st_size, facts.st_mtime_ns


def _timestamp(source: Path) -> str:
    """Return the time of the submission as nbgrader wrote it; "" if it is not known."""
    try:
        text = reading.text(source / TIMESTAMP).strip()
        parse_utc(text)
    except (OSError, ValueError, OverflowError):
        return ""
    return text


def _is_current(
    work: _Class,
    student: str,
    own: Mapping[tuple[str, str, str], CellVerdict],
    notebooks: Iterable[str],
    digest: str,
) -> bool:
    """Return whether the gradebook and the autograded notebooks hold these verdicts."""
    tests = {(exercise.chapter, cell.name) for exercise, cell in work.tests.items()}
    folder = work.nbgrader.autograded(student, work.assignment.name)
    return all(
        key in work.before and work.before[key].auto == each.points for key, each in own.items() if key[1:] in tests
    ) and all(_digest_of(folder / f"{name}.ipynb") == digest for name in notebooks)


def _digest_of(path: Path) -> str:
    try:
        return str(json.loads(path.read_bytes())["metadata"]["attend"])
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def _write_all(writer: GradebookWriter, todo: Sequence[str], console: Console) -> tuple[list[str], dict[str, str]]:
    """Return the students that were written, and those of them that nbgrader refused, with its reason."""
    done, failed = list[str](), dict[str, str]()
    if not todo:
        return done, failed
    try:
        with steps(console) as progress, catch_warnings():
            simplefilter("ignore")  # of nbgrader and its libraries, about their own code
            for student in progress.track(todo, description="writing"):
                progress.refresh()
                interrupts.raise_if_noted()
                try:
                    writer.write(student)
                except NotWrittenError as error:
                    failed[student] = str(error)
                done.append(student)
    except KeyboardInterrupt:
        pass
    return done, failed


def _report(work: _Class, written: Sequence[str], same: int, console: Console) -> None:
    """Print what was written, which grades changed, and which cells are left to the instructor."""
    total = len(work.folders)
    upto = f", {same} were up to date" if same else ""
    summary = "is up to date" if same == total else f"{len(written)} of {total} students written{upto}"
    console.print(f"gradebook  {summary}", soft_wrap=True, markup=False)
    after = work.nbgrader.marks(work.assignment.name)
    changes = [
        change for key in after if key[0] in written and (change := _change(key, work.before.get(key), after[key]))
    ]
    if changes:
        table = Table("student", "cell", "change", box=None, header_style="bold")
        for row in changes[:MOST_SHOWN]:
            table.add_row(*(Text(one_line(text, 60)) for text in row))
        console.print(table)
    if len(changes) > MOST_SHOWN:
        console.print(f"and {len(changes) - MOST_SHOWN} more changes")
    if written and work.strange:
        cells = f"no exercise's, so not run and left for you to grade: {join_names(work.strange)}"
        console.print(cells, style="yellow", soft_wrap=True, markup=False)


def _change(key: tuple[str, str, str], old: CellMark | None, new: CellMark) -> tuple[str, str, str] | None:
    """Return student, cell and change, if an earlier grade has changed."""
    if old is None or old.auto == new.auto or (old.auto is None and old.manual is None):
        return None
    stays = f"; {new.manual:g} that you gave stays, look at it again" if new.manual is not None else ""
    return key[0], f"{key[1]}/{key[2]}", f"{_points(old.auto)} becomes {_points(new.auto)}{stays}"


def _points(points: float | None) -> str:
    return "no score" if points is None else f"{points:g}"
