"""Grades for a platform: its own table, read, filled in and written back.

The formats are described in `canvas`, `moodle` and `blackboard`, one screen each.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from autograder.classroom.grades import Grade
from autograder.core import files
from autograder.core.errors import UsageError
from autograder.core.text import join_names
from autograder.course.titles import assignment_names
from autograder.grading import book
from autograder.platforms import table
from autograder.platforms.blackboard.export import BLACKBOARD
from autograder.platforms.canvas.export import CANVAS
from autograder.platforms.fill import fill, is_undecided
from autograder.platforms.moodle.export import MOODLE
from autograder.platforms.sheet import Platform
from autograder.platforms.table import Table
from autograder.report.unread import what_waits

PLATFORMS = (MOODLE, BLACKBOARD, CANVAS)


@dataclass(frozen=True)
class Exported:
    """The table that was written, sentences about it, the students without a row, and those whose grade was held.

    `waits` says what the held ones wait for, and how to decide.
    """

    path: Path
    sentences: Sequence[str]
    unmatched: Sequence[str]
    held: Sequence[str] = ()
    waits: str = ""

    def text(self) -> str:
        lines = [f"{self.path}: {self.sentences[0]}", *self.sentences[1:]]
        if self.held:
            says = f"held back, as something is undecided: {join_names(self.held)} ({len(self.held)})"
            lines.append(f"{says}; students.html says what, and --no-hold writes these grades too")
            lines += [self.waits] if self.waits else []
        if self.unmatched:
            count = len(self.unmatched)
            lines.append(
                f"without a row of their own in the table: {join_names(self.unmatched)} ({count}); make sure that each "
                "is there once, by number, login, address or name, and export again"
            )
        return "\n".join(lines)


def undecided(graded: Path) -> list[str]:
    """Return the students in the folder `graded` whose grades wait for a decision, or for the grader."""
    return [grade.student for grade in book.read(graded).grades if is_undecided(grade)]


def export(graded: Path, file: Path, column: str | None, out: Path | None, *, hold: bool = False) -> Exported:
    """Fill the grades from the folder `graded` into the table that a platform exported to `file`.

    Args:
        column: the name of the assignment or a part of it; by default, the only one that fits.
        out: the file to write; by default, one in `graded` with the platform's name.
        hold: whether grades with something undecided stay out.

    Raises:
        AttendError: the table is of no known platform, several columns fit or none, or a file cannot be read.
    """
    class_ = book.read(graded)
    if class_.ungraded:
        who = join_names(class_.ungraded, 3)
        raise UsageError(f"{graded} is not graded to its end, without {who}: run the same `attend grade` again first")
    grades = class_.grades
    platform, found = _recognised(file)
    sheet = platform.sheet(found, column, assignment_names(_chapters(grades)))
    filled = fill(found, sheet, grades, hold=hold)
    path = out or graded / f"{platform.stem}{_suffix(file)}"
    if path.is_dir():
        raise UsageError(f"{path} is a folder; --out takes the name of a file")
    if path.resolve() == file.resolve():
        raise UsageError(f"{file} is the table that the platform exported; choose another file with --out")
    _refuse_foreign(path, platform)
    before = path.exists()
    is_new = files.write(path, filled.table.encoded())
    replaced = [f"an earlier {path.name} with other contents was replaced"] if before and is_new else []
    waits = what_waits([grade for grade in grades if grade.student in filled.held], graded)
    return Exported(path, [*filled.sentences, *replaced], filled.unmatched, filled.held, waits)


def _refuse_foreign(path: Path, platform: Platform) -> None:
    with suppress(UsageError):  # what is there cannot be read as a table
        if not path.exists() or any(platform.recognises(found.header) for found in table.read(path)):
            return
    raise UsageError(f"{path} is there already, and is no table of {platform.name}; choose another name with --out")


def _recognised(file: Path) -> tuple[Platform, Table]:
    for found in table.read(file):
        for platform in PLATFORMS:
            if platform.recognises(found.header):
                return platform, found
    known = "; ".join(f"{platform.name}: {platform.table}" for platform in PLATFORMS)
    raise UsageError(f"{file} has no header of a table that is known. Known are {known}; Blackboard's in English only")


def _suffix(file: Path) -> str:
    return file.suffix.lower() if file.suffix.lower() in (".xls", ".txt", ".tsv") else ".csv"


def _chapters(grades: Sequence[Grade]) -> set[str]:
    return {each.chapter for grade in grades if grade.result for each in grade.result.exercises}
