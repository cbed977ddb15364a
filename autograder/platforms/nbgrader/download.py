"""nbgrader: `submitted/ada/ch01/`, a folder for each student with one for each assignment, and its `timestamp.txt`.

All assignments of a student make one submission, with the time of the last one.
"""

from __future__ import annotations

from datetime import datetime

from autograder.classroom import times
from autograder.core.text import join_names, one_line
from autograder.intake.archive import UnreadableError
from autograder.platforms.download_form import DownloadForm, Gathering, Read, in_order
from autograder.platforms.nbgrader.inbound import FOLDER
from autograder.platforms.tree import Tree

SUBMITTED = "submitted"
BESIDE = {"nbgrader_config.py", "gradebook.db", "source", "release"}
TIMESTAMP = "timestamp.txt"


def place(tree: Tree) -> Tree:
    """Return the folder of submissions if `tree` is an nbgrader course, else `tree`."""
    names = {child.name: child.is_folder for child in tree.children}
    return tree.below(SUBMITTED) if names.get(SUBMITTED) and names.keys() & BESIDE else tree


def claims(tree: Tree) -> set[str]:
    return {name for name in tree.folders() if _is_student(tree.below(name))}


def _is_student(tree: Tree) -> bool:
    assignments = [name for name in tree.folders() if not FOLDER.fullmatch(name)]  # those are in the exchange
    return any(TIMESTAMP in {file.name for file in tree.below(name).children} for name in assignments)


def read(tree: Tree, claimed: set[str]) -> Read:
    return in_order([_student(tree.below(name), name).attempt(tree.below(name)) for name in sorted(claimed)]), []


def _student(tree: Tree, name: str) -> Gathering:
    assignments = tree.folders()
    one = Gathering(name, parts={each: each for each in assignments})
    times = [when for each in assignments if (when := _time(tree.below(each), one))]
    one.submitted = max(times, default=None)
    if loose := [child.name for child in tree.visible() if child.name not in assignments]:
        one.notes.append(f"in no assignment's folder, and not read: {join_names(loose)}")
    return one


def _time(tree: Tree, one: Gathering) -> datetime | None:
    if TIMESTAMP not in {child.name for child in tree.children if not child.is_folder}:
        return None
    try:
        text = tree.load(TIMESTAMP).decode("utf-8", "replace")
    except UnreadableError:
        text = ""
    if (when := times.read(text)) is None:
        one.notes.append(f"{TIMESTAMP} holds no time: {one_line(text) or 'nothing'}")
        return None
    return times.in_utc(when)


NBGRADER = DownloadForm("nbgrader", claims, read)
