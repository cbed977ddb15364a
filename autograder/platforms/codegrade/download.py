"""CodeGrade: `Ada Lovelace - 2026-11-20 22:59:00/` for each submission, as its file system shows an assignment.

The name holds the student's or group's name and the time in UTC, on Windows `2026-11-20 22h 59m 00s`. In the folder are
hidden files of CodeGrade's own, such as `.cg-submission-id`. A group is called `Group "Team A"`, on Windows with "-"
for the quotes.

Sources: https://github.com/CodeGra-de/CodeGra.fs, `codegra_fs/cgfs.py` (`load_submissions`) and `codegra_fs/utils.py`
(`format_datestring`, `name_of_user`); `psef/models/work.py` of https://github.com/Boccca2014/CodeGra.de, for UTC. What
its site lets one download is described nowhere, and not read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime

from autograder.classroom.person import Person
from autograder.core.text import join_names
from autograder.platforms.download_form import DownloadForm, Gathering, Read, attempts
from autograder.platforms.tree import Tree

FOLDER = re.compile(
    r"(?:Group [\"-](?P<group>.+)[\"-]|(?P<name>.+)) - (?P<day>\d{4}-\d\d-\d\d)[ T]"
    r"(?P<hour>\d\d)(?:[:_-]|h )(?P<minute>\d\d)(?:[:_-]|m )(?P<second>\d\d)(?:s|\.\d+)?(?:\+00[:_-]?00)?",
    re.DOTALL,
)


def claims(tree: Tree) -> set[str]:
    return {name for name in tree.folders() if FOLDER.fullmatch(name)}


def read(tree: Tree, claimed: set[str]) -> Read:
    found = attempts(tree, [_submission(name) for name in claimed])
    return found, _several([attempt.key for attempt in found])


def _several(names: Sequence[str]) -> list[str]:
    """Return a sentence on the students of whom there are several folders, which may be two people of one name."""
    if not (again := [name for name, number in Counter(names).items() if number > 1]):
        return []
    says = f"several folders are named after {join_names(again)}, and were read as attempts of one student"
    return [f"{says}; if they are two people's, write each one's login in place of the name"]


def _submission(folder: str) -> Gathering:
    parts = FOLDER.fullmatch(folder)
    assert parts, folder
    name = parts["group"] or parts["name"]
    when = _time(parts)
    notes = [] if when else [f"the folder's name holds no time that exists: {folder}"]
    return Gathering(name, Person(name), when, None, {folder: ""}, notes)


def _time(parts: re.Match[str]) -> datetime | None:
    clock = ":".join((parts["hour"], parts["minute"], parts["second"]))
    try:
        return datetime.fromisoformat(f"{parts['day']} {clock}").replace(tzinfo=UTC)
    except ValueError:
        return None


CODEGRADE = DownloadForm("CodeGrade", claims, read)
