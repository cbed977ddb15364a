"""OLAT and OpenOlat: `ita_Week_3_.../Lovelace_Ada_ada/2_submissions/ch03_attention.py`, a folder for each student.

The folders in it are numbered in their order: `1_task` is what the student was given, then come `2_submissions`,
`3_corrections`, `4_revisions_1`, `5_corrections_1` and so on, and `6_assessment`; a course without tasks begins with
`1_submissions`. Each revision is a later attempt. The folder of a group task begins with `grouptask_`, and a folder in
it is named after the group and its number. `solutions` beside the students holds the teacher's. There are no times.

The shapes are those of OpenOLAT/OpenOLAT, `archiveNodeData` in
`src/main/java/org/olat/course/nodes/GTACourseNode.java`, and `transformDisplayNameToFileSystemName` in
`src/main/java/org/olat/core/util/StringHelper.java`, which writes "_" for a blank.
"""

from __future__ import annotations

import os
import re

from autograder.classroom.person import Person
from autograder.core.text import join_names
from autograder.platforms.download_form import DownloadForm, Gathering, Read, attempts
from autograder.platforms.tree import Tree

STEP = re.compile(r"\d+_(?P<kind>task|submissions|revisions_(?P<round>\d+)|corrections(?:_\d+)?|assessment)")
GROUPS = "grouptask_"
KEY = re.compile(r"(?P<name>.+)_\d+")
THREE = 3  # parts of a name: last, first and login


def claims(tree: Tree) -> set[str]:
    return {name for name in tree.folders() if any(map(STEP.fullmatch, tree.below(name).folders()))}


def read(tree: Tree, claimed: set[str]) -> Read:
    in_groups = os.path.basename(tree.shown).startswith(GROUPS)
    found, none = list[Gathering](), list[str]()
    for name in sorted(claimed):
        handed_in = _handed_in(tree.below(name))
        if not handed_in:
            none.append(name)
        for number, folder in enumerate(handed_in, start=1):
            one = Gathering(name, _group(name) if in_groups else _person(name), parts={f"{name}/{folder}": ""})
            if number == len(handed_in) > 1:
                one.notes.append(f"{folder} counts, as it was handed in after {join_names(handed_in[:-1])}")
            found.append(one)
    says = f"handed in nothing, though a task or a correction is there: {join_names(none)}"
    return attempts(tree, found), [says] if none else []


def _handed_in(tree: Tree) -> list[str]:
    """Return the folders with what a student handed in, the first one first."""
    steps = {name: step for name in tree.folders() if (step := STEP.fullmatch(name))}
    order = {
        name: int(step["round"] or 0)
        for name, step in steps.items()
        if step["kind"].startswith(("submissions", "revisions")) and tree.below(name).visible()
    }
    return sorted(order, key=order.__getitem__)


def _person(name: str) -> Person:
    """Return last name, first name and login; only the name if it is not clear where the login begins."""
    parts = name.split("_")
    if len(parts) == THREE and all(parts):
        return Person(f"{parts[1]} {parts[0]}", login=parts[2])
    return Person(" ".join(parts[:-1]).strip() or name)


def _group(name: str) -> Person:
    parts = KEY.fullmatch(name)
    return Person((parts["name"] if parts else name).replace("_", " "))


OLAT = DownloadForm("OpenOlat", claims, read)
