"""Versions of what a student handed in, in the order in which the platform counts them, for one task or for several."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from autograder.classroom.person import NOBODY, Attempt, Person
from autograder.classroom.times import in_utc
from autograder.core.text import display_names, join_names
from autograder.platforms.download_form import Gathering
from autograder.platforms.tree import Tree


@dataclass(frozen=True)
class TaskVersion:
    """One version of a task: an assignment, a question, whatever the platform hands out.

    Args:
        order: its place among the versions of its task; the last one counts.
        parts: paths in the download, and their paths in the submission.
        submitted: when it was handed in; None if unknown.
        is_late: whether the platform calls it late; None if unknown.
    """

    task: str
    order: tuple[float, ...]
    parts: Mapping[str, str]
    submitted: datetime | None = None
    is_late: bool | None = None
    notes: tuple[str, ...] = ()


def as_attempts(
    key: str, versions: Iterable[TaskVersion], person: Person = NOBODY, notes: Sequence[str] = (), shared: str = ""
) -> list[Gathering]:
    """Return a student's attempts in their order: the versions of the only task, or the last of each task as one.

    Without versions there is one attempt without files.
    """
    tasks: dict[str, list[TaskVersion]] = {}
    for version in sorted(versions, key=lambda version: version.order):
        tasks.setdefault(version.task, []).append(version)
    only = next(iter(tasks.values()), [TaskVersion("", (), {})])
    counting = [_together(list(tasks.values()))] if len(tasks) > 1 else only
    return [
        Gathering(key, person, one.submitted, one.is_late, dict(one.parts), [*notes, *one.notes], shared)
        for one in counting
    ]


def _together(tasks: Sequence[Sequence[TaskVersion]]) -> TaskVersion:
    """Return the last versions of several tasks as one, handed in when the last of them was."""
    last = [versions[-1] for versions in tasks]
    times = [one.submitted for one in last if one.submitted]
    late = [one.is_late for one in last if one.is_late is not None]
    notes = [note for one in last for note in one.notes]
    if again := [versions[-1].task for versions in tasks if len(versions) > 1]:
        notes.append(f"of {join_names(again)} the last version counts, and the others were not read")
    parts = {path: f"{one.task}/{place}" for one in last for path, place in one.parts.items()}
    return TaskVersion("", (), parts, max(times, key=in_utc, default=None), any(late) if late else None, tuple(notes))


def in_order_told(tree: Tree, gathered: Iterable[Gathering]) -> list[Attempt]:
    """Return the attempts by student, and those of one student as they come."""
    return sorted((one.attempt(tree) for one in gathered), key=lambda attempt: attempt.key)


def several(tasks: Iterable[str], kind: str) -> list[str]:
    """Return a sentence if there is more than one task.

    Args:
        kind: the platform's word for several tasks, such as "assignments".
    """
    names = sorted(set(tasks))
    if len(names) < 2:
        return []
    return [f"there are several {kind} here, {join_names(names)}; of each, the last version of a student counts"]


def beside(tree: Tree, read: Iterable[str], where: str) -> list[str]:
    """Return a note on what lies in a student's folder and belongs to no version.

    Args:
        read: the names in it that are read or belong to the platform.
        where: the platform's word for the folder of a version, such as "a revision's folder".
    """
    known = set(read)
    left = [child.name for child in tree.visible() if child.name not in known]
    return [f"not in {where}, and not read: {join_names(display_names(left))}"] if left else []
