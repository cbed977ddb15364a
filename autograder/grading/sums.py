"""Chapters that were graded in several folders: one grade for each student, the sum of the grades in the folders.

A roster says who is the same student, as it does for the submissions of one download. Each folder counts by its own
policy, and nothing is graded again. `attend grades` writes the sums into a folder that `attend export` reads.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import msgspec

from autograder.classroom import register
from autograder.classroom.grades import Grade
from autograder.classroom.person import Person
from autograder.classroom.register import Register
from autograder.classroom.roster import Roster
from autograder.classroom.roster_match import owners
from autograder.core import files
from autograder.core.encoded import as_json
from autograder.core.errors import AttendError, UsageError
from autograder.core.reading import contents, decoded
from autograder.core.records import SubmissionResult
from autograder.core.text import display_names, join_names, one_line
from autograder.grading import book
from autograder.grading.book import Book
from autograder.report.outputs import csv_text

NAME, TABLE = "sums.json", "grades.csv"
VERSION = 1
NOTHING = "nothing was handed in."
CHANGES = "late and extra"


@dataclass(frozen=True, eq=False)
class GradedFolder:
    """A folder that `attend grade` filled, as it was named, and the class in it."""

    path: Path
    book: Book

    @property
    def chapters(self) -> dict[str, str]:
        """The chapter of each exercise that was graded."""
        results = [grade.result for grade in self.book.grades if grade.result]
        return {each.exercise: each.chapter for result in results for each in result.exercises}

    @property
    def most(self) -> float:
        return max((grade.max_score for grade in self.book.grades), default=0.0)

    @property
    def called(self) -> str:
        """The chapters, as students know the folder."""
        return join_names(dict.fromkeys(self.chapters.values()), 3)


@dataclass(frozen=True)
class Sums:
    """The sums of a class.

    Args:
        folders: the folders that were summed.
        grades: one for each student of the roster, then one for each submission that matches nobody.
        chapters: the chapter of each exercise.
        remarks: sentences about the folders.
        strangers: sentences about submissions that match nobody on the roster.
    """

    folders: tuple[Path, ...]
    grades: tuple[Grade, ...]
    chapters: Mapping[str, str]
    remarks: tuple[str, ...] = ()
    strangers: tuple[str, ...] = ()

    def points(self, chapter: str, grade: Grade) -> float | str:
        """Return the points for a chapter, without late days; "" if nothing was handed in, or some are undecided."""
        names = {name for name, one in self.chapters.items() if one == chapter}
        tried = {each.exercise for each in grade.result.exercises} & names if grade.result else set[str]()
        counted = names & grade.exercises.keys()
        return round(sum(grade.exercises[name] for name in counted), 6) if counted and tried <= counted else ""

    def changes(self, grade: Grade) -> float | str:
        """Return what late days took and persons added, over all folders; "" if points are undecided."""
        return round(grade.score - sum(grade.exercises.values()), 6) if grade.is_final else ""


class _Kept(msgspec.Struct, frozen=True):
    """The sums on disk: the folders, relative to theirs, a digest of the grades in each, and the summed grades."""

    folders: dict[str, str]
    grades: tuple[Grade, ...]
    version: int = VERSION


def add_up(paths: Sequence[Path], roster: Roster) -> Sums:
    """Return the sums over the graded folders in `paths`, for each student of the roster.

    Raises:
        AttendError: a folder is given twice, cannot be read or is not graded to its end; or two hold one chapter.
    """
    folders = [_opened(path) for path in paths]
    _refuse_twice(folders)
    found = _Found(roster)
    for folder in folders:
        found.take(folder)
    keys: list[Person | Stranger] = [*roster.people, *found.others]
    names = _shown(keys)
    grades = tuple(_sum(key, names[key], folders, found.by_key.get(key, {})) for key in keys)
    chapters = {name: chapter for folder in folders for name, chapter in folder.chapters.items()}
    remarks = tuple(_differences(folders))
    return Sums(tuple(folder.path for folder in folders), grades, chapters, remarks, tuple(found.strangers))


def _opened(path: Path) -> GradedFolder:
    class_ = book.read(path)
    if class_.ungraded:
        who = join_names(class_.ungraded, 3)
        raise UsageError(f"{path} is not graded to its end, without {who}: run the same `attend grade` again first")
    return GradedFolder(path, class_)


def _refuse_twice(folders: Sequence[GradedFolder]) -> None:
    seen: dict[str, GradedFolder] = {}
    for folder in folders:
        for name, chapter in folder.chapters.items():
            if name in seen:
                both = f"{seen[name].path} and in {folder.path}"
                raise UsageError(f"{chapter} is graded in {both}; give one of them, as its points would count twice")
        seen |= dict.fromkeys(folder.chapters, folder)


@dataclass(frozen=True)
class Stranger:
    """Someone who is not on the roster, as one form of download describes them."""

    form: str
    student: str
    person: Person

    @property
    def called(self) -> str:
        return self.student


@dataclass
class _Found:
    """Whose grades lie in the folders: of people on the roster, and of others."""

    roster: Roster
    by_key: dict[Person | Stranger, dict[Path, Grade]] = field(default_factory=dict)
    others: list[Stranger] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)

    def take(self, folder: GradedFolder) -> None:
        grades = {grade.student: grade for grade in folder.book.grades}
        matches = owners({student: grade.person for student, grade in grades.items()}, self.roster)
        for student, match in matches.items():
            grade = grades[student]
            if match.person is None and grade.result is None and not grade.remarks:
                continue  # they are on another roster, and have nothing
            key = match.person or Stranger(folder.book.register.form, student, grade.person)
            if isinstance(key, Stranger):
                self.strangers.append(f"{folder.path}: {one_line(student)} {match.reason}")
                self.others += [key] * (key not in self.others)
            self.by_key.setdefault(key, {})[folder.path] = grade


def _shown(keys: Sequence[Person | Stranger]) -> dict[Person | Stranger, str]:
    """Return a distinct name for each student, with the number or another identifier where several share a name."""
    count = Counter(key.called for key in keys)
    return dict(zip(keys, display_names([_named(key, count[key.called] > 1) for key in keys]), strict=True))


def _named(key: Person | Stranger, is_shared: bool) -> str:
    person = key.person if isinstance(key, Stranger) else key
    known = person.id or person.login or person.email
    return f"{key.called} ({known})" if is_shared and known else key.called


def _sum(key: Person | Stranger, student: str, folders: Sequence[GradedFolder], own: Mapping[Path, Grade]) -> Grade:
    there = {folder: own[folder.path] for folder in folders if folder.path in own}
    results = [grade.result for grade in there.values() if grade.result]
    exercises = [each for result in results for each in result.exercises]
    notes = [note for result in results for note in result.notes]
    missing = [folder for folder in folders if folder not in there or there[folder].result is None]
    return Grade(
        stem="",
        student=student,
        person=key.person if isinstance(key, Stranger) else key,
        result=SubmissionResult.of(student, exercises, notes=notes) if results else None,
        page="",
        score=round(sum(grade.score for grade in there.values()), 6),
        max_score=round(sum(folder.most for folder in folders), 6),
        exercises={name: points for grade in there.values() for name, points in grade.exercises.items()},
        remarks=(
            *(f"{folder.called}: {each}" for folder, grade in there.items() for each in grade.remarks),
            *(f"{folder.called}: {NOTHING}" for folder in missing if results),
        ),
        open=tuple(f"{folder.path}: {each}" for folder, grade in there.items() for each in grade.open),
        held=tuple(f"{folder.called}: {each}" for folder, grade in there.items() for each in grade.held),
    )


def _differences(folders: Sequence[GradedFolder]) -> Iterator[str]:
    """Yield a sentence on rules that hold for the class of one folder and not for that of another."""
    rules = [folder.book.register.policy for folder in folders]
    kinds: dict[str, list[object]] = {
        "deadline": [each.deadline is not None for each in rules],
        "attempt": [each.attempt for each in rules],
        "late days": [each.late for each in rules],
        "few_digits": [each.few_digits for each in rules],
        "weights": [bool(each.weights) for each in rules],
    }
    if unlike := [name for name, values in kinds.items() if any(value != values[0] for value in values)]:
        yield f"policy.toml is not the same in all folders ({join_names(unlike)}): each folder counts by its own"


def write(out: Path, sums: Sums) -> None:
    """Write the sums into `out`: the table, and what `attend export` reads.

    Raises:
        UsageError: `out` holds something else, or cannot be written to.
    """
    if out.is_dir() and any(out.iterdir()) and not (out / NAME).is_file():
        raise UsageError(f"{out} holds other files, and no sums; choose a new or empty folder with --out")
    chapters = {chapter: partial(sums.points, chapter) for chapter in dict.fromkeys(sums.chapters.values())}
    changed = {CHANGES: sums.changes} if any(map(sums.changes, sums.grades)) else {}
    folders = {Path(os.path.relpath(path, out)).as_posix(): _digest(book.read(path)) for path in sums.folders}
    files.write(out / TABLE, csv_text(sums.grades, {**chapters, **changed}))
    files.write(out / NAME, as_json(_Kept(folders, sums.grades)))


def _digest(class_: Book) -> str:
    return hashlib.sha256(as_json(class_.grades)).hexdigest()


def summed(out: Path) -> list[Path]:
    """Return the folders whose sums `out` holds; none if it is no folder of sums.

    Raises:
        AttendError: the sums are damaged.
    """
    return [out / path for path in _kept(out).folders] if (out / NAME).is_file() else []


def read(out: Path) -> Book:
    """Return the class in the folder `out`, which `attend grade` or `attend grades` filled.

    Raises:
        AttendError: it cannot be read; or folders that were summed have changed since.
    """
    if not (out / NAME).is_file():
        return book.read(out)
    kept = _kept(out)
    for path, before in kept.folders.items():
        folder = out / path
        if not (folder / register.NAME).is_file() or _digest(book.read(folder)) != before:
            again = "run the same `attend grades` again first"
            raise UsageError(f"{folder} is not as it was when {out} was written: {again}")
    return Book(Register("", ()), kept.grades)


def _kept(out: Path) -> _Kept:
    try:
        kept = decoded(contents(out / NAME), _Kept)
    except (OSError, ValueError) as error:
        raise AttendError(f"{out / NAME} cannot be read ({one_line(str(error))}); run `attend grades` again") from error
    if kept.version != VERSION:
        raise AttendError(f"{out / NAME} has format {kept.version}, not {VERSION}; run `attend grades` again")
    return kept
