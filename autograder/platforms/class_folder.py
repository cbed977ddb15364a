"""Where in a download the class lies: below lone folders, beside what is no submission."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePosixPath

from autograder.course.course import MARKER, Course
from autograder.intake.submissions import KINDS
from autograder.platforms.download_form import (
    is_chapter,
    is_code_file,
    possible_submissions,
    results,
    without_student,
)
from autograder.platforms.nbgrader import download as nbgrader
from autograder.platforms.tree import Child, Tree

DEEPEST = 20


@dataclass(frozen=True)
class ClassPlace:
    """A folder that may be that of the class, and the folders that lead to it, the outermost first."""

    tree: Tree
    around: tuple[Tree, ...] = ()

    @property
    def beside(self) -> list[Child]:
        """What lies in the folders around it and is no submission."""
        found = []
        for outer in self.around:
            none = {*results(outer), *without_student(outer)}
            left = [child for child in outer.children if child.is_hidden or not child.is_folder or child.name in none]
            found += [child for child in left if child.name not in nbgrader.BESIDE]
        return found


def places(tree: Tree, course: Course) -> Sequence[ClassPlace]:
    """Return the folder, and the lone folder in it and so on, the outermost first; none is a student's own."""
    found, around = list[ClassPlace](), tuple[Tree, ...]()
    for _ in range(DEEPEST):
        inner = nbgrader.place(tree)
        found.append(ClassPlace(inner, around if inner is tree else (*around, tree)))
        lone = lone_folder(tree)
        if lone is None or loose(tree) or owned(tree.below(lone), course):
            break
        around, tree = (*around, tree), tree.below(lone)
    return found


def loose(tree: Tree) -> list[str]:
    """Return the code that lies in a folder itself."""
    files = [child.name for child in tree.visible() if is_code_file(child.name) and not child.is_folder]
    return [name for name in files if name not in nbgrader.BESIDE]


def lone_folder(tree: Tree) -> str | None:
    """Return the folder that alone in `tree` can hold submissions; None if there is none, or something else."""
    archives = [child.name for child in tree.visible() if child.name.lower().endswith(KINDS[1:])]
    possible = sorted({*possible_submissions(tree), *archives})
    return possible[0] if len(possible) == 1 and possible[0] in tree.folders() else None


def owned(tree: Tree, course: Course) -> str:
    """Return what shows that a folder is one student's own: a chapter, or a copy of the course; "" if nothing does."""
    chapters = {PurePosixPath(name).stem for name in course.chapters}
    for child in tree.visible():
        if child.name == MARKER or (child.is_folder and child.name == "exercises"):
            return child.name
        if not child.is_folder and (is_chapter(child.name) or PurePosixPath(child.name).stem in chapters):
            return child.name
    return ""


def examples(tree: Tree, most: int = 3) -> list[str]:
    """Return paths of some files in a download, each below another of its first entries."""
    found = []
    for child in islice((child for child in tree.visible() if not child.is_strange), most):
        path, folder = child.name, tree.below(child.name) if child.is_folder else None
        for _ in range(DEEPEST):
            inside = [each for each in folder.visible() if not each.is_strange] if folder else []
            if folder is None or not inside:
                break
            path, folder = f"{path}/{inside[0].name}", folder.below(inside[0].name) if inside[0].is_folder else None
        found.append(path)
    return found
