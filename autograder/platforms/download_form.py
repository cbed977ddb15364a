"""What all forms of a download share: how to recognise one, and how to put a submission together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import PurePosixPath
from typing import NamedTuple

from autograder.classroom.person import NOBODY, Attempt, Person
from autograder.classroom.times import in_utc
from autograder.course.course import STEM
from autograder.intake.archive import is_zip
from autograder.intake.misnamed import SUFFIXES
from autograder.platforms.tree import Child, Tree

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


def recognised(forms: Sequence[DownloadForm], tree: Tree) -> tuple[DownloadForm, set[str]] | None:
    """Return the form that most possible submissions have, and their names; None if most have none."""
    form, claimed = max(((form, form.claims(tree)) for form in forms), key=lambda pair: len(pair[1]))
    possible = claimed | {child.name for child in tree.visible() if could_be_submission(child)}
    return (form, claimed) if 2 * len(claimed) > len(possible) else None


def could_be_submission(child: Child) -> bool:
    return child.is_folder or is_zip(PurePosixPath(child.name))


def is_chapter(name: str) -> bool:
    path = PurePosixPath(name)
    return path.suffix in SUFFIXES and bool(STEM.fullmatch(path.stem))


@dataclass
class Gathering:
    """A submission that is being put together; `parts` maps names in the download to paths in the submission."""

    key: str
    person: Person = NOBODY
    submitted: datetime | None = None
    is_late: bool | None = None
    parts: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    shared: str = ""

    def attempt(self, tree: Tree) -> Attempt:
        opened = partial(tree.gathered, dict(self.parts))
        notes, arrived = tuple(self.notes), (self.key, *sorted(self.parts))
        return Attempt(self.key, opened, self.person, self.submitted, self.is_late, notes, self.shared, arrived)


def attempts(tree: Tree, gathered: Iterable[Gathering]) -> list[Attempt]:
    """Return the attempts by student, and those of one student by time."""
    return in_order([each.attempt(tree) for each in gathered])


def in_order(found: Sequence[Attempt]) -> list[Attempt]:
    """Sort attempts by student, and those of one student by time."""
    return sorted(found, key=lambda attempt: (attempt.key, in_utc(attempt.submitted or datetime.min)))
