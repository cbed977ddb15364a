"""`attend update`: bring the installed course into a working copy, keep the answers, and take it back on request."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from autograder.core import files
from autograder.core.errors import UsageError
from autograder.core.reading import contents, decoded
from autograder.core.text import counted, join_names, one_line
from autograder.course.course import MARKER, PRISTINE, STEM, Course
from autograder.course.folders import require_copy
from autograder.source.stub import defines, is_stub_answer
from autograder.student.start import SHOWN_BEFORE, File, copy_files, place_of

KEPT = Path(".attend", "updates")
RECORD = "changed.json"
SUFFIXES = (".py", ".ipynb")
CHANGED = frozenset(
    {"exercises", "tests", "docs", ".attend", MARKER, "conftest.py", "pytest.ini", ".gitignore", "README.md"}
)
"""The folders and files of a copy that an update may change."""
GROUPS = (("tests/exercises/test_", "checks"), ("exercises/", "exercise files that you had not touched"))


@dataclass(frozen=True)
class Updated:
    """The files of the copy that an update changed or removed, and what it left to the student, as sentences."""

    root: Path
    changed: tuple[Path, ...]
    left: tuple[str, ...]

    def text(self) -> str:
        """Return the update in words."""
        if not self.changed:
            return "\n".join([f"{self.root} has the installed course already", *self.left])
        names = {title: sorted({_stem(path, head) for path in self._of(head)}) for head, title in GROUPS}
        rows = [f"  {title}: {join_names(found)}" for title, found in names.items() if found]
        rest = len(self.changed) - sum(len(self._of(head)) for head, _ in GROUPS)
        more = [f"  {counted(rest, 'other file')} of the course: hints, stubs and the like"] if rest else []
        head = f"{self.root} is up to date: {counted(len(self.changed), 'file')} changed"
        return "\n".join([head, *rows, *more, *self.left, "`attend update --undo` takes it back"])

    def _of(self, head: str) -> list[Path]:
        return [path for path in self.changed if path.as_posix().startswith(head) and path.suffix in SUFFIXES]


def _stem(path: Path, head: str) -> str:
    return path.as_posix().removeprefix(head).partition(".")[0]


def update(copy: Course, course: Course) -> Updated:
    """Bring `copy` to what `course` holds. A file of the student's is replaced only while it is the untouched stub.

    Raises:
        UsageError: `copy` is no working copy, `course` is one, or a file cannot be read or written.
    """
    require_copy(copy)
    if course.is_copy:
        raise UsageError(f"{course.root} holds its own course; your instructor hands out a newer one as a new folder")
    wanted = list(copy_files(course, made_from=place_of(course)))
    after: dict[Path, bytes | None] = {file.path: file.data for file in wanted if _may(copy, file)}
    after |= {**{Path("exercises", name): None for name in SHOWN_BEFORE}, **dict(_moved(copy, course))}
    before = {path: _bytes(copy.root, path) for path in after}
    changes = {path: data for path, data in after.items() if data != before[path]}
    left = tuple(_left(copy, course, changes))
    if changes:
        _write(copy.root, {path: before[path] for path in changes}, changes)
    return Updated(copy.root, tuple(sorted(changes)), left)


def _may(copy: Course, file: File) -> bool:
    """Return whether a file may be written: it is the course's, missing, or still the stub that was handed out."""
    path, stub = copy.root / file.path, PRISTINE / file.path.name
    if not file.own or not path.exists():
        return True
    is_of_stub = file.path.parts[0] == "exercises" and (copy.root / stub).is_file()
    return is_of_stub and _text(copy.root, file.path) == _text(copy.root, stub)


def _moved(copy: Course, course: Course) -> Iterator[tuple[Path, bytes | None]]:
    """Yield what becomes of the files of chapters that the course has no more; None for one that goes.

    If a new chapter has the same number, the student's files get its name.
    """
    gone = [stem for stem in copy.chapters if stem not in course.chapters]
    for stem in gone:
        yield copy.suite(stem).relative_to(copy.root), None
        new = [each for each in course.chapters if each[:4] == stem[:4] and each not in copy.chapters]
        for suffix in SUFFIXES:
            path = Path("exercises", stem + suffix)
            stub, data = _bytes(copy.root, PRISTINE / path.name), _bytes(copy.root, path)
            yield PRISTINE / path.name, None
            if data is not None and (data == stub or len(new) == 1):
                yield path, None
                if data != stub:
                    yield Path("exercises", new[0] + suffix), data


def _left(copy: Course, course: Course, changes: Mapping[Path, bytes | None]) -> Iterator[str]:
    """Yield what the student must decide: in files that stay, exercises that are new or have changed."""
    for stem in course.chapters:
        old, new = (_text(each.root, each.stub(stem).relative_to(each.root)) for each in (copy, course))
        own = copy.exercises_dir / f"{stem}.py"
        if own.is_file() and old != new and own.relative_to(copy.root) not in changes:
            names = [each.name for each in course.of(stem) if not _same(old, new, each.name)]
            if names:
                place = (PRISTINE / f"{stem}.py").as_posix()
                yield f"your {stem} stays; {join_names(names)} changed in the course: compare yours with {place}"
    for path in sorted(copy.exercises_dir.glob("ch*")):
        within = path.relative_to(copy.root)
        gone = path.suffix in SUFFIXES and STEM.fullmatch(path.stem) and path.stem not in course.chapters
        if gone and within not in changes:
            yield f"yours stays: {within.as_posix()}, of a chapter that the course has no more"


def _same(old: str, new: str, exercise: str) -> bool:
    return defines(old, exercise) and is_stub_answer(old, new, exercise)


def _write(root: Path, before: Mapping[Path, bytes | None], after: Mapping[Path, bytes | None]) -> None:
    """Keep what was there, then write the new files."""
    stamp = f"{time.strftime('%Y-%m-%d-%H%M%S')}-{time.time_ns() % 10**9:09}"
    place = files.inside(root, KEPT / stamp)
    for path, data in before.items():
        if data is not None:
            files.write(place / path, data)
    rows = {path.as_posix(): before[path] is not None for path in sorted(before)}
    files.write(place / RECORD, json.dumps(rows, indent=1) + "\n")
    for path, data in after.items():
        _put(root, path, data)


def undo(copy: Course) -> str:
    """Take the last update back, and return what was done. Files that were edited since are kept beside it.

    Raises:
        UsageError: this is no working copy, or there is no update to take back.
    """
    require_copy(copy)
    places = sorted(path.parent for path in files.inside(copy.root, KEPT).glob(f"*/{RECORD}"))
    if not places:
        raise UsageError(f"there is no update of {copy.root} to take back")
    place = places[-1]
    rows = _changed(copy.root, place)
    before = {path: _bytes(place, path) if existed else None for path, existed in rows.items()}
    for path, data in before.items():
        now = _bytes(copy.root, path)
        if now is not None and path.parts[0] == "exercises":
            files.write(files.inside(place, Path("taken-back") / path), now)
        _put(copy.root, path, data)
    (place / RECORD).rename(place / f"undone-{RECORD}")
    kept = place / "taken-back"
    more = f"; what your exercise files held is in {kept.relative_to(copy.root).as_posix()}" if kept.is_dir() else ""
    return f"{copy.root} is as it was before the update: {counted(len(rows), 'file')} changed{more}"


def _changed(root: Path, place: Path) -> dict[Path, bool]:
    """Return the files that an update has changed, and whether each was there before.

    Raises:
        UsageError: the record of it is damaged, or names a file that no update changes.
    """
    try:
        rows = decoded(contents(files.inside(root, place.relative_to(root) / RECORD)), dict[str, bool])
    except (OSError, ValueError) as error:
        fix = f"remove {place}, and `attend update` brings the course in again"
        raise UsageError(f"{place / RECORD} is damaged ({one_line(str(error))}); {fix}") from error
    for name in rows:
        files.inside(root, name)
        if Path(name).parts[0] not in CHANGED or len({each for each in rows if each.lower() == name.lower()}) > 1:
            raise UsageError(f"{place / RECORD} names {one_line(name)}, which no update changes; remove {place}")
    return {Path(name): existed for name, existed in rows.items()}


def _put(root: Path, path: Path, data: bytes | None) -> None:
    found = files.inside(root, path)
    if data is not None:
        files.write(found, data)
    elif not found.is_dir():
        found.unlink(missing_ok=True)


def _bytes(root: Path, path: Path) -> bytes | None:
    """Return what a file in `root` holds; None if there is none.

    Raises:
        UsageError: it lies elsewhere, or cannot be read.
    """
    found = files.inside(root, path)
    try:
        return contents(found) if found.is_file() else None
    except OSError as error:
        raise UsageError(f"{found} cannot be read ({error.strerror}); move it elsewhere") from error


def _text(root: Path, path: Path) -> str:
    return (_bytes(root, path) or b"").decode("utf-8", "replace").replace("\r\n", "\n")
