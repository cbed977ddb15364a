"""Brightspace (D2L): a folder `397063-2557369 - Ada Lovelace - Nov 20, 2026 926 PM` for each upload.

Nobody documents what the two numbers are, and no roster has them: folders of one name with other numbers are taken for
those of several students. A second upload of the same student is a folder of its own, with a later time. `index.html`
lists all of them. Some schools put a number or a user name before the name, and some downloads are flat:
` - ch01_markov.py` after the time. The time has no zone, and is written as in the platform's language.

D2L has published neither source nor format. The shapes are those that public tools read: cgmb/d2lmf,
`d2lmf/d2lmf.py`, for folders and times with a colon; strptime's `%b %d, %Y %I%M %p` in a dozen others, for times
without.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from autograder.classroom.person import Person
from autograder.classroom.roster import normal
from autograder.classroom.times import in_name
from autograder.core.text import join_names, one_line
from autograder.platforms.download_form import DownloadForm, Gathering, Read, attempts, in_time
from autograder.platforms.tree import Child, Tree

# The student chooses only what follows the time.
ENTRY = re.compile(
    r"(?P<numbers>\d+-\d+) - (?P<who>.+?) - (?P<when>[^-]*?\b\d{4}\b,? \d[^-]*?)(?: - (?P<original>.+))?", re.DOTALL
)
NUMBER = re.compile(r"[A-Za-z]?\d+")
INDEX = "index.html"  # Brightspace's list of what the zip holds


class Owner(NamedTuple):
    """Whose an entry is: the key of the student and of the upload, and the person."""

    key: str
    upload: str
    person: Person


def claims(tree: Tree) -> set[str]:
    names = {child.name for child in tree.visible() if not child.is_strange and ENTRY.fullmatch(child.name)}
    return names | {child.name for child in tree.visible() if names and child.name == INDEX}


def read(tree: Tree, claimed: set[str]) -> Read:
    found: dict[str, Gathering] = {}
    for child in tree.visible():
        parts = ENTRY.fullmatch(child.name) if child.name in claimed else None
        if parts:
            when = parts["when"].removesuffix("" if child.is_folder else ".zip")
            owner = _owner(parts, when)
            if owner.upload not in found:
                found[owner.upload] = Gathering(owner.key, owner.person, in_name(when))
            found[owner.upload].parts[child.name] = _place(child, parts["original"])
    uploads = list(found.values())
    return attempts(tree, in_time(uploads)), [*_namesakes(uploads), *_unread(uploads)]


def _place(child: Child, original: str | None) -> str:
    return original or ("" if child.is_folder else child.name)


def _owner(parts: re.Match[str], when: str) -> Owner:
    words = parts["who"].replace(" - ", " ").split()
    known = words[0] if len(words) > 1 and any(map(str.isdigit, words[0])) else ""
    name = " ".join(words[1:] if known else words)
    number = known if NUMBER.fullmatch(known) else ""
    key = f"{name}_{parts['numbers']}"
    return Owner(key, f"{key} {when}", Person(name, number, "" if number else known))


def _namesakes(uploads: Sequence[Gathering]) -> Iterator[str]:
    """Yield a sentence on each name that folders with other numbers have."""
    folders: dict[str, dict[str, str]] = {}
    for each in uploads:
        folders.setdefault(normal(each.person.name), {}).setdefault(each.key, next(iter(each.parts)))
    for keys in folders.values():
        if len(keys) > 1:
            names = [name.partition(" - ")[0] for name in keys.values()]
            name = next(each.person.name for each in uploads if each.key in keys)
            yield (
                f"folders named {one_line(name)} have different numbers, {join_names(names)}, so each counts as a "
                "student's own; if they are the same person's, give them the same numbers; else write each one's "
                "login or number in place of the name (in the unpacked download)"
            )


def _unread(uploads: Sequence[Gathering]) -> list[str]:
    """Return a sentence if a time cannot be read."""
    names = [one_line(next(iter(each.parts)), 200) for each in uploads if each.submitted is None]
    return [f"the time cannot be read in {len(names)} names, such as {names[0]}"] if names else []


BRIGHTSPACE = DownloadForm("Brightspace", claims, read)
