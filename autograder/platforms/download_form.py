"""What all forms of a download share: how to recognise one, and how to put a submission together."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from pathlib import PurePosixPath
from typing import NamedTuple

from autograder.classroom.person import NOBODY, Attempt, Person
from autograder.classroom.register import NAME as REGISTER
from autograder.classroom.times import in_utc
from autograder.core.text import join_names
from autograder.course.course import STEM
from autograder.intake.archive import is_zip
from autograder.intake.misnamed import SUFFIXES
from autograder.platforms.tree import Child, Tree
from autograder.report.outputs import STORE

Read = tuple[list[Attempt], list[str]]
"""The attempts of a download, and sentences on what is wrong with it."""


class DownloadForm(NamedTuple):
    """One form of a download.

    Args:
        claims: returns the names in a folder that have this form.
        read: makes attempts of the claimed names.
    """

    name: str
    claims: Callable[[Tree], set[str]]
    read: Callable[[Tree, set[str]], Read]


# Of folders that hold what a teacher gave or wrote: no student's submission.
NO_STUDENT = re.compile(
    r"(?:\d+[ _-])?(?:tasks?|templates?|starter(?: code)?|(?:sample|model)?[ _-]?(?:solutions?|answers?)|samples?"
    r"|feedbacks?|corrections?|l(?:ö|oe)sung(?:en)?|vorlagen?|aufgaben?)",
    re.IGNORECASE,
)


def recognised(forms: Sequence[DownloadForm], tree: Tree) -> tuple[DownloadForm, set[str]] | None:
    """Return the form that most possible submissions have, and their names; None if most have none."""
    form, claimed = max(((form, form.claims(tree)) for form in forms), key=lambda pair: len(pair[1]))
    possible = claimed | set(possible_submissions(tree))
    return (form, claimed) if 2 * len(claimed) > len(possible) else None


def is_code_file(name: str) -> bool:
    return name.lower().endswith(SUFFIXES)


def could_be_submission(child: Child) -> bool:
    return child.is_folder or is_zip(PurePosixPath(child.name))


def possible_submissions(tree: Tree) -> list[str]:
    """Return the names of the folders and zips in a folder that may be students'."""
    none = {*results(tree), *without_student(tree)}
    return [child.name for child in tree.visible() if could_be_submission(child) and child.name not in none]


def without_student(tree: Tree) -> list[str]:
    """Return the folders whose names say that they hold tasks, solutions and the like."""
    return [name for name in tree.folders() if NO_STUDENT.fullmatch(name)]


def results(tree: Tree) -> list[str]:
    """Return the folders that `attend grade` wrote."""
    return [name for name in tree.folders() if _is_results({child.name for child in tree.below(name).children})]


def _is_results(names: Set[str]) -> bool:
    return STORE in names or names >= {REGISTER, "grades.csv"}


def is_chapter(name: str) -> bool:
    path = PurePosixPath(name)
    return path.suffix in SUFFIXES and bool(STEM.fullmatch(path.stem))


@dataclass
class Gathering:
    """A submission that is being put together.

    `parts` maps paths in the download to paths in the submission, `versions` some of them to versions as of a `Found`.
    """

    key: str
    person: Person = NOBODY
    submitted: datetime | None = None
    is_late: bool | None = None
    parts: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    shared: str = ""
    versions: dict[str, str] = field(default_factory=dict)

    def attempt(self, tree: Tree) -> Attempt:
        opened = partial(tree.gathered, dict(self.parts), dict(self.versions))
        notes, arrived = tuple(self.notes), (self.key, *sorted(self.parts))
        return Attempt(self.key, opened, self.person, self.submitted, self.is_late, notes, self.shared, arrived)


def in_time(gathered: Iterable[Gathering]) -> list[Gathering]:
    """Return the submissions by student and time; those of one student whose times do not tell their order as one."""
    by_key: dict[str, list[Gathering]] = {}
    for one in gathered:
        by_key.setdefault(one.key, []).append(one)
    return [each for _, group in sorted(by_key.items()) for each in _ordered(group)]


def _ordered(group: Sequence[Gathering]) -> list[Gathering]:
    times = {in_utc(one.submitted) for one in group if one.submitted}
    if len(times) < len(group) > 1:
        return [undecided(group)]
    return sorted(group, key=lambda one: in_utc(one.submitted or datetime.min))


def undecided(group: Sequence[Gathering]) -> Gathering:
    """Return one submission of several of the same student, each of them a version of it in a folder of its own."""
    names = [next(iter(one.parts), one.key).replace("/", " ") for one in group]
    says = f"nothing tells which of these was handed in last: {join_names(names)}"
    one = replace(group[0], submitted=None, parts={}, versions={}, notes=[says])
    for name, each in zip(names, group, strict=True):
        one.parts |= {path: f"{name}/{place}".rstrip("/") for path, place in each.parts.items()}
        one.versions |= dict.fromkeys(each.parts, name)
        one.notes += each.notes
    return one


def attempts(tree: Tree, gathered: Iterable[Gathering]) -> list[Attempt]:
    """Return the attempts by student, and those of one student by time."""
    return in_order([each.attempt(tree) for each in gathered])


def in_order(found: Sequence[Attempt]) -> list[Attempt]:
    """Sort attempts by student, and those of one student by time."""
    return sorted(found, key=lambda attempt: (attempt.key, in_utc(attempt.submitted or datetime.min)))
