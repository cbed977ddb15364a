"""Blackboard: `gradebook_*.zip`, flat files `Homework 1_ada_attempt_2026-11-20-23-59-00_ch01_markov.py`.

The name holds the assignment, the user name, the time and the file's own name. Each attempt has a receipt, the same
name with `.txt` after the time; its first line is `Name: Ada Lovelace (ada)`, and it lists each file's own name. The
time has no zone; it is read in the zone of the deadline, and a sentence says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from pathlib import PurePosixPath
from typing import NamedTuple

from autograder.classroom.person import Person
from autograder.core.text import join_names, one_line
from autograder.intake.archive import UnreadableError
from autograder.platforms.download_form import DownloadForm, Gathering, Read, attempts
from autograder.platforms.tree import Tree

# The student chooses only what follows the first time.
FILE = re.compile(
    r"(?P<head>.+?)_attempt_(?P<stamp>\d{4}(?:-\d\d){5})(?:(?P<receipt>\.txt)|_(?P<original>.+))?", re.DOTALL
)
NAME = re.compile(r"Name:\s*(?P<name>.*?)\s*\((?P<login>[^()]*)\)")
OWN = re.compile(r"^\s*Original filename:\s*(?P<own>.+?)\s*^\s*Filename:\s*(?P<name>.+?)\s*$", re.MULTILINE)


class Receipt(NamedTuple):
    """Blackboard's record of an attempt: the student, and each file's own name."""

    person: Person
    own: Mapping[str, str]


def claims(tree: Tree) -> set[str]:
    files = (child for child in tree.visible() if not child.is_folder and not child.is_strange)
    return {child.name for child in files if FILE.fullmatch(child.name)}


def read(tree: Tree, claimed: set[str]) -> Read:
    parts = {name: part for name in sorted(claimed) if (part := FILE.fullmatch(name))}
    receipts, problems = dict[str, Receipt](), list[str]()
    for name, part in parts.items():
        if part["receipt"]:
            receipts[part["head"] + part["stamp"]] = _receipt(tree, name, problems)
    logins = {part["head"]: _login(part["head"], receipts.get(part["head"] + part["stamp"])) for part in parts.values()}
    found: dict[str, Gathering] = {}
    for name, part in parts.items():
        attempt, login = part["head"] + part["stamp"], logins[part["head"]]
        receipt = receipts.get(attempt, Receipt(Person(login=login), {}))
        if attempt not in found:
            found[attempt] = Gathering(login, Person(receipt.person.name, login=login), _time(part["stamp"]))
        if not part["receipt"]:
            own = receipt.own.get(name, part["original"] or name).replace("\\", "/")
            _add(found[attempt], name, PurePosixPath(own).name)
    return attempts(tree, found.values()), [*problems, *_several(logins)]


def _receipt(tree: Tree, name: str, problems: list[str]) -> Receipt:
    try:
        text = tree.load(name).decode("utf-8", "replace")
    except UnreadableError as why:
        problems.append(f"{one_line(name, 200)} {why}")
        return Receipt(Person(), {})
    who = NAME.match(text.removeprefix("\ufeff").partition("\n")[0])
    person = Person(who["name"], login=who["login"]) if who else Person()
    return Receipt(person, {each["name"]: each["own"] for each in OWN.finditer(text)})


def _login(head: str, receipt: Receipt | None) -> str:
    """Return the user name at the end of `head`; if it holds "_", the receipt decides where it begins."""
    login = receipt.person.login if receipt else ""
    return login if login and head.endswith(f"_{login}") else head.rpartition("_")[2] or head


def _add(one: Gathering, name: str, own: str) -> None:
    if own in one.parts.values():
        one.notes.append(f"two files are called {one_line(own)}; {one_line(name, 200)} was not read")
    else:
        one.parts[name] = own


def _time(stamp: str) -> datetime | None:
    try:
        return datetime.strptime(stamp, "%Y-%m-%d-%H-%M-%S")
    except ValueError:
        return None


def _several(logins: Mapping[str, str]) -> list[str]:
    """Return a sentence if there are several assignments."""
    titles = sorted({head.removesuffix(f"_{login}") for head, login in logins.items()})
    if len(titles) < 2:
        return []
    return [f"there are several assignments here, {join_names(titles)}; each counts as an attempt of its student"]


BLACKBOARD = DownloadForm("Blackboard", claims, read)
