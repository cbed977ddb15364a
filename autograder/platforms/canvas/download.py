"""Canvas: `submissions.zip`, one flat folder of `doejane_LATE_340934_208490284_ch01_markov-1.py`.

The name holds the sortable name in small letters without spaces, a mark if it is late, the numbers of user and file,
and the file's own name, with a number if there was one before it. An anonymous one begins with `anon_` and a code;
typed text ends in `_text.html`, a link in `_link.html`. The code may be all digits.
"""

from __future__ import annotations

import re

from autograder.classroom.person import NOBODY, Person
from autograder.core.text import one_line
from autograder.intake.artefacts import SUFFIX
from autograder.platforms.download_form import DownloadForm, Gathering, Read, attempts, is_chapter
from autograder.platforms.tree import Tree

# The student chooses only what follows the platform's own part.
FILE = re.compile(
    r"(?:(?P<early>LATE_)?(?P<anon>anon_(?!\d+_)[^\W_]+)|(?P<name>.+?)(?P<late>_LATE)?_(?P<user>\d+))"
    r"_(?:(?P<file>\d+)_(?P<original>.+)|(?P<typed>text|link)\.html)",
    re.DOTALL,
)
# A code may be a number; then only the others tell that it is no student called "anon".
ANONYMOUS = re.compile(
    r"(?P<early>LATE_)?(?P<anon>anon_[^\W_]+)(?P<name>(?!))?(?P<late>(?!))?"
    r"_(?:(?P<file>\d+)_(?P<original>.+)|(?P<typed>text|link)\.html)",
    re.DOTALL,
)
AGAIN = re.compile(r"(?P<stem>.+?)-(?P<number>\d+)(?P<suffix>\.\w+)", re.DOTALL)
SAYS = (
    "this is Canvas's anonymous download, with codes instead of names, so nobody is matched with a roster; for grades "
    "by name, switch anonymous grading off and download again"
)


def claims(tree: Tree) -> set[str]:
    return {child.name for child in tree.visible() if FILE.fullmatch(child.name) and not child.is_strange}


def read(tree: Tree, claimed: set[str]) -> Read:
    found: dict[str, Gathering] = {}
    newest: dict[tuple[str, str], tuple[int, int, str]] = {}
    is_anonymous = all(map(ANONYMOUS.fullmatch, claimed))
    for name in sorted(claimed):
        parts = (ANONYMOUS if is_anonymous else FILE).fullmatch(name)
        assert parts, name
        one = _student(found, parts)
        if parts["typed"]:
            one.notes.append(f"what was typed or linked in Canvas holds no code and was not read: {one_line(name)}")
            continue
        place, number = original_name(parts["original"])
        other = newest.get((one.key, place), (-1, -1, ""))
        mine = (number, int(parts["file"]), name)
        newest[one.key, place] = max(other, mine)
        if other[2]:
            older, newer = sorted((other, mine))
            one.notes.append(f"{one_line(newer[2], 200)} was handed in after {one_line(older[2], 200)} and counts")
    for (key, place), (_, _, name) in newest.items():
        found[key].parts[name] = place
    return attempts(tree, found.values()), [SAYS] if is_anonymous else []


def _student(found: dict[str, Gathering], parts: re.Match[str]) -> Gathering:
    key = parts["anon"] or f"{parts['name']}_{parts['user']}"
    person = NOBODY if parts["anon"] else Person(parts["name"], parts["user"])
    one = found.setdefault(key, Gathering(key, person, is_late=False))
    one.is_late = one.is_late or bool(parts["early"] or parts["late"])
    return one


def original_name(name: str) -> tuple[str, int]:
    """Return the own name of a chapter's or trained model's file, and the number of files before it."""
    again = AGAIN.fullmatch(name)
    if again and (is_chapter(again["stem"] + again["suffix"]) or again["suffix"] == SUFFIX):
        return again["stem"] + again["suffix"], int(again["number"])
    return name, 0


CANVAS = DownloadForm("Canvas", claims, read)
