"""Make the register of a class from its download and its roster.

In group work, if the teacher says so, one member's submission counts for the whole group.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from autograder.classroom.person import NOBODY, Attempt, Download, Person
from autograder.classroom.register import Register, RegisterRow
from autograder.classroom.roster import Roster, normal, words
from autograder.classroom.roster_match import Match, matches_of, strangers
from autograder.classroom.shown_names import ShownStudent, shown_names
from autograder.classroom.times import in_utc
from autograder.core.text import join_names, one_line, safe_stems
from autograder.intake.submissions import HandIn

Owners = Mapping[str, Person | None]
"""The owner of each submission, by its key in the download; None if the owner is not on the roster."""


def enrol(
    download: Download,
    roster: Roster | None,
    attempt: Literal["latest", "best"] = "latest",
    *,
    in_groups: bool = False,
    late: Mapping[str, datetime] = MappingProxyType({}),
) -> tuple[Register, list[HandIn]]:
    """Return the register of a class, and the submissions to grade.

    Args:
        attempt: "latest" grades only the last of each student's attempts, "best" all of them.
        in_groups: whether a submission counts for the whole group of its student on the roster.
        late: when students handed in late, by their number in the download, which names no times itself.
    """
    students = _students(download.attempts)
    roster = None if download.is_anonymous else roster
    problems = list(download.problems)
    if roster and download.form == "Moodle":
        if missing := unowned_teams(students, roster, in_groups=in_groups):
            problems, roster = [*problems, missing], None
        else:
            students = {key: without_number_of_team(attempts, roster) for key, attempts in students.items()}
    matches = matches_of(students, roster) if roster else {}
    problems += strangers(students, roster) if roster else ()
    owners = {key: match.person for key, match in matches.items()}
    students = {key: _timed(attempts, [owners.get(key)], roster, late) for key, attempts in students.items()}
    if roster and in_groups:
        students, matches, unclear = _with_groups(students, matches, roster)
        problems += unclear
    stems = dict(zip(students, safe_stems(list(students)), strict=True))
    people = {key: _person(attempts, matches.get(key)) for key, attempts in students.items()}
    there = {match.person for match in matches.values()}
    absent = tuple(person for person in roster.people if person not in there) if roster else ()
    everybody = [*(ShownStudent(person, key) for key, person in people.items()), *map(ShownStudent, absent)]
    names = shown_names(everybody)
    shown = dict(zip(people, names, strict=False))
    rows, entries = list[RegisterRow](), list[HandIn]()
    for key, attempts in students.items():
        for number, one in _graded(attempts, attempt):
            stem = stems[key] if number == len(attempts) else _earlier(stems[key], number, stems.values())
            owned = RegisterRow(stem, shown[key], people[key], one.submitted, one.is_late, number, len(attempts))
            contested = matches[key].reason if key in matches and matches[key].is_contested else ""
            rows.append(replace(owned, shared=one.shared, arrived=one.arrived, contested=contested))
            entries.append(HandIn(shown[key], stem, Path(key), one.notes, one.opened))
    unmatched = tuple(f"{shown[key]} {match.reason}" for key, match in matches.items() if match.reason)
    made = Register(download.form, tuple(rows), absent, unmatched, tuple(problems))
    possible = {person for match in matches.values() for person in match.possible}
    perhaps = tuple(person for person in absent if person in possible)
    return replace(made, absent_names=tuple(names[len(people) :]), unclear=perhaps), entries


def _timed(
    attempts: Sequence[Attempt],
    people: Iterable[Person | None],
    roster: Roster | None,
    late: Mapping[str, datetime] = MappingProxyType({}),
) -> list[Attempt]:
    """Return attempts with the time, the same for all `people` who made them, that only roster or report tell of."""
    known = {person for person in people if person}
    times = [time for person, time in roster.submitted.items() if person in known] if roster else []
    when = max(times, key=in_utc, default=None)
    is_late = (roster is not None and not roster.late.isdisjoint(known)) or None
    return [
        replace(
            each,
            submitted=each.submitted or when or late.get(each.person.id),
            is_late=is_late if each.is_late is None else each.is_late,
        )
        for each in attempts
    ]


def _with_groups(
    students: Mapping[str, list[Attempt]], matches: Mapping[str, Match], roster: Roster
) -> tuple[dict[str, list[Attempt]], dict[str, Match], list[str]]:
    """Return students and matches with a copy of each group's submission for its members, and problems with groups."""
    work = shared(students, {key: match.person for key, match in matches.items()}, roster)
    both = {key: attempts for key, attempts in {**students, **work.attempts}.items() if key not in work.replaced}
    owned = {key: Match(person) for key, person in work.owners.items()}
    return dict(sorted(both.items())), {key: owned.get(key) or matches[key] for key in both}, work.problems


def _graded(attempts: Sequence[Attempt], attempt: Literal["latest", "best"]) -> list[tuple[int, Attempt]]:
    """Return the attempts of a student that count for grading, and their numbers."""
    numbered = list(enumerate(attempts, start=1))
    return numbered if attempt == "best" else numbered[-1:]


def _students(attempts: Iterable[Attempt]) -> dict[str, list[Attempt]]:
    """Return the attempts of each student in their order, by the student's key in the download, sorted."""
    by_key: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        by_key.setdefault(attempt.key, []).append(attempt)
    return dict(sorted(by_key.items()))


def _earlier(stem: str, number: int, taken: Iterable[str]) -> str:
    """Return the stem of an attempt that is not the last."""
    others = {each.casefold() for each in taken}
    own = f"{stem}.attempt-{number}"
    while own.casefold() in others:
        own += "_"
    return own


def _person(attempts: Sequence[Attempt], match: Match | None) -> Person:
    """Return everything known about a student; the roster takes precedence."""
    own, listed_as = attempts[-1].person, (match and match.person) or NOBODY
    both = zip(astuple(listed_as), astuple(own), strict=True)
    return Person(*(one_line(theirs or ours, 200) for theirs, ours in both))


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
        elif keys and waiting and owners[keys[0]]:
            _hand_round(work, students, keys[0], students[keys[0]], waiting, group)
        elif keys and waiting:
            work.replaced.add(keys[0])
            _hand_round(work, students, keys[0], _timed(students[keys[0]], people, roster), waiting, group)
    return work


def _hand_round(
    work: Shared,
    students: Mapping[str, Sequence[Attempt]],
    key: str,
    attempts: Sequence[Attempt],
    waiting: Sequence[Person],
    group: str,
) -> None:
    """Add a group's submission, and a copy of it for each member who handed in nothing, handed in at the same time."""
    work.attempts[key] = [replace(attempt, shared=key) for attempt in attempts]
    for person in waiting:
        copy = _free(f"{key} for {person.called}", {*students, *work.attempts})
        work.attempts[copy] = list(_copies(attempts, key, copy, person, group, is_team=key in work.replaced))
        work.owners[copy] = person


def _copies(
    attempts: Sequence[Attempt], key: str, copy: str, person: Person, group: str, *, is_team: bool
) -> Iterator[Attempt]:
    """Yield a member's copies; what a single member handed in does not lie in the download under the others' names."""
    for each in attempts:
        notes, arrived = (*each.notes, f"handed in for group {one_line(group)}"), each.arrived if is_team else ()
        yield replace(each, key=copy, person=person, notes=notes, shared=key, arrived=arrived)


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
