"""A course of one's own, and changes in its files."""

from __future__ import annotations

import shutil
from pathlib import Path

from autograder.course.course import Course
from tests.autograder.conftest import TOY


def toy_in(folder: Path) -> Course:
    return Course(Path(shutil.copytree(TOY, folder / "toy")))


def edit(path: Path, old: str, new: str) -> None:
    """Replace what must be there, where it stands first."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
