"""A class as it was downloaded: a zip or folder from a platform, recognised by its file names alone.

Nothing is unpacked or run, no link is followed, and a sentence reports whatever is left out.
"""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path, PurePosixPath

from autograder.classroom.person import Attempt, Download
from autograder.core.errors import UsageError
from autograder.core.text import display_names, join_names, one_line
from autograder.course.course import Course
from autograder.intake.archive import is_zip
from autograder.intake.submissions import doubles, layout, students
from autograder.platforms import flat_class
from autograder.platforms import layout as layouts
from autograder.platforms.autolab.download import AUTOLAB
from autograder.platforms.blackboard.download import BLACKBOARD
from autograder.platforms.brightspace.download import BRIGHTSPACE
from autograder.platforms.canvas.download import CANVAS
from autograder.platforms.class_folder import ClassPlace, examples, lone_folder, loose, owned, places
from autograder.platforms.class_zip import ClassZip
from autograder.platforms.codegrade.download import CODEGRADE
from autograder.platforms.download_form import (
    DownloadForm,
    could_be_submission,
    recognised,
    results,
    without_student,
)
from autograder.platforms.github.download import GITHUB
from autograder.platforms.google.download import GOOGLE
from autograder.platforms.gradescope.download import GRADESCOPE
from autograder.platforms.ilias.download import ILIAS
from autograder.platforms.moodle.download import MOODLE
from autograder.platforms.nbgrader.download import NBGRADER
from autograder.platforms.nbgrader.inbound import INBOUND
from autograder.platforms.olat.download import OLAT
from autograder.platforms.prairielearn.download import PRAIRIELEARN
from autograder.platforms.sakai.download import SAKAI
from autograder.platforms.schoology.download import SCHOOLOGY
from autograder.platforms.submitty.download import SUBMITTY
from autograder.platforms.teams.download import TEAMS
from autograder.platforms.tree import Child, FolderTree, Tree, ZipTree
from autograder.platforms.vpl.download import VPL

TABLES = (".csv", ".tsv", ".xls", ".xlsx")
# Of two forms that fit all names, the first is taken: what fits fewer names comes before what fits more.
FORMS = (
    *(PRAIRIELEARN, AUTOLAB, GRADESCOPE, BLACKBOARD, MOODLE, CANVAS, BRIGHTSPACE, SAKAI, ILIAS, OLAT),
    *(NBGRADER, INBOUND, GITHUB, SUBMITTY, TEAMS, SCHOOLOGY, VPL, CODEGRADE, GOOGLE),
)
BY_CONTENTS = (NBGRADER, GITHUB)
"""Forms whose names tell nothing; they count where no other form fits, at any depth."""
DISTINCT = tuple(form for form in FORMS if form not in (*BY_CONTENTS, TEAMS, GOOGLE))
"""Forms whose names no student's own folder or zip is likely to hold."""
PLAIN = "folder"
"""The name of what no platform made: a folder, or a zip of it, with a folder or a zip for each student."""
FLAT = "files"
"""The name of what no platform made: files side by side, each named after a student and a chapter."""
WANTED = {PLAIN: "a folder or zip of a student", FLAT: "named after a student and a chapter"}
PATTERNS = ("{name} - {file}", "{login}_{file}", "{login}-{file}", "{name}_{id}/{file}", "{name}/{file}", "{name}")
"""Patterns for --layout that may be proposed, the most telling first."""


def read(path: Path, course: Course, layout: str = "") -> Download:
    """Read the class at `path`, a zip or a folder.

    Args:
        layout: the teacher's pattern of the paths in it, as of `layout.steps`; "" to recognise them.

    Raises:
        UsageError: it cannot be read, holds no submissions, or it is not clear whose they are.
    """
    tree = _tree(path)
    if layout:
        return layouts.read(tree, layout)
    found = places(tree, course)
    by_name = tuple(form for form in FORMS if form not in BY_CONTENTS)
    for forms in (by_name, BY_CONTENTS):
        for place in found:
            if known := recognised(forms, place.tree):
                return _read(*known, tree, place)
    return _read_unnamed(tree, found[-1], course)


def _read_unnamed(tree: Tree, place: ClassPlace, course: Course) -> Download:
    """Read what no platform named."""
    if within := _downloads_in(place.tree, course):
        raise UsageError(_which(place.tree, within))
    lone, beside = lone_folder(place.tree), loose(place.tree)
    if lone and not beside:
        raise UsageError(_lone(place, lone, course))
    if flat := flat_class.read(place.tree, course):
        return Download(FLAT, tuple(flat), _problems(FLAT, tree, place, set(beside), flat, ()))
    plain, claimed = _read_plain(place, course)
    return Download(PLAIN, tuple(plain), _problems(PLAIN, tree, place, claimed, plain, ()))


def _downloads_in(tree: Tree, course: Course) -> dict[str, str]:
    """Return the platform of each zip and folder in a folder that is the download of a class, by its name."""
    return {
        child.name: form
        for child in tree.visible()
        if could_be_submission(child) and not child.is_strange and (form := _class_in(tree, child, course))
    }


def _class_in(tree: Tree, child: Child, course: Course) -> str:
    """Return the platform whose names a folder or zip has for several students; "" if there is none."""
    try:
        if child.is_folder:
            inner: Tree = tree.below(child.name)
        elif isinstance(tree, FolderTree):
            inner = ZipTree(ClassZip(Path(tree.shown, child.name)), child.name)
        else:
            return ""
    except UsageError:  # it is damaged, or no zip
        return ""
    for place in places(inner, course):
        known = recognised(DISTINCT, place.tree)
        if known and len({attempt.key for attempt in known[0].read(place.tree, known[1])[0]}) > 1:
            return known[0].name
    return ""


def _which(tree: Tree, within: Mapping[str, str]) -> str:
    """Return what to give instead of a folder that holds these downloads: the zip rather than its unpacked copy."""
    zips = [name for name in within if is_zip(PurePosixPath(name))]
    names = zips or list(within)
    forms = join_names(dict.fromkeys(within[name] for name in names))
    if len(names) == 1:
        return f"{tree.shown} holds a download from {forms} ({one_line(names[0], 200)}); give that"
    return f"{tree.shown} holds {len(names)} downloads from {forms} ({join_names(names)}); give one of them"


def _lone(place: ClassPlace, lone: str, course: Course) -> str:
    """Return the question whether a lone folder is a student's."""
    inside = owned(place.tree.below(lone), course)
    pattern = "{*}/" * len(place.around) + "{name}"
    says = f"{place.tree.shown} holds one folder, {one_line(lone)}, with {one_line(inside)} in it"
    return (
        f"{says}, so it looks like the copy of one student; if it is that, add --layout '{pattern}', else give the "
        "folder that holds the students' folders"
    )


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


def _read(form: DownloadForm, claimed: set[str], tree: Tree, place: ClassPlace) -> Download:
    found, problems = form.read(place.tree, claimed)
    if not found:
        raise UsageError(f"there are no submissions in {place.tree.shown}; download them again")
    return Download(form.name, tuple(found), _problems(form.name, tree, place, claimed, found, problems))


def _problems(
    form: str, tree: Tree, place: ClassPlace, claimed: set[str], found: Sequence[Attempt], more: Iterable[str]
) -> tuple[str, ...]:
    """Return sentences on what is wrong with the download, and on what belongs to no student."""
    left = [child for child in place.tree.children if child.name not in claimed] + place.beside
    folders = (*place.around, place.tree)
    ours = [name for folder in folders for name in results(folder) if name not in claimed]
    none = [name for folder in folders for name in without_student(folder) if name not in (*claimed, *ours)]
    said = [
        f"left out, because `attend grade` wrote it: {join_names(display_names(ours))}" if ours else "",
        f"left out, as the name is that of no submission: {join_names(display_names(none))}" if none else "",
    ]
    left = [child for child in left if child.name not in (*ours, *none)]
    return (*tree.problems, *more, *_twins(found), *_left(form, left), *filter(None, said))


def _left(form: str, left: Sequence[Child]) -> Iterable[str]:
    hidden = [child.name for child in left if child.is_hidden]
    strange = [child.name for child in left if child.is_strange and not child.is_hidden]
    other = [child.name for child in left if not child.is_strange and not child.is_hidden]
    if hidden:
        yield f"left out, because hidden files are no submissions: {join_names(display_names(hidden))}"
    if strange:
        yield f"not followed, because links and special files are not read: {join_names(display_names(strange))}"
    if other:
        kind = WANTED.get(form, f"named as in a download from {form}")
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


def _read_plain(place: ClassPlace, course: Course) -> tuple[list[Attempt], set[str]]:
    """Return one attempt per student, by name, and the names of the files that were read.

    Raises:
        UsageError: there are no submissions, or more files than submissions.
    """
    tree = place.tree
    none = {*results(tree), *without_student(tree)}
    names = {child.name: child.is_folder for child in tree.visible() if child.name not in none}
    try:
        by_name = students(Path(tree.shown), names, course)
    except UsageError as error:
        raise UsageError(f"{error}{_proposal(place, course)}") from error
    claimed = {name for own in by_name.values() for name in own}
    if len(names) - len(claimed) > len(by_name) or (lone_folder(tree) and loose(tree)):
        says = f"it is not clear whose the files in {tree.shown} are"
        raise UsageError(f"{says}; {layout(tree.shown, course)}{_proposal(place, course)}")
    return [_plain(tree, student, own) for student, own in by_name.items()], claimed


def _plain(tree: Tree, student: str, names: Sequence[str]) -> Attempt:
    """Return what a student handed in: of a folder and a zip of one name, nothing tells which came last."""
    read = [name for name in names if could_be_submission(Child(name, name in tree.folders()))]
    if len(read) > 1:
        return Attempt(student, partial(tree.versions, read), notes=doubles([read[0], *names[len(read) :]]))
    return Attempt(student, partial(tree.opened, names[0]), notes=doubles(names))


def _proposal(place: ClassPlace, course: Course) -> str:
    """Return how to go on with files of which it is not clear whose they are: a pattern that fits most of them."""
    paths = examples(place.tree)
    if not paths or owned(place.tree, course):
        return ""
    above = "{*}/" * len(place.around)
    fits = [pattern for pattern in PATTERNS if layouts.fits(place.tree, pattern)]
    proposed = f"--layout '{above}{fits[0] if fits else PATTERNS[-1]}'"
    return f". It holds {join_names(paths)}; if the names say whose each is, tell it how: {proposed}"
