"""Begin a course of one's own: a folder that builds, grades and proves at once."""

from __future__ import annotations

import json
from pathlib import Path

from autograder.author.course_skeletons import (
    BLOCKS,
    EQUIVALENT,
    IGNORED,
    MISTAKES,
    MISTAKES_PACKAGE,
    PIECES,
    README,
    REFERENCE,
    REFERENCE_PACKAGE,
    RIGHT,
    SETTINGS,
    SOURCE,
    STEM,
    SUITE,
)
from autograder.author.proof.right_answers import FOLDER
from autograder.core import files
from autograder.core.errors import UsageError
from autograder.course.course import MARKER, Course
from autograder.course.folders import course_around


def new_course(directory: Path, title: str = "") -> list[Path]:
    """Write a course of one chapter into a new folder, and return the paths of its files.

    Args:
        directory: a folder that is empty or not there yet, in no other course.
        title: what its pages are called; by default the folder's name.

    Raises:
        UsageError: the folder holds something, lies in a course, or cannot be written to.
    """
    root = directory.expanduser().resolve()
    if around := course_around(root):
        raise UsageError(f"{root} lies in the course {around.root}; choose a folder outside of it")
    if root.exists() and (not root.is_dir() or any(root.iterdir())):
        raise UsageError(f"{root} is there already and holds something; choose a new or an empty folder")
    name = title or root.name.replace("_", " ").replace("-", " ").strip().capitalize()
    texts = _texts(Course(root), name)
    for path, text in texts.items():
        files.write(path, text)
    return [*texts]


def _texts(course: Course, name: str) -> dict[Path, str]:
    reference = course.root / "reference"
    right = {course.root / FOLDER / STEM / f"{style}.py": text for style, text in RIGHT.items()}
    return {
        course.root / MARKER: SETTINGS.format(title=json.dumps(name, ensure_ascii=False)),  # as TOML has it, too
        course.root / "README.md": README.format(name=name),
        course.root / ".gitignore": IGNORED,
        course.solution(STEM): SOURCE,
        course.suite(STEM): SUITE,
        reference / "__init__.py": REFERENCE_PACKAGE,
        reference / f"{STEM}.py": REFERENCE,
        reference / "blocks" / "__init__.py": BLOCKS,
        reference / "blocks" / "pieces.py": PIECES,
        reference / "misconceptions" / "__init__.py": MISTAKES_PACKAGE,
        reference / "misconceptions" / f"{STEM}.py": MISTAKES,
        course.root / "tests" / "promises" / "equivalent" / f"{STEM}.toml": EQUIVALENT,
        **right,
    }
