"""Match the submissions of a download with the people on a roster.

What the platform says about a person takes precedence over names, which anyone can choose: a number decides, then the
login, the email address, and the name where only one person has it. In group work, if the teacher says so, one member's
submission counts for the whole group.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import astuple, dataclass, field, replace
from datetime import datetime
from itertools import permutations
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from autograder.classroom.person import NOBODY, Attempt, Download, Person
from autograder.classroom.register import Register, RegisterRow
from autograder.classroom.roster import Roster, normal, words
from autograder.classroom.times import in_utc
from autograder.core.text import display_names, join_names, one_line, safe_stems
from autograder.intake.archive import Listing
from autograder.intake.submissions import HandIn

MOST_WORDS = 5  # of a name whose words are tried in all orders
KINDS = ("number", "login", "email address", "name")

Owners = Mapping[str, Person | None]
"""The owner of each submission, by its key in the download; None if the owner is not on the roster."""


@dataclass(frozen=True)
class Match:
    """The person a submission belongs to, or the reason why none was found; `kind` is an index into KINDS."""

    person: Person | None = None
    kind: int = len(KINDS)
    reason: str = ""


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
    matches = _matches(students, roster) if roster else {}
    problems += _strangers(students, roster) if roster else ()
    owners = {key: match.person for key, match in matches.items()}
    students = {key: _timed(attempts, [owners.get(key)], roster, late) for key, attempts in students.items()}
    if roster and in_groups:
        students, matches, unclear = _with_groups(students, matches, roster)
        problems += unclear
    stems = dict(zip(students, safe_stems(list(students)), strict=True))
    people = {key: _person(attempts, matches.get(key)) for key, attempts in students.items()}
    shown = _shown(people, stems)
    rows, entries = list[RegisterRow](), list[HandIn]()
    for key, attempts in students.items():
        for number, one in _graded(attempts, attempt):
            stem = stems[key] if number == len(attempts) else _earlier(stems[key], number, stems.values())
            owned = RegisterRow(stem, shown[key], people[key], one.submitted, one.is_late, number, len(attempts))
            rows.append(replace(owned, shared=one.shared, arrived=one.arrived))
            entries.append(HandIn(shown[key], stem, Path(key), one.notes, one.opened))
    there = {match.person for match in matches.values()}
    absent = tuple(person for person in roster.people if person not in there) if roster else ()
    unmatched = tuple(f"{shown[key]} {match.reason}" for key, match in matches.items() if match.reason)
    return Register(download.form, tuple(rows), absent, unmatched, tuple(problems)), entries


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


def _shown(people: Mapping[str, Person], stems: Mapping[str, str]) -> dict[str, str]:
    """Return the displayed name of each student, with the key in the download where two have the same name."""
    names = {key: person.name or key for key, person in people.items()}
    count = Counter(one_line(name) for name in names.values())
    own = [name if name == key or count[one_line(name)] == 1 else f"{name} ({key})" for key, name in names.items()]
    shown = dict(zip(names, display_names(own), strict=True))
    if len(set(shown.values())) == len(shown):
        return shown
    return {
        key: f"{name} [{stems[key]}]" for key, name in shown.items()
    }  # one student's real name is another's displayed name


class _Index:
    """The people of a roster by one kind of identifier."""

    def __init__(self, people: Iterable[Person], identifiers: Callable[[Person], Iterable[str]]) -> None:
        self.people: dict[str, list[Person]] = {}
        for person in people:
            for word in {word for word in identifiers(person) if word}:
                self.people.setdefault(word, []).append(person)


def _indexes(people: Collection[Person]) -> tuple[_Index, ...]:
    """Return the indexes by number, login, email address and name, as in KINDS.

    The institution's number counts where it is no other person's number on the platform.
    """
    taken = {person.id for person in people}
    return (
        _Index(people, lambda person: [person.id, "" if person.sis in taken else person.sis]),
        _Index(people, lambda person: [person.login.casefold()]),
        _Index(people, lambda person: [person.email.casefold()]),
        _Index(people, lambda person: _orders(person.name)),
    )


def _orders(name: str) -> Iterator[str]:
    """Yield a name in the forms that are compared: its sorted words, and its words joined in any order (Canvas)."""
    yield normal(name)
    if 1 < len(words(name)) <= MOST_WORDS:
        yield from ("".join(order) for order in permutations(words(name)))


def _identifiers(attempt: Attempt) -> tuple[str, str, str, str]:
    """Return a submission's identifiers, as in KINDS; the name of a plain folder may be any of them."""
    if attempt.person == NOBODY:
        key = attempt.key
        return key, key.casefold(), key.casefold(), normal(key)
    person = attempt.person
    return person.id, person.login.casefold(), person.email.casefold(), normal(person.name)


def _matches(students: Mapping[str, Sequence[Attempt]], roster: Roster) -> dict[str, Match]:
    """Return the match of each submission. If two match the same person, the less certain one loses its match.

    A number is most certain, then a login, an address, a name; of two logins, the one spelt exactly as on the roster.
    """
    indexes, decides = _indexes(roster.people), not _strangers(students, roster)
    others = _indexes(roster.others)
    found = {key: _match(attempts[-1], indexes, decides) for key, attempts in students.items()}
    found |= {
        key: Match(reason=f"is on the roster as no student: {roster.others[other]}")
        for key, match in found.items()
        if match.reason and (other := _match(students[key][-1], others, number_decides=False).person)
    }
    taken: dict[Person, str] = {}

    def doubt(item: tuple[str, Match]) -> tuple[int, bool]:
        key, match = item
        return match.kind, not (match.person and _is_to_the_letter(students[key][-1], match.person))

    for key, match in sorted(found.items(), key=doubt):
        if match.person in taken:
            says = f"has the {KINDS[match.kind]} of a person on the roster, as has {one_line(taken[match.person])}"
            found[key] = Match(reason=f"{says}, which counts as that person's")
        elif match.person:
            taken[match.person] = key
    return found


def owners(people: Mapping[str, Person], roster: Roster) -> dict[str, Match]:
    """Return whom on the roster each of these people is, by a key that may be any identifier of one who is `NOBODY`."""
    return _matches({key: [Attempt(key, _nothing, person)] for key, person in people.items()}, roster)


def _nothing() -> AbstractContextManager[Listing]:
    return nullcontext(Listing())


def _is_to_the_letter(attempt: Attempt, person: Person) -> bool:
    given = {attempt.key} if attempt.person == NOBODY else {*astuple(attempt.person)}
    return bool(given & {*astuple(person)} - {""})


def _match(attempt: Attempt, indexes: Sequence[_Index], number_decides: bool) -> Match:
    for kind, (word, index) in enumerate(zip(_identifiers(attempt), indexes, strict=True)):
        people = index.people.get(word, []) if word else []
        if len(people) == 1:
            return Match(people[0], kind)
        if people:
            return Match(reason=f"has the {KINDS[kind]} of {len(people)} people on the roster")
        if kind == 0 and number_decides and attempt.person.id:
            return Match(reason=f"has the number {one_line(word)}, which is not on the roster")
    return Match(reason="is not on the roster")


def _strangers(students: Mapping[str, Sequence[Attempt]], roster: Roster) -> tuple[str, ...]:
    """Return a sentence if download and roster have no number in common, as they use different kinds of numbers."""
    theirs = {number for person in roster.people for number in (person.id, person.sis) if number}
    ours = {attempts[-1].person.id for attempts in students.values()} - {""}
    if not ours or ours & theirs:
        return ()
    by_other = "so submissions were matched by login, email address and name"
    if not theirs:
        return (f"the roster has no student numbers, {by_other}",)
    return (f"no number in the download, such as {join_names(sorted(ours), 2)}, is on the roster, {by_other}",)


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
