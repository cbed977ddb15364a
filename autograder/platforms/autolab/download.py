"""Autolab: flat files `ada@uni.edu_2_handin.py`, the student's address, the version and the assessment's file name.

Autolab puts the address before the last two parts of `2_handin.py`, as "_" divides it. So if the file name holds "_",
the version comes first: `2_ada@uni.edu_ch03_attention.py`, and `2_ch09_ada@uni.edu_language_model.py`. That name is the
same for the whole assessment, and what stands before the address in all names is taken for a part of it, which a
sentence says. Versions are counted for each student, and the highest one counts. There are no times.

Source: https://github.com/autolab/Autolab, `app/controllers/submissions_controller.rb` (`download_all`,
`download_filename`) and `app/models/submission.rb` (`handin_file_filename`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from itertools import takewhile

from autograder.classroom.person import Person
from autograder.core.text import one_line
from autograder.platforms.download_form import DownloadForm, Read, is_chapter
from autograder.platforms.task_versions import TaskVersion, as_attempts, in_order_told
from autograder.platforms.tree import Tree

HOST = r"@[^@_]+"  # no host has "_" in its name
FIRST = re.compile(rf"(?P<email>[^@]+{HOST})_(?P<version>\d+)_(?P<file>.+)", re.DOTALL)
LATER = re.compile(rf"(?P<version>\d+)_(?P<before>[^@]+{HOST})_(?P<file>[^_]+_[^_]+)", re.DOTALL)


def claims(tree: Tree) -> set[str]:
    files = (child.name for child in tree.visible() if not child.is_folder and not child.is_strange)
    names = {name for name in files if FIRST.fullmatch(name) or LATER.fullmatch(name)}
    told = {(email, version) for email, version, _ in _parsed(names).values()}
    return names if len(told) == len(names) else set()  # Autolab keeps one file of a version


def read(tree: Tree, claimed: set[str]) -> Read:
    versions: dict[str, list[TaskVersion]] = {}
    for name, (email, version, file) in _parsed(claimed).items():
        versions.setdefault(email, []).append(TaskVersion("", (version,), {name: file}))
    found = [one for email, own in versions.items() for one in as_attempts(email, own, Person(email=email))]
    return in_order_told(tree, found), [*_unsure(_later(claimed)), *_either(claimed)]


def _later(names: Iterable[str]) -> dict[str, re.Match[str]]:
    """Return the parts of the names in which the version comes first."""
    return {name: parts for name in sorted(names) if (parts := LATER.fullmatch(name)) and not FIRST.fullmatch(name)}


def _parsed(names: Iterable[str]) -> dict[str, tuple[str, int, str]]:
    """Return each name's address, version and file."""
    first = {name: parts for name in sorted(names) if (parts := FIRST.fullmatch(name))}
    later = _later(names)
    start = _shared(later.values())
    return {name: (parts["email"], int(parts["version"]), parts["file"]) for name, parts in first.items()} | {
        name: (parts["before"].removeprefix(start), int(parts["version"]), start + parts["file"])
        for name, parts in later.items()
    }


def _shared(names: Collection[re.Match[str]]) -> str:
    """Return what all names have before the address, up to a "_", as a part of the file's name.

    It is what makes that the name of a chapter, if anything does.
    """
    before = {parts["before"] for parts in names}
    words = zip(*(each.partition("@")[0].split("_")[:-1] for each in before), strict=False)
    same = [column[0] for column in takewhile(lambda column: len(set(column)) == 1, words)]
    starts = ["".join(f"{word}_" for word in same[:count]) for count in range(len(same) + 1)]
    files = {parts["file"] for parts in names}
    chapters = [start for start in starts if any(is_chapter(start + file) for file in files)]
    return (chapters or (starts if len(before) > 1 else [""]))[-1]


def _unsure(later: Mapping[str, re.Match[str]]) -> list[str]:
    """Return a sentence if an address may begin earlier than it was taken to."""
    shared = _shared(later.values())
    if not shared or any(is_chapter(shared + parts["file"]) for parts in later.values()):
        return []
    example = one_line(next(iter(later)), 200)
    return [f"all names hold {one_line(shared)} before the address, as {example}, taken for a part of the file's name"]


def _either(names: Iterable[str]) -> list[str]:
    """Return a sentence if a name may begin with the version or with an address that begins like one."""
    both = sorted(name for name in names if FIRST.fullmatch(name) and LATER.fullmatch(name))
    says = "may begin with a version or with an address that begins with a number; read as an address"
    return [f"{one_line(both[0], 200)} {says}"] if both else []


AUTOLAB = DownloadForm("Autolab", claims, read)
