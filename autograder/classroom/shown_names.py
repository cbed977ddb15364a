"""The name of each student in tables and pages: distinct, and the only word that is sure to mean this student."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import astuple
from typing import NamedTuple

from autograder.classroom.person import Person
from autograder.core.text import display_names, join_names, one_line, safe_stems

HANDED_IN, LISTED = "as handed in", "on the roster"  # what tells apart of whom no more than a name is known


class ShownStudent(NamedTuple):
    """A student to be named; `key` is the one in the download, "" for someone who handed in nothing."""

    person: Person
    key: str = ""

    @property
    def name(self) -> str:
        return one_line(self.person.name or self.key or self.person.called)

    @property
    def marks(self) -> tuple[str, str]:
        """What tells the student apart from others of the same name: what is known of the person, and the key."""
        person = self.person
        rest = self.key.removeprefix(person.name).lstrip("_- ")
        own = HANDED_IN if one_line(self.key) == self.name else rest or self.key or LISTED
        return person.login or person.id or person.email or person.sis or own, own


def shown_names(students: Sequence[ShownStudent]) -> list[str]:
    """Return a distinct name for each student, with the login or another mark in brackets where several share one."""
    names = Counter(each.name for each in students)
    marks = Counter((each.name, each.marks[0]) for each in students)

    def raw(each: ShownStudent) -> str:
        if names[each.name] == 1:
            return each.person.name or each.key or each.person.called
        known, own = each.marks
        return f"{each.name} ({own if each.key and marks[each.name, known] > 1 else known})"

    shown = display_names([raw(each) for each in students])
    if len(set(shown)) == len(shown):
        return shown
    # One student's real name is another's name with a mark, or two share the mark as well.
    stems = safe_stems([each.key or "roster " + " ".join(astuple(each.person)) for each in students])
    return [f"{name} [{stem}]" for name, stem in zip(shown, stems, strict=True)]


def told_apart(people: Sequence[Person]) -> str:
    """Return logins, addresses or numbers that tell people of one name apart; "" if the roster has none for each."""
    marks = [person.login or person.email or person.id or person.sis for person in people]
    return join_names(marks, last="or") if all(marks) and len({*marks}) == len(marks) else ""
