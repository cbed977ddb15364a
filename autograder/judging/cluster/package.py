"""The parts of a course that grading needs, as one file that travels."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path, PurePosixPath

from autograder.core import files
from autograder.course.course import MARKER, PRISTINE, Course

PARTS = (
    *(MARKER, "exercises/*.py", "exercises/checks.json", f"{PRISTINE.as_posix()}/*.py"),
    *("tests/exercises/*.py", "solutions/*.py"),
)


def pack(course: Course) -> bytes:
    """Return a zip of what decides verdicts in the course; equal files give equal bytes."""
    paths = {path for part in PARTS for path in course.root.glob(part)} | {*files.under(course.root / "reference")}
    return files.zipped({PurePosixPath(path.relative_to(course.root).as_posix()): path.read_bytes() for path in paths})


def unpack(package: bytes, folder: Path) -> Course:
    """Unpack the course that `pack` packed into `folder`."""
    with zipfile.ZipFile(io.BytesIO(package)) as archive:
        archive.extractall(folder)
    return Course(folder)
