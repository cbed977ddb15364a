"""nbgrader's exchange: `inbound/ada+ch01+2026-11-20 22:59:00.000000 UTC+c2FsdA/`, a folder for each submission.

The name holds the login, in which "+" may stand, the assignment, the time and, unless nbgrader is told not to, random
letters. Programs for zips may write the time's colons as "_" or "-".

Source: https://github.com/jupyter/nbgrader, `nbgrader/exchange/default/submit.py` and `collect.py`.
"""

from __future__ import annotations

import re
from datetime import datetime

from autograder.classroom import times
from autograder.classroom.person import Person
from autograder.platforms.download_form import DownloadForm, Read
from autograder.platforms.task_versions import TaskVersion, as_attempts, in_order_told, several
from autograder.platforms.tree import Tree

FOLDER = re.compile(
    r"(?P<login>.+)\+(?P<assignment>[^+]+)\+(?P<day>\d{4}-\d\d-\d\d)[ T_](?P<hour>\d\d)[:_-](?P<minute>\d\d)[:_-]"
    r"(?P<second>\d\d(?:\.\d+)?)(?P<zone>[^+]*)(?:\+(?P<salt>[^+]+))?",
    re.DOTALL,
)


def claims(tree: Tree) -> set[str]:
    return {name for name in tree.folders() if FOLDER.fullmatch(name)}


def read(tree: Tree, claimed: set[str]) -> Read:
    versions: dict[str, list[TaskVersion]] = {}
    for name in sorted(claimed):
        parts = FOLDER.fullmatch(name)
        assert parts, name
        when = _time(parts)
        order = times.in_utc(when).timestamp() if when else 0.0
        notes = () if when else (f"the folder's name holds no time that exists: {name}",)
        one = TaskVersion(parts["assignment"], (order,), {name: ""}, when, notes=notes)
        versions.setdefault(parts["login"], []).append(one)
    found = [one for login, own in versions.items() for one in as_attempts(login, own, Person(login=login))]
    tasks = [one.task for own in versions.values() for one in own]
    return in_order_told(tree, found), several(tasks, "assignments")


def _time(parts: re.Match[str]) -> datetime | None:
    clock = ":".join((parts["hour"], parts["minute"], parts["second"]))
    return times.read(f"{parts['day']} {clock}{parts['zone']}")


INBOUND = DownloadForm("nbgrader's exchange", claims, read)
