"""The zip that an instructor uploads: the engine and all of the course, with setup.sh and run_autograder on top.

Students never see it, and a submission runs behind a wall that hides reference, suites and solutions from it. The
solutions are lent to exercises that call wrong ones, as in `attend grade`.
"""

from __future__ import annotations

import shlex
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

from autograder.author.release.packages import further, with_packages
from autograder.core import files
from autograder.core.errors import UsageError
from autograder.course.course import MARKER, Course
from autograder.sandbox.launch import package_folder

SETUP, RUN = "setup.sh", "run_autograder"
PROJECT, CONSTRAINTS = "pyproject.toml", "constraints.txt"
ENGINE = (PROJECT, "hatch_build.py", CONSTRAINTS, "README.md", "LICENSE")
STUBS = (".py", ".ipynb", ".json")


def make(course: Course, path: Path, names: Sequence[str]) -> str:
    """Write the zip for the exercises `names` to `path`, and return what to do with it.

    The same course gives the same bytes.

    Raises:
        UsageError: a name fits nothing, the course is incomplete, or the place is taken or cannot be written to.
    """
    if path.suffix != ".zip":
        raise UsageError(f"{path} is no name of a zip; the first argument is the file to write, such as autograder.zip")
    if path.exists() and not _is_ours(path):
        raise UsageError(f"{path} is there already, and not from `attend gradescope`; choose another name")
    if course.is_copy:
        raise UsageError(f"{course.root} is a working copy; an autograder is made from the course itself")
    points = sum(exercise.points for exercise in course.select(names))
    try:
        data = files.zipped(dict(_contents(course, names)), (PurePosixPath(SETUP), PurePosixPath(RUN)))
    except OSError as error:
        raise UsageError(f"{error.filename} cannot be read ({error.strerror}); restore it from the course") from error
    files.write(path, data)
    return (
        f"{path} is an autograder for Gradescope, {points:g} points\n"
        "there: a new programming assignment with as many autograder points; under Configure Autograder the zip, "
        "the newest Ubuntu as base image, 2 GB of memory or more; then Test Autograder with a submission of your own"
    )


def _is_ours(path: Path) -> bool:
    try:
        with zipfile.ZipFile(path) as archive:
            return RUN in archive.namelist()
    except (OSError, zipfile.BadZipFile):
        return False


def _contents(course: Course, names: Sequence[str]) -> Iterator[tuple[PurePosixPath, bytes]]:
    engine = package_folder()
    templates = Path(__file__).parent / "templates"
    run = (templates / RUN).read_text(encoding="utf-8").rstrip("\n")
    yield PurePosixPath(SETUP), (templates / SETUP).read_bytes()
    yield PurePosixPath(RUN), (" ".join([run, *map(shlex.quote, names)]) + "\n").encode()
    yield from _installed(course, engine.parent)
    yield PurePosixPath(MARKER), (course.root / MARKER).read_bytes()
    yield from _folder(engine)
    yield from _folder(course.root / "reference")
    for chapter in course.chapters:
        for path in (course.suite(chapter), course.solution(chapter)):
            yield PurePosixPath(*path.relative_to(course.root).parts), path.read_bytes()
    for stub in course.exercises_dir.iterdir():
        if stub.suffix in STUBS:
            yield PurePosixPath("exercises", stub.name), stub.read_bytes()


def _installed(course: Course, base: Path) -> Iterator[tuple[PurePosixPath, bytes]]:
    """Yield what pip needs, with the packages that only this course imports."""
    paths = [path for path in files.under(course.root / "reference") if path.suffix == ".py"]
    for chapter in course.chapters:
        paths += [course.suite(chapter), course.solution(chapter)]
    texts = [path.read_text(encoding="utf-8") for path in paths]
    plain = {name: (base / name).read_text(encoding="utf-8") for name in ENGINE}
    packages = further(texts, plain[PROJECT])
    plain[PROJECT], plain[CONSTRAINTS] = with_packages(plain[PROJECT], plain[CONSTRAINTS], packages)
    yield from ((PurePosixPath(name), text.encode()) for name, text in plain.items())


def _folder(folder: Path) -> Iterator[tuple[PurePosixPath, bytes]]:
    for path in files.under(folder):
        yield PurePosixPath(folder.name, *path.relative_to(folder).parts), path.read_bytes()
