"""The grade of each row of a platform's table: by number, login, email or name, if it is the only one that fits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from autograder.classroom.grades import Grade
from autograder.classroom.person import NOBODY, Person
from autograder.classroom.roster import normal

Key = Callable[[Person], str]
BY: Sequence[tuple[Key, Key]] = (
    (lambda row: row.login.casefold(), lambda ours: ours.login.casefold()),
    (lambda row: row.email.casefold(), lambda ours: ours.email.casefold()),
    (lambda row: row.login.casefold(), lambda ours: ours.email.casefold()),
    (lambda row: row.email.casefold(), lambda ours: ours.login.casefold()),
    (lambda row: normal(row.name), lambda ours: normal(ours.name)),
)
"""The pairs that are compared, strongest first: a key of the row, and one of the grade."""


def matched(rows: Mapping[int, Person], grades: Sequence[Grade]) -> dict[int, Grade]:
    """Return the grade of each row, found by number, login, email or name, if it is the only one that fits.

    If any numbers agree, numbers decide: a student whose number is in no row is not looked for by name.
    """
    people = {number: _person(grade) for number, grade in enumerate(grades)}
    found = _by_number(rows, people)
    rest = [number for number, grade in enumerate(grades) if not (found and (grade.person.id or grade.person.sis))]
    for of_row, of_grade in BY:
        keys = {row: of_row(person) for row, person in rows.items()}
        pairs = _paired(keys, {number: of_grade(person) for number, person in people.items()})
        taken = set(found.values())
        found |= {row: n for row, n in pairs.items() if row not in found and n in rest and n not in taken}
    return {row: grades[number] for row, number in found.items()}


def _by_number(rows: Mapping[int, Person], ours: Mapping[int, Person]) -> dict[int, int]:
    """Return the grade of each row with its number: the platform's, else the institution's, which either side may have.

    One kind of number is compared with the other only where no two of a kind agree.
    """
    (row_ids, row_sis), (our_ids, our_sis) = _numbers(rows), _numbers(ours)
    first, second = _paired(row_ids, our_ids), _paired(row_sis, our_sis)
    both = first | {row: n for row, n in second.items() if row not in first and n not in first.values()}
    return both or _paired(row_sis, our_ids) or _paired(row_ids, our_sis)


def _numbers(people: Mapping[int, Person]) -> tuple[dict[int, str], dict[int, str]]:
    return {key: person.id for key, person in people.items()}, {key: person.sis for key, person in people.items()}


def _person(grade: Grade) -> Person:
    """Return whom a grade is for; a folder's name may be any of name, number, login or email, and a name a login."""
    name, known = grade.student, grade.person
    if known == NOBODY:
        return Person(name, name, name, name, name)
    return known if known.login or known.email else replace(known, login=known.name)


def _paired(rows: Mapping[int, str], ours: Mapping[int, str]) -> dict[int, int]:
    there, here = _once(rows), _once(ours)
    return {there[key]: here[key] for key in there if key in here}


def _once(keys: Mapping[int, str]) -> dict[str, int]:
    """Return the number with each key, without keys that several have."""
    count = Counter(keys.values())
    return {key: number for number, key in keys.items() if key and count[key] == 1}
