"""ILIAS: `Blatt 03/Abgaben/Lovelace_Ada_ada_274/ch03_attention.py`, a folder for each student, teams in `Team 5/`.

The folder is named after last name, first name, login and ILIAS's number of the user. A member's folder in a team holds
what that member uploaded, and members who uploaded nothing have none: whatever lies in it is the whole team's. A late
file's name begins with `Late Submission - `, and a second file of one name gets ` (2)`, in no certain order. The
download for feedback to many, `multi_feedback_...`, has the same folders, empty in ILIAS itself.

The shapes are those of ILIAS-eLearning/ILIAS, `downloadAllAssignmentFiles` in
`Modules/Exercise/Submission/class.ilExSubmission.php`, `copySubmissionFilesToDir` in
`components/ILIAS/Exercise/Submission/SubmissionManager.php`, and `sendMultiFeedbackStructureFile` in
`Modules/Exercise/Assignment/class.ilExAssignment.php`.
"""

from __future__ import annotations

import re

from autograder.classroom.person import Person
from autograder.core.text import join_names
from autograder.platforms.download_form import DownloadForm, Gathering, Read, attempts
from autograder.platforms.tree import Tree

# A name holds no "_", a login may. Letters that ILIAS cannot write are "_", so parts of a name may be empty.
STUDENT = re.compile(r"(?P<last>[^_]*)_(?P<first>[^_]*)_(?P<login>.*)_(?P<number>\d+)")
TEAM = re.compile(r"(?:Team|[ÉE]quipe|Equipo|Squadra)[ _]\d+")  # any other word may be the sheet's, as "Blatt 03"
FEEDBACK = "multi_feedback_"
LATE = re.compile(r"(?:Late Submission|Versp(?:ä|a|ae)tete Abgabe) - ", re.IGNORECASE)
AGAIN = re.compile(r"(?P<stem>.+) \(\d+\)(?P<suffix>\.\w+)", re.DOTALL)


def claims(tree: Tree) -> set[str]:
    return {name for name in tree.folders() if _is_student(tree, name) or _is_team(tree, name)}


def _is_student(tree: Tree, name: str) -> bool:
    """Return whether a folder is a student's; that of a download or an assignment may be named alike."""
    is_named = STUDENT.fullmatch(name) and not name.startswith(FEEDBACK)
    return bool(is_named) and not any(map(STUDENT.fullmatch, tree.below(name).folders()))


def _is_team(tree: Tree, name: str) -> bool:
    members = tree.below(name).folders() if TEAM.fullmatch(name) else []
    return bool(members) and all(map(STUDENT.fullmatch, members))


def read(tree: Tree, claimed: set[str]) -> Read:
    found = []
    for name in sorted(claimed):
        found += _team(tree.below(name), name) if _is_team(tree, name) else [_student(tree.below(name), name)]
    return attempts(tree, found), []


def _student(tree: Tree, name: str) -> Gathering:
    one = Gathering(name, _person(name))
    _add(one, tree, name, "")
    return one


def _team(tree: Tree, name: str) -> list[Gathering]:
    """Return what a team handed in, once for each member of whom there is a folder."""
    members = tree.folders()
    people = [_person(member) for member in members]
    together = f"handed in by {join_names([each.called for each in people])} together" if people[1:] else ""
    found = []
    for member, person in zip(members, people, strict=True):
        one = Gathering(member, person, shared=name if together else "")
        one.notes.append(together or f"handed in for {name}")
        for each in members:
            _add(one, tree.below(each), f"{name}/{each}", each if together else "")
        found.append(one)
    return found


def _add(one: Gathering, tree: Tree, place: str, version: str) -> None:
    """Add the files of one member's folder; what is numbered, or another member's, is a version of its own."""
    originals = {child.name: LATE.sub("", child.name) for child in tree.visible() if not child.is_strange}
    for name, original in originals.items():
        again = AGAIN.fullmatch(original)
        first = again["stem"] + again["suffix"] if again else ""
        is_again = first in originals.values()
        own = "/".join(filter(None, (version, original if is_again else "")))
        path = f"{place}/{name}"
        one.parts[path] = "/".join(filter(None, (own, first if is_again else original)))
        if own:
            one.versions[path] = own
        one.is_late = one.is_late or bool(LATE.match(name)) or None


def _person(name: str) -> Person:
    parts = STUDENT.fullmatch(name)
    assert parts, name
    if not all(parts.groups()):  # a part that ILIAS could not write
        return Person(id=parts["number"])
    return Person(f"{parts['first']} {parts['last']}", parts["number"], parts["login"])


ILIAS = DownloadForm("ILIAS", claims, read)
