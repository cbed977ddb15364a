"""Schoology: a folder `Lovelace, Ada - s486002` for each student, in it `Revision 2 - Late` for each hand-in.

The number of a revision counts; after it stands whether it was on time. The last part of the folder's name is the
school's number of the student. There are no times.

Only tools that read such downloads are public, not Schoology's own source:
https://github.com/wholling-lcps/sunzip (`sunzip`: "Last, First - StudentID", and folders of revisions).
"""

from __future__ import annotations

import re

from autograder.classroom.person import Person
from autograder.platforms.download_form import DownloadForm, Gathering, Read
from autograder.platforms.task_versions import TaskVersion, as_attempts, beside, in_order_told
from autograder.platforms.tree import Tree

REVISION = re.compile(r"Revision (?P<number>\d+)(?: - (?P<status>.+))?", re.IGNORECASE)
STATUS = {"on time": False, "late": True}


def claims(tree: Tree) -> set[str]:
    return {name for name in tree.folders() if any(map(REVISION.fullmatch, tree.below(name).folders()))}


def read(tree: Tree, claimed: set[str]) -> Read:
    return in_order_told(tree, [one for name in sorted(claimed) for one in _student(tree.below(name), name)]), []


def _student(tree: Tree, name: str) -> list[Gathering]:
    revisions = {folder: found for folder in tree.folders() if (found := REVISION.fullmatch(folder))}
    versions = [
        TaskVersion("", (int(found["number"]),), {f"{name}/{folder}": ""}, is_late=_is_late(found["status"] or ""))
        for folder, found in revisions.items()
    ]
    called, _, number = name.rpartition(" - ")
    person = Person(called, number) if called else Person(name)
    return as_attempts(name, versions, person, beside(tree, revisions, "a revision's folder"))


def _is_late(status: str) -> bool | None:
    """Return what a status says; None in another language than English."""
    return STATUS.get(status.casefold())


SCHOOLOGY = DownloadForm("Schoology", claims, read)
