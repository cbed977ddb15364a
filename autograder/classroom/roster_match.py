"""Match submissions with the people on a roster.

What the platform says about a person takes precedence over names, which anyone can choose: a number decides, then the
login, the email address, and the name where only one person has it. A teacher may write a number, login or address in
the place of a name that several people have.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import astuple, dataclass
from itertools import permutations

from autograder.classroom.person import NOBODY, Attempt, Person
from autograder.classroom.roster import Roster, normal, words
from autograder.classroom.shown_names import told_apart
from autograder.core.text import join_names, one_line
from autograder.intake.archive import Listing

MOST_WORDS = 5  # of a name whose words are tried in all orders
KINDS = ("number", "login", "email address", "name")
CONTESTED = (
    "unpack the download, and in whatever belongs to another student, write that student's login, address or number "
    "in place of the name, or take it out"
)


@dataclass(frozen=True)
class Match:
    """The person a submission belongs to, or the reason why none was found; `kind` is an index into KINDS.

    `is_contested` says that someone on the roster was found, and another submission that is as likely theirs.
    `possible` are the people of whom it may be, if that is not clear.
    """

    person: Person | None = None
    kind: int = len(KINDS)
    reason: str = ""
    is_contested: bool = False
    possible: tuple[Person, ...] = ()


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


def matches_of(students: Mapping[str, Sequence[Attempt]], roster: Roster) -> dict[str, Match]:
    """Return the match of each submission. If two match the same person, the less certain one loses its match.

    A number is most certain, then a login, an address, a name; of two logins, the one spelt exactly as on the roster.
    If several are equally certain, all lose it.
    """
    indexes, decides = _indexes(roster.people), not strangers(students, roster)
    others = _indexes(roster.others)
    found = {key: _match(attempts[-1], indexes, decides) for key, attempts in students.items()}
    found |= {
        key: Match(reason=f"is on the roster as no student: {roster.others[other]}")
        for key, match in found.items()
        if match.reason and (other := _match(students[key][-1], others, number_decides=False).person)
    }
    rivals: dict[Person, list[str]] = {}
    for key, match in found.items():
        if match.person:
            rivals.setdefault(match.person, []).append(key)
    for person, keys in rivals.items():
        doubts = {key: _doubt(students[key][-1], person, found[key].kind) for key in keys}
        found |= _losers(person, doubts, found) if len(keys) > 1 else {}
    return found


def _doubt(attempt: Attempt, person: Person, kind: int) -> tuple[int, bool]:
    """Return how uncertain a match is; the spelling of a name tells nothing."""
    return kind, kind < KINDS.index("name") and not _is_to_the_letter(attempt, person)


def _losers(
    person: Person, doubts: Mapping[str, tuple[int, bool]], found: Mapping[str, Match]
) -> Iterator[tuple[str, Match]]:
    """Yield the submissions that lose their match with a person: all but the most certain one, or all."""
    least = min(doubts.values())
    first, *equal = sorted(key for key, doubt in doubts.items() if doubt == least)
    for key in doubts:
        kind = KINDS[found[key].kind]
        if equal:
            rest = [other for other in (first, *equal, *doubts) if other != key]
            says = f"has the {kind} of {one_line(person.called)} on the roster, as {_have(list(dict.fromkeys(rest)))}"
            reason = f"{says}, and nothing tells whose it is; {CONTESTED}"
            yield key, Match(reason=reason, is_contested=True, possible=(person,))
        elif key != first:
            says = f"has the {kind} of a person on the roster, as has {one_line(first)}"
            yield key, Match(reason=f"{says}, which counts as that person's")


def _have(keys: Sequence[str]) -> str:
    return f"{'has' if len(keys) == 1 else 'have'} {join_names(keys)}"


def owners(people: Mapping[str, Person], roster: Roster) -> dict[str, Match]:
    """Return whom on the roster each of these people is, by a key that may be any identifier of one who is `NOBODY`."""
    return matches_of({key: [Attempt(key, _nothing, person)] for key, person in people.items()}, roster)


def _nothing() -> AbstractContextManager[Listing]:
    return nullcontext(Listing())


def _is_to_the_letter(attempt: Attempt, person: Person) -> bool:
    given = {attempt.key} if attempt.person == NOBODY else {*astuple(attempt.person)}
    return bool(given & {*astuple(person)} - {""})


def _match(attempt: Attempt, indexes: Sequence[_Index], number_decides: bool) -> Match:
    for kind, (word, index) in enumerate(zip(_identifiers(attempt), indexes, strict=True)):
        people = index.people.get(word, []) if word else []
        if kind == KINDS.index("name"):
            people = list(dict.fromkeys([*people, *_named_by_mark(attempt.person.name, indexes)]))
        if len(people) == 1:
            return Match(people[0], kind)
        if people:
            says = f"has the {KINDS[kind]} of {len(people)} people on the roster"
            return Match(
                reason=f"{says}{_remedy(people)}" if kind == KINDS.index("name") else says, possible=tuple(people)
            )
        if kind == 0 and number_decides and attempt.person.id:
            return Match(reason=f"has the number {one_line(word)}, which is not on the roster")
    return Match(reason="is not on the roster")


def _named_by_mark(name: str, indexes: Sequence[_Index]) -> Iterator[Person]:
    """Yield the people whose number, login or address stands in the place of a name, where a teacher may write it."""
    for index in indexes[: KINDS.index("name")]:
        for word in {name, name.casefold()} - {""}:
            yield from (person for person in index.people.get(word, ()) if name in astuple(person))


def _remedy(people: Sequence[Person]) -> str:
    """Return how to tell apart submissions of people of one name."""
    where = "in place of the name, in the unpacked download"
    if marks := told_apart(people):
        return f"; write whose it is {where}: {marks}"
    return f"; give a roster with logins, addresses or numbers, and write the right one {where}"


def strangers(students: Mapping[str, Sequence[Attempt]], roster: Roster) -> tuple[str, ...]:
    """Return a sentence if download and roster have no number in common, as they use different kinds of numbers."""
    theirs = {number for person in roster.people for number in (person.id, person.sis) if number}
    ours = {attempts[-1].person.id for attempts in students.values()} - {""}
    if not ours or ours & theirs:
        return ()
    by_other = "so submissions were matched by login, email address and name"
    if not theirs:
        return (f"the roster has no student numbers, {by_other}",)
    return (f"no number in the download, such as {join_names(sorted(ours), 2)}, is on the roster, {by_other}",)
