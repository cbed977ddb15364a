"""Group work: one member's submission counts for the whole group, if the teacher says so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from autograder.classroom.person import Attempt, Person
from autograder.classroom.roster import Roster, normal, words
from autograder.core.text import join_names, one_line

Owners = Mapping[str, Person | None]
"""The owner of each submission, by its key in the download; None if the owner is not on the roster."""


@dataclass(frozen=True)
class Shared:
    """The changes that group work makes.

    Args:
        attempts: the submissions of groups, with a copy for every other member.
        owners: the owner of each copy.
        replaced: submissions that their copies replace, as no single person owns them.
        problems: sentences about groups whose submission is not clear.
    """

    attempts: dict[str, list[Attempt]] = field(default_factory=dict)
    owners: dict[str, Person] = field(default_factory=dict)
    replaced: set[str] = field(default_factory=set)
    problems: list[str] = field(default_factory=list)


def unowned_teams(students: Mapping[str, Sequence[Attempt]], roster: Roster, *, in_groups: bool) -> str:
    """Return what is missing where Moodle's folders have names of groups and nothing tells who is in these; else ""."""
    names = {normal(attempts[-1].person.name) for attempts in students.values()} - {""}
    people = {normal(person.name) for person in roster.people} - {""}
    numbers = {attempts[-1].person.id for attempts in students.values()}
    are_students = 2 * len(numbers & {person.id for person in roster.people}) > len(numbers)
    groups = {normal(group) for group in roster.groups.values()}
    if not names or not people or names & people or (are_students and not names & groups):
        return ""
    if not names & groups:
        return (
            "no folder is named after a person on the roster, so that nothing was matched; if groups handed in, give "
            "the assignment's grading worksheet as --roster, which then has a column Group, and add --groups"
        )
    return "" if in_groups else "the folders are named after groups; add --groups, so that each counts for its members"


def without_number_of_team(attempts: Sequence[Attempt], roster: Roster) -> list[Attempt]:
    """Return a group's submission without its number, which some student may have as well."""
    name = normal(attempts[-1].person.name)
    is_group = name in {normal(group) for group in roster.groups.values()}
    if not is_group or name in {normal(person.name) for person in roster.people}:
        return list(attempts)
    return [replace(attempt, person=Person(attempt.person.name)) for attempt in attempts]


def shared(students: Mapping[str, Sequence[Attempt]], owners: Owners, roster: Roster) -> Shared:
    """Return copies for all students who handed in nothing and whose group handed in once.

    A submission belongs to a group if a member owns it, or if it has the group's name and no owner.
    """
    work = Shared()
    for group, people in _groups(roster).items():
        keys = [key for key in students if owners[key] in people or _is_called(students[key], key, group, owners)]
        waiting = [person for person in people if person not in {owners[key] for key in keys}]
        if len(keys) > 1 and waiting:
            says = f"group {one_line(group)} handed in {len(keys)} times, so none of it counts for"
            work.problems.append(f"{says} {join_names([person.called for person in waiting])}")
        elif len(keys) > 1:
            work.problems.append(f"group {one_line(group)} handed in {len(keys)} times, and each counts for itself")
        elif keys and waiting:
            _hand_round(work, students, keys[0], waiting, group)
            if owners[keys[0]] is None:
                work.replaced.add(keys[0])
    return work


def _hand_round(
    work: Shared, students: Mapping[str, Sequence[Attempt]], key: str, waiting: Sequence[Person], group: str
) -> None:
    work.attempts[key] = [replace(attempt, shared=key) for attempt in students[key]]
    for person in waiting:
        copy = _free(f"{key} for {person.called}", {*students, *work.attempts})
        work.attempts[copy] = list(_copies(students[key], key, copy, person, group))
        work.owners[copy] = person


def _copies(attempts: Sequence[Attempt], key: str, copy: str, person: Person, group: str) -> Iterator[Attempt]:
    for attempt in attempts:
        notes = (*attempt.notes, f"handed in for group {one_line(group)}")
        yield replace(attempt, key=copy, person=person, notes=notes, shared=key)


def _groups(roster: Roster) -> dict[str, list[Person]]:
    found: dict[str, list[Person]] = {}
    for person, group in roster.groups.items():
        found.setdefault(group, []).append(person)
    return found


def _is_called(attempts: Sequence[Attempt], key: str, group: str, owners: Owners) -> bool:
    """Return whether a submission without an owner has the group's name, as Canvas writes it or as a folder's name."""
    return owners[key] is None and "".join(words(attempts[-1].person.name or key)) == "".join(words(group))


def _free(name: str, taken: Iterable[str]) -> str:
    others = set(taken)
    while name in others:
        name += "'"
    return name
