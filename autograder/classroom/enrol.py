"""Whose each submission is: a download joined with a roster.

What the platform says of a person goes before names, which anybody can take: a number decides, then the login, the
email address, and the name where only one person has it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from datetime import datetime
from itertools import permutations
from pathlib import Path
from typing import Literal

from autograder.classroom.groups import shared
from autograder.classroom.person import NOBODY, Attempt, Download, Person
from autograder.classroom.register import Register, Row
from autograder.classroom.roster import Roster, normal, words
from autograder.core.text import display_names, join_names, one_line, safe_stems
from autograder.intake.submissions import Entry

MOST_WORDS = 5  # of a name all orders of whose words are tried
KINDS = ("number", "login", "email address", "name")


@dataclass(frozen=True)
class Match:
    """Whom a submission was found to be of, or the reason why of nobody.

    `kind` is the place in KINDS of what told it, the surest first.
    """

    person: Person | None = None
    kind: int = len(KINDS)
    reason: str = ""


def enrol(
    download: Download,
    roster: Roster | None,
    attempt: Literal["latest", "best"] = "latest",
    *,
    in_groups: bool = False,
) -> tuple[Register, list[Entry]]:
    """The register of a class, and the submissions that are to be graded.

    Args:
        attempt: with "latest" only the last of each student's attempts is graded, with "best" all of them.
        in_groups: what one of a group on the roster handed in counts for all of it.
    """
    students = _students(download.attempts)
    matches = _matches(students, roster) if roster else {}
    problems = [*download.problems, *(_strangers(students, roster) if roster else ())]
    if roster and in_groups:
        students, matches, unclear = _with_groups(students, matches, roster)
        problems += unclear
    stems = dict(zip(students, safe_stems(list(students)), strict=True))
    people = {key: _person(attempts, matches.get(key)) for key, attempts in students.items()}
    shown = _shown(people, stems)
    rows, entries = list[Row](), list[Entry]()
    for key, attempts in students.items():
        told = _told_by(roster, matches.get(key))
        for number, one in _graded(attempts, attempt):
            stem = stems[key] if number == len(attempts) else _earlier(stems[key], number, stems.values())
            when, is_late = one.submitted or told[0], told[1] if one.is_late is None else one.is_late
            rows.append(Row(stem, shown[key], people[key], when, is_late, number, len(attempts), one.shared))
            entries.append(Entry(shown[key], stem, Path(key), one.notes, one.opened))
    there = {match.person for match in matches.values()}
    absent = tuple(person for person in roster.people if person not in there) if roster else ()
    unmatched = tuple(f"{shown[key]} {match.reason}" for key, match in matches.items() if match.reason)
    return Register(download.form, tuple(rows), absent, unmatched, tuple(problems)), entries


def _told_by(roster: Roster | None, match: Match | None) -> tuple[datetime | None, bool | None]:
    """When somebody handed in and whether late, as the roster tells it."""
    if roster is None or match is None or match.person is None:
        return None, None
    return roster.submitted.get(match.person), match.person in roster.late or None


def _with_groups(
    students: Mapping[str, list[Attempt]], matches: Mapping[str, Match], roster: Roster
) -> tuple[dict[str, list[Attempt]], dict[str, Match], list[str]]:
    """The same with a submission for everybody whose group handed one in, and what is not clear about groups."""
    work = shared(students, {key: match.person for key, match in matches.items()}, roster)
    both = {key: attempts for key, attempts in {**students, **work.attempts}.items() if key not in work.replaced}
    owned = {key: Match(person) for key, person in work.owners.items()}
    return dict(sorted(both.items())), {key: owned.get(key) or matches[key] for key in both}, work.problems


def _graded(attempts: Sequence[Attempt], attempt: Literal["latest", "best"]) -> list[tuple[int, Attempt]]:
    """The attempts of a student that are graded, and their numbers."""
    numbered = list(enumerate(attempts, start=1))
    return numbered if attempt == "best" else numbered[-1:]


def _students(attempts: Iterable[Attempt]) -> dict[str, list[Attempt]]:
    """The attempts of each student in their order, the students in the order of what the download calls them."""
    by_key: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        by_key.setdefault(attempt.key, []).append(attempt)
    return dict(sorted(by_key.items()))


def _earlier(stem: str, number: int, taken: Iterable[str]) -> str:
    """The stem of an attempt that is not the last."""
    others = {each.casefold() for each in taken}
    own = f"{stem}.attempt-{number}"
    while own.casefold() in others:
        own += "_"
    return own


def _person(attempts: Sequence[Attempt], match: Match | None) -> Person:
    """All that is known of a student; what the roster says goes before."""
    own, listed_as = attempts[-1].person, (match and match.person) or NOBODY
    both = zip(astuple(listed_as), astuple(own), strict=True)
    return Person(*(one_line(theirs or ours, 200) for theirs, ours in both))


def _shown(people: Mapping[str, Person], stems: Mapping[str, str]) -> dict[str, str]:
    """The name people read of each student, with what the download calls them where two have the same."""
    names = {key: person.name or key for key, person in people.items()}
    count = Counter(one_line(name) for name in names.values())
    own = [name if name == key or count[one_line(name)] == 1 else f"{name} ({key})" for key, name in names.items()]
    shown = dict(zip(names, display_names(own), strict=True))
    if len(set(shown.values())) == len(shown):
        return shown
    return {key: f"{name} [{stems[key]}]" for key, name in shown.items()}  # somebody is called what another was made


class _Index:
    """The people of a roster by one kind of what tells them."""

    def __init__(self, people: Iterable[Person], tell: Callable[[Person], Iterable[str]]) -> None:
        self.people: dict[str, list[Person]] = {}
        for person in people:
            for word in {word for word in tell(person) if word}:
                self.people.setdefault(word, []).append(person)


def _indexes(roster: Roster) -> tuple[_Index, ...]:
    """By number, login, email address and name, as in KINDS."""
    return (
        _Index(roster.people, lambda person: [person.id]),
        _Index(roster.people, lambda person: [person.login.casefold()]),
        _Index(roster.people, lambda person: [person.email.casefold()]),
        _Index(roster.people, lambda person: _orders(person.name)),
    )


def _orders(name: str) -> Iterator[str]:
    """A name as it is compared: as words, and squashed in any order, as Canvas names files."""
    yield normal(name)
    if 1 < len(words(name)) <= MOST_WORDS:
        yield from ("".join(order) for order in permutations(words(name)))


def _names_given(attempt: Attempt) -> tuple[str, str, str, str]:
    """What a submission says of its student, as in KINDS; the name of a plain folder may be any of them."""
    if attempt.person == NOBODY:
        key = attempt.key
        return key, key.casefold(), key.casefold(), normal(key)
    person = attempt.person
    return person.id, person.login.casefold(), person.email.casefold(), normal(person.name)


def _matches(students: Mapping[str, Sequence[Attempt]], roster: Roster) -> dict[str, Match]:
    """Whom each submission is of. Of two that would be the same person's, the one that tells it less surely is not.

    A number is surest, then a login, an address, a name; of two logins the one with the very letters of the roster's.
    """
    indexes, decides = _indexes(roster), not _strangers(students, roster)
    found = {key: _match(attempts[-1], indexes, decides) for key, attempts in students.items()}
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


def _is_to_the_letter(attempt: Attempt, person: Person) -> bool:
    said = {attempt.key} if attempt.person == NOBODY else {*astuple(attempt.person)}
    return bool(said & {*astuple(person)} - {""})


def _match(attempt: Attempt, indexes: Sequence[_Index], number_decides: bool) -> Match:
    told = _names_given(attempt)
    for kind, (word, index) in enumerate(zip(told, indexes, strict=True)):
        people = index.people.get(word, []) if word else []
        if len(people) == 1:
            return Match(people[0], kind)
        if people:
            return Match(reason=f"has the {KINDS[kind]} of {len(people)} people on the roster")
        if kind == 0 and number_decides and attempt.person.id:
            return Match(reason=f"has the number {one_line(word)}, which is not on the roster")
    return Match(reason="is not on the roster")


def _strangers(students: Mapping[str, Sequence[Attempt]], roster: Roster) -> tuple[str, ...]:
    """A sentence if the numbers of download and roster are of different kinds, so that none is in both."""
    theirs = {person.id for person in roster.people if person.id}
    ours = {attempts[-1].person.id for attempts in students.values()} - {""}
    if not ours or ours & theirs:
        return ()
    if not theirs:
        return ("the roster has no numbers of people, so that logins, email addresses and names decided whose is what",)
    says = f"none of the numbers of the download, such as {join_names(sorted(ours), 2)}, is on the roster"
    return (f"{says}, so that logins, email addresses and names decided whose is what",)
