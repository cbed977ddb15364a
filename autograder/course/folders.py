"""The folders of courses: which one is around a place, and where a command may make a new folder."""

from __future__ import annotations

from pathlib import Path

from autograder.core.errors import UsageError
from autograder.course.course import MARKER, Course

NO_COPY = """\
there is no working copy here: go into the folder that `attend start` made, or make one, such as
  attend start my-attend"""
COURSE_FOLDERS = frozenset({"autograder", "docs", "exercises", "reference", "solutions", "tests"})


def course_around(folder: Path) -> Course | None:
    """Return the course or working copy that `folder` is or lies in; None if there is none."""
    root = next((each for each in (folder, *folder.parents) if (each / MARKER).is_file()), None)
    return Course(root) if root else None


def require_copy(course: Course) -> None:
    """Refuse a course that is no working copy.

    Raises:
        UsageError: `course` is the course itself.
    """
    if not course.is_copy:
        raise UsageError(NO_COPY)


def refuse_bad_place(root: Path, purpose: str, example: str) -> None:
    """Refuse `root` as a new folder for `purpose` where it would lie in a working copy or a course's own folders.

    A course or a working copy at `root` itself is left to the caller.

    Args:
        example: a folder that would do.

    Raises:
        UsageError: `root` lies in such a place, has no parent or is a file.
        OSError: the place cannot be read.
    """
    if not root.parent.is_dir():
        raise UsageError(f"there is no folder {root.parent}; make it first, or choose another place")
    if root.exists() and not root.is_dir():
        raise UsageError(f"{root} is a file; choose a folder for {purpose}")
    around = course_around(root)
    if around is None or around.root == root:
        return
    if around.is_copy or root.relative_to(around.root).parts[0] in COURSE_FOLDERS:
        kind = "the working copy" if around.is_copy else "the course"
        raise UsageError(f"{root} belongs to {kind} {around.root}; choose another folder, such as {example}")
