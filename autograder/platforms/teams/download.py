"""Microsoft Teams: the folder `Submitted files` of a class's *Student Work*, as SharePoint or OneDrive gives it.

`Submitted files/Ada Lovelace/Homework 1/Version 2/ch01_markov.py`: in a student's folder one for each assignment, in
it one for each time that it was turned in. `Working files` beside it holds drafts that nobody turned in, so it is never
read. There are no times. Microsoft translates these names; where a version is still called so, as in German, the rest
is told by the versions.

Microsoft describes where the files lie, not the names of the folders
(https://learn.microsoft.com/microsoft-365/education/deploy/assignments-admin-documentation). These are known from tools
alone: `DirAndFileScanner.cs` of https://github.com/lwchkg/teams_assignment_explorer, and for German
`RetrieveAndSortAssignmentHandIn.py` of https://github.com/rtotheb2000/Microsoft-Teams-Retrieve-Assignments-Hand-In.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from autograder.classroom.person import Person
from autograder.core.text import join_names
from autograder.platforms.download_form import DownloadForm, Read
from autograder.platforms.task_versions import TaskVersion, as_attempts, beside, in_order_told, several
from autograder.platforms.tree import Tree

SUBMITTED, WORKING = "Submitted files", "Working files"
VERSION = re.compile(r"Version \d+")


def claims(tree: Tree) -> set[str]:
    """Return the folders of students, or the folder of these and of drafts."""
    folders = set(tree.folders())
    is_above = len(folders) <= 2 and (folders & {SUBMITTED, WORKING} or any(map(_holds_students, _folders(tree))))
    return folders if is_above else {name for name in folders if _is_student(tree.below(name))}


def _folders(tree: Tree) -> list[Tree]:
    return [tree.below(name) for name in tree.folders()]


def _holds_students(tree: Tree) -> bool:
    """Return whether most folders in it hold folders of assignments."""
    have_tasks = [any(map(_versions, _folders(each))) for each in _folders(tree)]
    return 2 * sum(have_tasks) > len(have_tasks)


def _is_student(tree: Tree) -> bool:
    return any(map(_versions, [tree, *_folders(tree)]))


def _versions(tree: Tree) -> list[str]:
    return [name for name in tree.folders() if VERSION.fullmatch(name)]


def read(tree: Tree, claimed: set[str]) -> Read:
    students = {name: name for name in claimed - {SUBMITTED, WORKING} if _is_student(tree.below(name))}
    drafts: dict[str, list[str]] = {}
    strange = list[str]()
    for top in sorted(claimed - students.keys()):
        strange += beside(tree.below(top), tree.below(top).folders(), f"a student's folder of {top}")
        for name in tree.below(top).folders():
            path = f"{top}/{name}"
            if _is_student(tree.at(path)):
                students[name] = path
            else:
                drafts.setdefault(top, []).append(name)
    versions = {name: list(_handed_in(tree.at(path), path)) for name, path in students.items()}
    found = [
        attempt
        for name, path in students.items()
        for attempt in as_attempts(name, versions[name], Person(name), _loose(tree.at(path)))
    ]
    tasks = [one.task for each in versions.values() for one in each]
    return in_order_told(tree, found), [*several(tasks, "assignments"), *strange, *_drafts(drafts, set(students))]


def _handed_in(tree: Tree, path: str) -> Iterator[TaskVersion]:
    for task in ["", *tree.folders()]:
        for folder in _versions(tree.at(task)):
            number = int(folder.removeprefix("Version "))
            yield TaskVersion(task, (number,), {"/".join(filter(None, (path, task, folder))): ""})


def _loose(tree: Tree) -> list[str]:
    """Return notes on what lies in no version's folder."""
    tasks = [name for name in tree.folders() if _versions(tree.below(name))]
    notes = beside(tree, [*tasks, *_versions(tree)], "an assignment's folder")
    for task in tasks:
        notes += beside(tree.below(task), _versions(tree.below(task)), f"a version's folder of {task}")
    return notes


def _drafts(drafts: Mapping[str, Sequence[str]], students: set[str]) -> Iterator[str]:
    for top, names in drafts.items():
        if top not in (SUBMITTED, WORKING) and (both := sorted(set(names) & students)):
            yield f"not read, because only drafts can be in {top}: {join_names(both)}"
        if only := sorted(set(names) - students):
            yield f"turned in nothing, as only {top} has a folder of theirs: {join_names(only)}"


TEAMS = DownloadForm("Microsoft Teams", claims, read)
