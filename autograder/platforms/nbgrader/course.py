"""`attend nbgrader`: write an nbgrader course from the course's source; nbgrader's own commands do the rest."""

from __future__ import annotations

import json
import re
import secrets
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
from nbformat.v4 import new_code_cell

from autograder.author.chapter import Chapter, read
from autograder.author.notebooks import as_notebook_text
from autograder.core import files
from autograder.core.errors import UsageError
from autograder.core.text import counted
from autograder.course.course import MARKER, Course
from autograder.course.folders import refuse_bad_place
from autograder.course.model import Exercise
from autograder.source.notebook import short
from autograder.student.start import quoted

CONFIG = "nbgrader_config.py"
STUB = "# TODO: your answer\nraise NotImplementedError"
EXAMPLE = "~/attend-nbgrader"
TIMEOUT_SECONDS = 300
SCHEMA_VERSION = 3
SHOWN = ("property", "values")
_HOW_TO_CHECK = """\
## Check your answers
Run the cell below your answer: it says what is right, what is wrong and why, and its last line is the points.
Then Validate, above the notebook, runs all cells afresh, as the grader does. The rest of the notebook is yours."""
_PARTS = frozenset({CONFIG, "source", "release", "submitted", "autograded", "feedback", "gradebook.db", "README.md"})
_ASSIGNMENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _.-]*")
_SEED = re.compile(r'setdefault\("ATTEND_SEED", "(\d+)"\)')


@dataclass(frozen=True)
class WrittenCourse:
    """The nbgrader course at `root`: the chapters of each assignment, and the files that were written."""

    root: Path
    assignments: Mapping[str, tuple[str, ...]]
    written: tuple[Path, ...]
    config_kept: bool

    def text(self) -> str:
        changed = len([path for path in self.written if path.suffix == ".ipynb"])
        total = sum(len(chapters) for chapters in self.assignments.values())
        same = f", {total - changed} up to date" if changed < total else ""
        lines = [f"{self.root}: {counted(total, 'source notebook')}, {changed} written{same}"]
        if self.config_kept:
            lines.append(f"{CONFIG} was changed, so it was kept; delete it to get a new one")
        first = next(iter(self.assignments))
        place, name = quoted(str(self.root)), f'"{first}"'
        lines.append(f"next: cd {place}, then `nbgrader generate_assignment {name}`; README.md has the rest")
        return "\n".join(lines)


def make(
    course: Course,
    folder: Path,
    names: Sequence[str] = (),
    assignment: str | None = None,
    hide_edges: bool = False,
) -> WrittenCourse:
    """Write an nbgrader course into `folder`, or update the source notebooks of the one there.

    In an existing course only source/ changes, and no gradebook, submission or edited configuration.

    Args:
        names: chapters or parts of their names; none means all.
        assignment: the name of one assignment for all chosen chapters; None makes one per chapter.
        hide_edges: run checks of level "edges" only when grading.

    Raises:
        AttendError: the folder or a name cannot be used, or a chapter's source is wrong. Nothing is written then.
    """
    root = folder.expanduser().resolve()
    _refuse(course, root)
    assignments = _assignments(course.whole_chapters(names, "an assignment"), assignment)
    texts = {
        root / "source" / name / f"{stem}.ipynb": source_notebook(
            read(course, stem), course.of(stem), hide_edges=hide_edges
        )
        for name, stems in assignments.items()
        for stem in stems
    }
    config_kept = _keep_or_write(course, root, next(iter(assignments)))
    written = tuple(path for path, text in texts.items() if files.write(path, text))
    return WrittenCourse(root, assignments, written, config_kept)


def _keep_or_write(course: Course, root: Path, assignment: str) -> bool:
    """Write the configuration and the README if they are missing; return whether another configuration was kept."""
    config = root / CONFIG
    if not config.exists():
        files.write(config, _config(course, secrets.randbits(32)))
    if not (root / "README.md").exists():
        files.write(root / "README.md", _readme(course, assignment))
    try:
        text = config.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return True
    seed = _SEED.search(text)
    return seed is None or text != _config(course, int(seed[1]))


def _assignments(stems: Sequence[str], name: str | None) -> dict[str, tuple[str, ...]]:
    if name is None:
        return {stem: (stem,) for stem in stems}
    if not _ASSIGNMENT.fullmatch(name):
        raise UsageError(f"'{name}' cannot name an assignment; use letters, digits, spaces and . _ -")
    return {name: tuple(stems)}


def _refuse(course: Course, root: Path) -> None:
    if course.is_copy:
        raise UsageError(f"{course.root} is a working copy, which has no sources; run this in the course")
    try:
        refuse_bad_place(root, "the nbgrader course", EXAMPLE)
        _refuse_foreign(root)
    except OSError as error:
        raise UsageError(f"{root} cannot be used ({error.strerror}); choose a folder you may write to") from error


def _refuse_foreign(root: Path) -> None:
    if not root.exists():
        return
    if (root / MARKER).is_file():
        raise UsageError(f"{root} belongs to a course; choose another folder, such as {EXAMPLE}")
    names = {entry.name for entry in root.iterdir() if not entry.name.startswith(".")}
    if names and CONFIG not in names and not names <= _PARTS - {"README.md"}:
        other = min(names - _PARTS, default="README.md")
        raise UsageError(f"{root} holds other files ({other}) and no {CONFIG}; choose a new or an empty folder")


def _course_id(course: Course) -> str:
    title = str(course.settings.get("title", "")).partition(":")[0]
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or course.root.name


def _config(course: Course, seed: int) -> str:
    return f"""\
# Settings of this nbgrader course, written once by `attend nbgrader`: yours to change, and kept from then on.
import os

c = get_config()
c.CourseDirectory.course_id = "{_course_id(course)}"
# This stands in place of an answer; a check reports it as "still to do".
c.ClearSolutions.code_stub = {{"python": {STUB!r}}}
# Seconds for one cell. The first check of a notebook loads torch, and an endless loop ends here.
c.Execute.timeout = {TIMEOUT_SECONDS}
# Test cells that a student has deleted are run all the same.
c.OverwriteCells.add_missing_cells = True
# Feedback pages run no scripts from students' markdown and outputs.
c.HTMLExporter.sanitize_html = True
c.HTMLExporter.filters = {{
    "clean_html": "autograder.platforms.nbgrader.pages.clean_html",
    "strip_files_prefix": "autograder.platforms.nbgrader.pages.clean_markdown",
}}
# This and the answers decide the random inputs of the checks; students' own runs use other inputs.
os.environ.setdefault("ATTEND_SEED", "{seed}")
# The course whose checks run, whatever a student hands in beside the notebook.
os.environ.setdefault("ATTEND_COURSE", {str(course.root)!r})
"""


def _commands(name: str) -> list[str]:
    """Return nbgrader's commands for one assignment, in order, each with a comment."""
    name = shlex.quote(name)
    steps = {
        f"generate_assignment {name}": "release/: without answers",
        f"release_assignment {name}": f"into the exchange; or hand out release/{name} yourself",
        f"collect {name}": f"into submitted/STUDENT/{name}; or put notebooks there yourself",
        f"autograde {name}": "runs every notebook; points go into gradebook.db",
        f"generate_feedback {name}": "feedback/: a page for each student",
        f"release_feedback {name}": "into the exchange; or send the pages yourself",
        "export": "all points, as grades.csv",
    }
    width = max(map(len, steps))
    return [f"nbgrader {step:<{width}}  # {does}" for step, does in steps.items()]


def _readme(course: Course, assignment: str) -> str:
    return f"""\
# {course.settings.get("title", "Attend")}, with nbgrader

`source/` was written by `attend nbgrader`; run it again when the course has changed. The rest is nbgrader's and yours.
For each assignment, here `{assignment}`, in this folder:

```
{chr(10).join(_commands(assignment))}
```

- The points of an exercise are the sum of its checks: nbgrader takes what the test cell returns.
- A student needs the course's package in the notebook's Python, and the working copy of `attend start DIR` around the
  notebook, or the course installed from a clone.
- What students print or warn costs them nothing. An endless loop ends after {TIMEOUT_SECONDS} s and earns nothing.
- A check that could not be run shows as `NotCheckedError` and counts no points; `grep -rl NotCheckedError autograded`
  finds it. Fix what it names, then `nbgrader autograde --force` again.
- `nbgrader autograde` runs students' code as you, with your rights. `attend grade NAME --nbgrader .` grades the same
  notebooks of assignment NAME in the sandbox instead, into the same gradebook.
"""


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
