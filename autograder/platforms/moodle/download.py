"""Moodle: a folder `Ada Lovelace_123_assignsubmission_file_` for each student, or files with their own name after that.

Online text lies beside it, in `..._assignsubmission_onlinetext_`. The number is the participant's, as in the grading
worksheet. The name is "Participant" if marking is blind; a group's has no number for the default group.
"""

from __future__ import annotations

import re

from autograder.classroom.person import Person
from autograder.core.text import one_line
from autograder.platforms.download_form import DownloadForm, Gathering, Read, attempts
from autograder.platforms.tree import Tree

# Moodle writes no "_" into a name; the student chooses only what follows the first marker.
PART = re.compile(r"(?P<who>.+?)_assignsubmission_(?P<kind>[a-z]+)(?:_(?P<original>.*))?", re.DOTALL)
WHO = re.compile(r"(?P<name>.*?)_(?P<id>\d+)", re.DOTALL)
BLIND = "Participant"


def claims(tree: Tree) -> set[str]:
    return {child.name for child in tree.visible() if PART.fullmatch(child.name) and not child.is_strange}


def read(tree: Tree, claimed: set[str]) -> Read:
    found: dict[str, Gathering] = {}
    for name in sorted(claimed):
        part = PART.fullmatch(name)
        assert part, name
        one = found.setdefault(part["who"], Gathering(part["who"], _person(part["who"])))
        if part["kind"] == "file":
            one.parts[name] = part["original"] or ""
        else:
            one.notes.append(f"only files handed in are graded; not read: {one_line(name, 200)}")
    return attempts(tree, found.values()), []


def _person(who: str) -> Person:
    parts = WHO.fullmatch(who)
    name = parts["name"] if parts else who
    return Person("" if name == BLIND else name, parts["id"] if parts else "")


MOODLE = DownloadForm("Moodle", claims, read)
