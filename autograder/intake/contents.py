"""What a file of unknown purpose defines: read with `ast`, and never run."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

from autograder.core.submission import Problem
from autograder.course.course import Course
from autograder.intake.archive import Found, UnreadableError
from autograder.source.decoding import as_utf8, decode
from autograder.source.notebook import read_cells
from autograder.source.parsing import DEFINITIONS, SOURCE_LIMIT, syntax_tree


def is_notebook(found: Found) -> bool:
    return ".ipynb" in found.path.name.lower()


@lru_cache(maxsize=8)
def whole(course: Course) -> Course:
    """Return the course with all its chapters, whichever are graded."""
    return replace(course, only=())


@lru_cache(maxsize=8)
def chapter_of(course: Course) -> Mapping[str, str]:
    """Return the chapter of each exercise."""
    return {each.name: each.chapter for each in whole(course).exercises}


@lru_cache(maxsize=64)
def exercises_in(course: Course, found: Found) -> dict[str, list[str]]:
    """Return the exercises that a file defines at its top level, by chapter.

    A module that does not compile counts as the exercise it is named after.
    """
    chapters = chapter_of(course)
    trees = list(_trees(found))
    names = {name for tree in trees for name in _defined(tree.body)}
    if not trees and not is_notebook(found):
        names = {found.path.name.split(".")[0]}
    by_chapter: dict[str, list[str]] = {}
    for name, chapter in chapters.items():
        if name in names:
            by_chapter.setdefault(chapter, []).append(name)
    return by_chapter


def distinct(files: Iterable[Found]) -> list[Found]:
    """Return the files without those that hold the same as an earlier one; what cannot be read is like no other."""
    by_data: dict[object, Found] = {}
    for found in files:
        try:
            data: object = found.load()
        except UnreadableError:
            data = found.path
        by_data.setdefault(data, found)
    return list(by_data.values())


def _trees(found: Found) -> Iterator[ast.Module]:
    try:
        data, _ = as_utf8(found.load())
    except UnreadableError:
        return
    if is_notebook(found):
        cells = read_cells(data, "")
        yield from (cell.tree for cell in (() if isinstance(cells, Problem) else cells) if cell.tree)
        return
    decoded = decode(data, "")
    if isinstance(decoded, Problem) or len(decoded.text) > SOURCE_LIMIT:
        return
    try:
        yield syntax_tree(decoded.text)
    except SyntaxError:
        return


def _defined(body: Iterable[ast.stmt]) -> Iterator[str]:
    for node in body:
        if isinstance(node, DEFINITIONS):
            yield node.name
        elif isinstance(node, ast.Assign):
            yield from (each.id for each in node.targets if isinstance(each, ast.Name))
