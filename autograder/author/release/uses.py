"""The files of `reference/` that the checks of some chapters need."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path

from autograder.course.course import STEM, Course
from autograder.intake.artefacts import asked_for
from autograder.source.parsing import syntax_tree


def reference_files(course: Course, chapters: Sequence[str]) -> list[Path]:
    """Return the references and known mistakes of `chapters`, and what these and the suites use of other chapters."""
    found = {*_given(course), *(path for stem in chapters for path in _of_chapter(course, stem))}
    ahead = found | {course.suite(stem) for stem in chapters}
    while ahead:
        found |= ahead
        ahead = {other for path in ahead for other in _used(course, path)} - found
    return sorted(path for path in found if path.is_relative_to(course.home / "reference"))


def given_files(course: Course) -> list[Path]:
    """Return the files with the given parts that students build on."""
    base = course.home / "reference"
    return sorted(path for path in (base / "__init__.py", *_module(base / "blocks")) if path.is_file())


def capstone_files(course: Course) -> list[Path]:
    """Return the recipes and data for training models; none if no chapter has a model to train."""
    if not any(asked_for(course.suite(chapter)) for chapter in course.chapters):
        return []
    base = course.home / "reference"
    return sorted([*(base / "capstones").glob("*.py"), *(path for path in (base / "data").glob("*") if path.is_file())])


def imported(tree: ast.Module) -> Iterator[tuple[ast.stmt, str]]:
    """Yield the statements that import from `reference`, each with every full name that it may mean."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        else:
            continue
        yield from ((node, name) for name in names if name.split(".")[0] == "reference")


def _given(course: Course) -> Iterator[Path]:
    base = course.home / "reference"
    yield from given_files(course)
    yield from _module(base / "pictures")
    yield from (path for path in (base / "scenes.py", base / "misconceptions" / "__init__.py") if path.is_file())


def _of_chapter(course: Course, stem: str) -> Iterator[Path]:
    base = course.home / "reference"
    yield from _module(base / stem)
    yield from _module(base / "misconceptions" / stem)


def _module(place: Path) -> Iterator[Path]:
    """Yield the files of a module or a package."""
    if place.is_dir():
        yield from place.glob("*.py")
    elif place.with_suffix(".py").is_file():
        yield place.with_suffix(".py")


def _used(course: Course, path: Path) -> Iterator[Path]:
    """Yield the files that a file imports, and those of chapters that it names as strings.

    A suite names a chapter whose known mistakes the student's answer must expose.
    """
    tree = syntax_tree(path.read_text(encoding="utf-8"))
    for _, name in imported(tree):
        yield from _module(course.home.joinpath(*name.split(".")))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and STEM.fullmatch(node.value):
            yield from _of_chapter(course, node.value)
