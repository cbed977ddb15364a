"""Chapter files that were renamed: without a word, an empty file of the other form would stand in for them."""

from __future__ import annotations

from pathlib import PurePosixPath

from autograder.course.course import Course
from autograder.intake.misnamed import SUFFIXES, meant_for, proper_name


def misnamed_files(course: Course, *chapters: str) -> list[str]:
    """Return a sentence for each chapter that lacks a form while there is a file that was probably meant for it.

    Args:
        chapters: the chapters to look at; none means all.
    """
    folder = course.exercises_dir
    paths = [PurePosixPath(path.name) for path in sorted(folder.glob("[!.]*")) if path.is_file()]
    others = [path for path in paths if path.suffix in SUFFIXES and path.stem not in course.chapters]
    meant = {chapter: meant_for(chapter, others) for chapter in chapters or course.chapters}
    found = [(proper_name(chapter, path), path.name) for chapter, path in meant.items() if path]
    return [
        f"there is no {right}; if your answers are in {name}, rename it to {right}"
        for right, name in found
        if _lacks(course, right)
    ]


def _lacks(course: Course, name: str) -> bool:
    return not (course.exercises_dir / name).exists()
