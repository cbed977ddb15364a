"""Sakai: `Chapter 3/Lovelace, Ada(ada)/Submission attachment(s)/ch03_attention.py`, with `timestamp.txt` beside these.

The login is in brackets. A group's folder is `Team 1 (number)`, and its `members.txt` lists names and logins. Beside
the submission lie what was typed, comments and feedback, and beside the students a table, `grades.csv`. A second file
of one name gets `+1`, in no order of time. Without folders for students, the folders are parts of one name, joined by
`_`. `timestamp.txt` is in UTC.

The shapes are those of sakaiproject/sakai, `zipSubmissions`, `zipGroupSubmissions` and `zipAttachments` in
`assignment/impl/src/java/org/sakaiproject/assignment/impl/AssignmentServiceImpl.java`; older releases wrote times as
digits alone, and other languages name the folders otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from autograder.classroom.person import Person
from autograder.classroom.times import in_name, in_utc
from autograder.core.text import join_names, one_line
from autograder.intake.archive import UnreadableError
from autograder.platforms.download_form import DownloadForm, Gathering, Read, attempts, in_order
from autograder.platforms.tree import Tree

PERSON = r"(?P<last>[^,;]*),(?P<first>[^,;(]*)\((?P<login>[^()]+)\)"
STUDENT = re.compile(PERSON)
MEMBER = re.compile(rf"\s*{PERSON}\s*(?:;|$)")
GROUP = re.compile(r"(?P<title>.+) \([^()]+\)")
FLAT = re.compile(rf"(?P<who>{PERSON})_Submission attachment\(s\)_(?P<original>.+)", re.DOTALL)
SUBMITTED = "Submission attachment(s)"
TIMESTAMP, MEMBERS = "timestamp.txt", "members.txt"
OF_SAKAI = {TIMESTAMP, MEMBERS, SUBMITTED, "comments.txt", "feedbackText.html"}
TABLES = {"grades.csv", "grades.xls", "grades.xlsx"}
DIGITS = 14  # of a time in seconds; three more are its thousandths
AGAIN = re.compile(r"(?P<stem>.+)\+\d+(?P<suffix>\.\w+)", re.DOTALL)


def claims(tree: Tree) -> set[str]:
    flat = {child.name for child in tree.visible() if FLAT.fullmatch(child.name) and not child.is_strange}
    names = {name for name in tree.folders() if _is_submission(tree, name)} | flat
    return names | {child.name for child in tree.visible() if names and child.name in TABLES}


def _is_submission(tree: Tree, name: str) -> bool:
    inside = {child.name for child in tree.below(name).visible()}
    return bool(GROUP.fullmatch(name) or STUDENT.fullmatch(name)) and bool(inside & OF_SAKAI)


def read(tree: Tree, claimed: set[str]) -> Read:
    flat: dict[str, Gathering] = {}
    found = []
    for name in sorted(claimed - TABLES):
        if parts := FLAT.fullmatch(name):
            one = flat.setdefault(parts["who"], Gathering(parts["who"], _person(parts)))
            one.parts[name] = parts["original"]
        else:
            place = tree.below(name)
            found += [each.attempt(place) for each in _owned(place, name)]
    for one in flat.values():
        _set_apart(one)
    return in_order([*found, *attempts(tree, flat.values())]), []


def _owned(tree: Tree, name: str) -> list[Gathering]:
    """Return the submission in a folder once for each person who owns it."""
    one = _submission(tree, name)
    people = _members(tree) if MEMBERS in {child.name for child in tree.visible()} else []
    if not people:
        return [one]
    together = f"handed in by {join_names([each.called for each in people])} together"
    shared = name if people[1:] else ""
    notes = [*one.notes, together] if shared else one.notes
    return [replace(one, key=f"{name} {each.login}", person=each, notes=list(notes), shared=shared) for each in people]


def _submission(tree: Tree, name: str) -> Gathering:
    student, group = STUDENT.fullmatch(name), GROUP.fullmatch(name)
    person = _person(student) if student else Person(group["title"] if group else name)
    one = Gathering(name, person)
    _set_time(one, tree)
    for folder in _attached(tree):
        inside = tree.below(folder)
        one.parts |= {f"{folder}/{child.name}": child.name for child in inside.visible() if not child.is_strange}
    _set_apart(one)
    if typed := [child.name for child in tree.visible() if child.name.endswith("_submissionText.html")]:
        one.notes.append(f"only files handed in are graded; not read: {join_names(typed)}")
    return one


def _attached(tree: Tree) -> Sequence[str]:
    """Return the folders with what was handed in; in other languages, those that are not feedback."""
    folders = tree.folders()
    return [SUBMITTED] if SUBMITTED in folders else [each for each in folders if "feedback" not in each.casefold()]


def _set_apart(one: Gathering) -> None:
    """Make files that Sakai numbered versions of the one without a number, as the numbers tell no order."""
    places = set(one.parts.values())
    for name, place in list(one.parts.items()):
        again = AGAIN.fullmatch(place)
        if again and (original := again["stem"] + again["suffix"]) in places:
            one.parts[name], one.versions[name] = f"{place}/{original}", place


def _person(parts: re.Match[str]) -> Person:
    return Person(f"{parts['first'].strip()} {parts['last'].strip()}".strip(), login=parts["login"].strip())


def _members(tree: Tree) -> list[Person]:
    try:
        text = tree.load(MEMBERS).decode("utf-8", "replace")
    except UnreadableError:
        return []
    return [_person(each) for each in _whole(text)]


def _whole(text: str) -> Iterable[re.Match[str]]:
    """Return the people in a list of members, none if any of it is something else."""
    people = list(MEMBER.finditer(text))
    return people if "".join(each[0] for each in people).strip() == text.strip() else []


def _set_time(one: Gathering, tree: Tree) -> None:
    if TIMESTAMP not in {child.name for child in tree.children if not child.is_folder}:
        return
    try:
        text = tree.load(TIMESTAMP).decode("utf-8", "replace").strip()
    except UnreadableError:
        text = ""
    when = in_name(text[:DIGITS] if text.isdigit() else text)
    one.submitted = in_utc(when) if when else None
    if when is None:
        one.notes.append(f"{TIMESTAMP} holds no time: {one_line(text) or 'nothing'}")


SAKAI = DownloadForm("Sakai", claims, read)
