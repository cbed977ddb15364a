"""`attend release`: make a folder with what a student needs and nothing else, and an archive of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from rich.console import Console

from autograder.author.release.engine import engine_files
from autograder.author.release.parts import with_own_parts
from autograder.author.release.place import Placed, checked, place
from autograder.author.release.texts import gitignore, project, readme
from autograder.author.release.uses import capstone_files, given_files, reference_files
from autograder.core.errors import UsageError
from autograder.course.course import TABLES, Course
from autograder.course.effort import draft_line, efforts
from autograder.student.start import File, copy_files

OURS = frozenset({"README.md", ".gitignore"})
"""Files whose text differs from that in a working copy."""
HINTS = PurePosixPath(TABLES.as_posix(), "hints.json")
MOST_HINTS, SEALED_HINTS = 3, 2
"""The number of hints of each exercise, in an open and in a sealed release; the third hint is nearly the code."""

PRACTICE = "for practice: it holds the reference, and a copy of that earns every point; for marks release with --sealed"


@dataclass(frozen=True)
class Released:
    """A release; `held_back` counts the checks of each exercise that only the instructor runs."""

    placed: Placed
    chapters: tuple[str, ...]
    size: int
    held_back: Mapping[str, int]
    remarks: tuple[str, ...] = ()
    only: str = ""

    def text(self) -> str:
        """Return the release in words."""
        many = f"{len(self.chapters)} chapter{'' if len(self.chapters) == 1 else 's'}"
        changed = f"{self.placed.written} files written, {self.placed.removed} removed"
        lines = [
            f"{self.placed.root}: {many}, {changed}",
            f"{self.placed.archive}: {self.size / 1e6:.1f} MB to hand out",
        ]
        if self.held_back:
            count = sum(self.held_back.values())
            lines.append(f"{count} checks of {len(self.held_back)} exercises stay with you: `attend grade` runs them")
        lines += [
            *self.remarks,
            f"next: hand out the zip; what comes back: attend grade DOWNLOAD --out GRADES{self.only}",
        ]
        return "\n".join(lines)


def release(
    course: Course, directory: Path, names: Sequence[str], *, sealed: bool, console: Console, hints: int | None = None
) -> Released:
    """Make the folder and its archive, or bring those of an earlier release up to date.

    Args:
        names: chapters, as people type them; none means all.
        sealed: whether to record answers instead of including the reference and the known mistakes.
        hints: how many hints of each exercise to include; None means all, or all but the last if `sealed`.

    Raises:
        AttendError: the course, a name or the folder cannot be used; then nothing is written.
    """
    if course.is_copy:
        raise UsageError(f"{course.root} is a working copy; releases are made from the course")
    root = checked(directory)
    chosen = replace(course, only=course.whole_chapters(names, "a release"))
    files = dict(_common(chosen, sealed=sealed))
    files[HINTS] = _first_hints(files[HINTS], (SEALED_HINTS if sealed else MOST_HINTS) if hints is None else hints)
    held_back: Mapping[str, int] = {}
    remarks: tuple[str, ...] = ()
    if sealed:
        from autograder.author.release.seal import seal

        made = seal(chosen, files, console)
        files, held_back, remarks = with_own_parts(course, made.files), made.held_back, made.remarks
    else:
        remarks = (PRACTICE,)
        files |= {_relative(course.home, path): path.read_bytes() for path in reference_files(course, chosen.chapters)}
    if unproven := draft_line(chosen.exercises, efforts(chosen)):
        remarks = (*remarks, f"{unproven}; `attend build` says what is missing")
    placed = place(root, files)
    only = "".join(f" --only {chapter}" for chapter in chosen.chapters) if names else ""
    return Released(placed, chosen.chapters, placed.archive.stat().st_size, held_back, remarks, only)


def _common(course: Course, *, sealed: bool) -> Iterator[tuple[PurePosixPath, bytes]]:
    """Yield what every release has: a working copy, the engine, the given parts, and what an installation needs."""
    for file in copy_files(course):
        if file.path.as_posix() not in OURS:
            yield PurePosixPath(file.path.as_posix()), _own(course, file)
    engine = course.home / "autograder" if (course.home / "autograder").is_dir() else Path(__file__).parents[2]
    yield from ((_relative(engine.parent, path), path.read_bytes()) for path in engine_files(engine))
    for path in (*given_files(course), *capstone_files(course)):
        yield _relative(course.home, path), path.read_bytes()
    for name in ("LICENSE", "constraints.txt"):
        yield PurePosixPath(name), _text(engine.parent / name).encode()
    yield PurePosixPath("pyproject.toml"), project(_text(engine.parent / "pyproject.toml"), sealed=sealed).encode()
    yield PurePosixPath("README.md"), readme(course, sealed=sealed).encode()
    yield PurePosixPath(".gitignore"), gitignore().encode()


def _own(course: Course, file: File) -> bytes:
    """Return the file's data; a table by exercises or chapters keeps only the rows of the chosen chapters."""
    if file.path.suffix != ".json":
        return file.data
    own = {exercise.name for exercise in course.exercises} | {*course.chapters}
    rows = {name: said for name, said in json.loads(file.data).items() if name in own}
    return (json.dumps(rows, ensure_ascii=False, indent=2) + "\n").encode()


def _first_hints(data: bytes, count: int) -> bytes:
    """Return the file of hints with null in place of each hint that is held back."""
    rows = {name: [*hints[:count], *[None] * len(hints[count:])] for name, hints in json.loads(data).items()}
    return (json.dumps(rows, ensure_ascii=False, indent=2) + "\n").encode()


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read ({error}); restore it from the course") from error


def _relative(base: Path, path: Path) -> PurePosixPath:
    return PurePosixPath(path.relative_to(base).as_posix())
