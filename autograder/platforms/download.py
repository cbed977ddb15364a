"""A class as it was downloaded: a zip or folder from a platform, recognised by its file names alone.

Nothing is unpacked or run, no link is followed, and a sentence reports whatever is left out.
"""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from autograder.classroom.person import Attempt, Download
from autograder.core.errors import UsageError
from autograder.core.text import display_names, join_names, one_line
from autograder.course.course import Course
from autograder.intake.submissions import doubles, students
from autograder.platforms.autolab.download import AUTOLAB
from autograder.platforms.blackboard.download import BLACKBOARD
from autograder.platforms.canvas.download import CANVAS
from autograder.platforms.class_zip import ClassZip
from autograder.platforms.codegrade.download import CODEGRADE
from autograder.platforms.download_form import DownloadForm, could_be_submission, is_chapter, recognised
from autograder.platforms.github.download import GITHUB
from autograder.platforms.google.download import GOOGLE
from autograder.platforms.gradescope.download import GRADESCOPE
from autograder.platforms.moodle.download import MOODLE
from autograder.platforms.nbgrader import download as nbgrader
from autograder.platforms.nbgrader.download import NBGRADER
from autograder.platforms.nbgrader.inbound import INBOUND
from autograder.platforms.prairielearn.download import PRAIRIELEARN
from autograder.platforms.schoology.download import SCHOOLOGY
from autograder.platforms.submitty.download import SUBMITTY
from autograder.platforms.teams.download import TEAMS
from autograder.platforms.tree import Child, FolderTree, Tree, ZipTree
from autograder.platforms.vpl.download import VPL

TABLES = (".csv", ".tsv", ".xls", ".xlsx")
# Of two forms that fit all names, the first is taken: what fits fewer names comes before what fits more.
FORMS = (
    *(PRAIRIELEARN, AUTOLAB, GRADESCOPE, BLACKBOARD, MOODLE, CANVAS, NBGRADER, INBOUND, GITHUB),
    *(SUBMITTY, TEAMS, SCHOOLOGY, VPL, CODEGRADE, GOOGLE),
)
PLAIN = "folder"
"""The name of what no platform made: a folder, or a zip of it, with a folder or a zip for each student."""


def read(path: Path, course: Course) -> Download:
    """Read the class at `path`, a zip or a folder.

    Raises:
        UsageError: it cannot be read, or holds no submissions.
    """
    tree = _tree(path)
    for place in _places(tree):
        if known := recognised(FORMS, place):
            return _read(*known, tree, place)
    place = _class_folder(tree)
    found, claimed = _read_plain(place, course)
    return Download(PLAIN, tuple(found), _problems(PLAIN, tree, place, claimed, found, ()))


def _tree(path: Path) -> Tree:
    if path.is_dir():
        try:
            os.listdir(path)
        except OSError as error:
            raise UsageError(
                f"{path} cannot be read ({error.strerror}); give the folder that you downloaded"
            ) from error
        return FolderTree(path)
    if path.suffix.lower() in TABLES:
        fix = "a roster goes behind --roster, and `attend export` fills a platform's gradebook"
        raise UsageError(f"{path} is a table; {fix}")
    if path.is_file() and (zipfile.is_zipfile(path) or path.suffix.lower() == ".zip"):
        return ZipTree(ClassZip(path), str(path))
    if path.is_file():
        raise UsageError(f"{path} is neither a folder nor a zip; unpack it and give the folder")
    raise UsageError(f"{path} is not there; give the folder or zip that you downloaded")


def _places(tree: Tree) -> Iterable[Tree]:
    """Yield the places that may hold submissions: the top, a lone folder there, or nbgrader's folder in either."""
    yield nbgrader.place(tree)
    folders = tree.folders()
    if len(folders) == 1:
        yield nbgrader.place(tree.below(folders[0]))


def _read(form: DownloadForm, claimed: set[str], tree: Tree, place: Tree) -> Download:
    found, problems = form.read(place, claimed)
    if not found:
        raise UsageError(f"there are no submissions in {place.shown}; download them again")
    return Download(form.name, tuple(found), _problems(form.name, tree, place, claimed, found, problems))


def _problems(
    form: str, tree: Tree, place: Tree, claimed: set[str], found: Sequence[Attempt], more: Iterable[str]
) -> tuple[str, ...]:
    """Return sentences on what is wrong with the download, and on what belongs to no student."""
    left = [child for child in place.children if child.name not in claimed]
    if place is not tree:
        beside = (child for child in tree.children if child.is_hidden or not child.is_folder)
        left += [child for child in beside if child.name not in nbgrader.BESIDE]
    return (*tree.problems, *more, *_twins(found), *_left(form, left))


def _left(form: str, left: Sequence[Child]) -> Iterable[str]:
    hidden = [child.name for child in left if child.is_hidden]
    strange = [child.name for child in left if child.is_strange and not child.is_hidden]
    other = [child.name for child in left if not child.is_strange and not child.is_hidden]
    if hidden:
        yield f"left out, because hidden files are no submissions: {join_names(display_names(hidden))}"
    if strange:
        yield f"not followed, because links and special files are not read: {join_names(display_names(strange))}"
    if other:
        kind = "a folder or zip of a student" if form == PLAIN else f"named as in a download from {form}"
        yield f"left out, because not {kind}: {join_names(display_names(other))}"


def _twins(found: Sequence[Attempt]) -> Iterable[str]:
    """Yield a sentence on each number that several students have."""
    keys: dict[str, set[str]] = {}
    for attempt in found:
        if attempt.person.id:
            keys.setdefault(attempt.person.id, set()).add(attempt.key)
    for number, whose in keys.items():
        if len(whose) > 1:
            yield f"{join_names(sorted(whose))} have the same number {one_line(number)}; each is graded alone"


def _class_folder(tree: Tree) -> Tree:
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


def _read_plain(tree: Tree, course: Course) -> tuple[list[Attempt], set[str]]:
    """Return one attempt per student, by name, and the names of the files that were read.

    Raises:
        UsageError: there are no submissions.
    """
    by_name = students(Path(tree.shown), {child.name: child.is_folder for child in tree.visible()}, course)
    found = [
        Attempt(student, partial(tree.opened, names[0]), notes=doubles(names)) for student, names in by_name.items()
    ]
    return found, {name for names in by_name.values() for name in names}
