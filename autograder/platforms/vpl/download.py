"""VPL of Moodle: a folder `Lovelace Ada 12 ada` for each student, in it `2026-11-20-23-59-00` for each submission.

The folder's name holds the full name, Moodle's number of the user, which is not the one in its gradebooks and so not
used, and the user name; a group's is `Team A Group 5` and a space. `2026-11-20-23-59-00.ceg` holds what VPL made of a
submission, `Report.txt` counts them, `Errors.txt` lists files that VPL could not pack. Times are those of the server's
zone, which is not named.

Source: https://github.com/jcrodriguez-dis/moodle-mod_vpl, `views/downloadallsubmissions.php`.
"""

from __future__ import annotations

import re
from datetime import datetime

from autograder.classroom.person import Person
from autograder.core.text import one_line
from autograder.intake.archive import UnreadableError
from autograder.platforms.download_form import DownloadForm, Gathering, Read, attempts
from autograder.platforms.task_versions import beside
from autograder.platforms.tree import Tree

# A user name holds no spaces, the full name may end in a number. Some programs drop the space at the end of a group's.
WHO = re.compile(r"(?P<group>.+) Group \d+ ?|(?P<name>.+) \d+ (?P<login>\S+)", re.DOTALL)
STAMP = re.compile(r"\d{4}(?:-\d\d){5}")
RESULTS = ".ceg"
REPORT, ERRORS = "Report.txt", "Errors.txt"


def claims(tree: Tree) -> set[str]:
    students = {name for name in tree.folders() if WHO.fullmatch(name) and _stamps(tree.below(name))}
    return students | {child.name for child in tree.visible() if students and child.name in (REPORT, ERRORS)}


def _stamps(tree: Tree) -> list[str]:
    return [name for name in tree.folders() if STAMP.fullmatch(name)]


def read(tree: Tree, claimed: set[str]) -> Read:
    found = [one for name in sorted(claimed - {REPORT, ERRORS}) for one in _student(tree.below(name), name)]
    return attempts(tree, found), _errors(tree) if ERRORS in claimed else []


def _student(tree: Tree, name: str) -> list[Gathering]:
    stamps = _stamps(tree)
    notes = beside(tree, [*stamps, *(stamp + RESULTS for stamp in stamps)], "a submission's folder")
    return [Gathering(name, _person(name), _time(each), None, {f"{name}/{each}": ""}, [*notes]) for each in stamps]


def _person(folder: str) -> Person:
    who = WHO.fullmatch(folder)
    assert who, folder
    return Person(who["group"] or who["name"], login=who["login"] or "")


def _time(stamp: str) -> datetime | None:
    try:
        return datetime.strptime(stamp, "%Y-%m-%d-%H-%M-%S")
    except ValueError:
        return None


def _errors(tree: Tree) -> list[str]:
    try:
        return [f"{ERRORS} of VPL says: {one_line(tree.load(ERRORS).decode('utf-8', 'replace'), 400)}"]
    except UnreadableError as why:
        return [f"{ERRORS} of VPL {why}"]


VPL = DownloadForm("Moodle VPL", claims, read)
