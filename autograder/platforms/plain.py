"""A folder, or a zip of it, with a folder or a zip for each student."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from autograder.classroom.person import Attempt
from autograder.course.course import Course
from autograder.intake.submissions import doubles, students
from autograder.platforms.download_form import could_be_submission, is_chapter
from autograder.platforms.tree import FolderTree, Tree

NAME = "folder"


def place(tree: Tree) -> Tree:
    """Return the folder of the class; in a zip, that may be a lone folder, unless it looks like a student's."""
    visible = tree.visible()
    if isinstance(tree, FolderTree) or len(visible) != 1 or not visible[0].is_folder:
        return tree
    inner = tree.below(visible[0].name)
    within = inner.visible()
    if any(is_chapter(child.name) or child.name == "exercises" for child in within):
        return tree
    is_class = visible[0].name == Path(tree.shown).stem or len(list(filter(could_be_submission, within))) > 1
    return inner if is_class else tree


def read(tree: Tree, course: Course) -> tuple[list[Attempt], set[str]]:
    """Return one attempt per student, by name, and the names of the files that were read.

    Raises:
        UsageError: there are no submissions.
    """
    by_name = students(Path(tree.shown), {child.name: child.is_folder for child in tree.visible()}, course)
    found = [
        Attempt(student, partial(tree.opened, names[0]), notes=doubles(names)) for student, names in by_name.items()
    ]
    return found, {name for names in by_name.values() for name in names}
