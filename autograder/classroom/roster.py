"""The people of a class: the table that a course platform exports, or any other with names, addresses or numbers."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from autograder.classroom import roster_table, times
from autograder.classroom.person import Person
from autograder.classroom.roles import is_student
from autograder.classroom.roster_table import RosterTable, plain_title
from autograder.core.errors import UsageError
from autograder.core.text import join_names, one_line

LATE = re.compile(r"\blate\b", re.IGNORECASE)
PARTICIPANT = re.compile(r"(?:Participante?|Teilnehmer\S*?) ?(\d+)")  # of Moodle, as its languages write it
# Rows that are about columns: Canvas' with the maximum of each, and those of Google Classroom.
POINTS = "points possible"
ABOUT_COLUMNS = ("date", "points", "class average", "datum", "punkte", "fecha", "puntos")
# Canvas' student for a teacher's preview: called so in English, and with a hash as the login in every language
# (app/models/course.rb of instructure/canvas-lms).
TEST_STUDENT, HASH = "student, test", re.compile(r"[0-9a-f]{40}")
PREVIEW = "Canvas's test student"
Row = Mapping[str, str]


@dataclass(frozen=True)
class Roster:
    """The people of a class in the order of the table, with times, late people and groups where the table has them.

    `others` are people in the table who are no students, with the reason: the role, or that Canvas made them.
    `remarks` are sentences about what of the table was not used.
    """

    people: tuple[Person, ...]
    submitted: Mapping[Person, datetime] = field(default_factory=dict)
    late: frozenset[Person] = frozenset()
    groups: Mapping[Person, str] = field(default_factory=dict)
    others: Mapping[Person, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    @classmethod
    def read(cls, path: Path) -> Roster:
        """Read the roster in a CSV or TSV file.

        Raises:
            UsageError: the file cannot be read, or has no known column or no students.
        """
        table = roster_table.read(path)
        people, submitted, late = dict[Person, None](), dict[Person, datetime](), set[Person]()
        groups, others = dict[Person, str](), dict[Person, str]()
        twice = dict[Person, None]()
        for person, row in _students(table, others):
            if person in people and person == Person(person.name):
                twice[person] = None
            people[person] = None
            if when := times.read(row.get("submitted", "")):
                submitted[person] = max(when, submitted.get(person, when), key=times.in_utc)
            if LATE.search(row.get("status", "")):
                late.add(person)
            if group := row.get("group"):
                groups[person] = group
        if not people:
            but = f", only {join_names(_with_reason(others))}" if others else ""
            raise UsageError(f"{path} has no students below its header{but}; export the roster again")
        others = {person: why for person, why in others.items() if person not in people}
        remarks = (*_remarks(path, table, others), *_namesakes(path, twice))
        return cls(tuple(people), submitted, frozenset(late), groups, others, remarks)


def normal(name: str) -> str:
    """Return a name without case, accents, marks and the order of its words: "Doe, Zoë" and "zoe doe" are the same."""
    return " ".join(sorted(words(name)))


def words(name: str) -> list[str]:
    """Return the words of a name, without case, accents and marks."""
    bare = "".join(each for each in unicodedata.normalize("NFKD", name.casefold()) if not unicodedata.combining(each))
    return [word for part in re.split(r"[\s,;_]+", bare) if (word := "".join(filter(str.isalnum, part)))]


def is_test_student(person: Person) -> bool:
    """Return whether a person is the student that Canvas made for a teacher's preview."""
    return person.name.casefold() == TEST_STUDENT or bool(HASH.fullmatch(person.login) and not person.sis)


def _students(table: RosterTable, others: dict[Person, str]) -> Iterator[tuple[Person, Row]]:
    """Yield each student's person and row, and add the other people to `others`, with why they are none."""
    for row in table.rows:
        person = _person(row)
        if person and (why := _is_no_student(person, row.get("role", ""))):
            others[person] = why
        elif person:
            yield person, row


def _person(row: Row) -> Person | None:
    """Return the person in a row; None if it has none."""
    name = row.get("name") or " ".join(filter(None, (row.get("first"), row.get("last"))))
    number, sis, login, email, identifier = (row.get(kind, "") for kind in ("id", "sis", "login", "email", "any"))
    if name.casefold().startswith(POINTS) or (row.keys() <= {"name", "last"} and plain_title(name) in ABOUT_COLUMNS):
        return None
    if moodles := PARTICIPANT.fullmatch(number):  # whose column German Moodle calls "ID"
        number = moodles[1]
    if "@" in identifier:
        email = email or identifier
    elif moodles := PARTICIPANT.fullmatch(identifier):
        number, sis = moodles[1], sis or number
    else:
        name = name or identifier
    email = email or (login if "@" in login else "")
    return Person(name, number, login, email, sis) if name or number or login or email or sis else None


def _is_no_student(person: Person, role: str) -> str:
    """Return why a person in the table is no student, "" if it is one."""
    if is_test_student(person):
        return PREVIEW
    return one_line(role) if role and is_student(role) is False else ""


def _remarks(path: Path, table: RosterTable, others: Mapping[Person, str]) -> Iterator[str]:
    if table.unused:
        yield f"{path.name}: used: {join_names(table.used, 12)}; not used: {join_names(table.unused, 12)}"
    if others:
        yield f"{path.name}: left out, as no students: {join_names(_with_reason(others))} ({len(others)})"
    unknown = Counter(role for row in table.rows if (role := row.get("role")) and is_student(role) is None)
    if unknown:
        roles = [f"{one_line(role)} ({count})" for role, count in unknown.items()]
        yield f"{path.name}: not known as roles, and taken for students: {join_names(roles)}"


def _namesakes(path: Path, twice: Collection[Person]) -> Iterator[str]:
    """Yield a sentence on names in several rows that tell nothing else of the person."""
    if twice:
        names = join_names([person.called for person in twice])
        yield f"{path.name}: in several rows, and taken for one student each: {names}; if not, add logins or numbers"


def _with_reason(others: Mapping[Person, str]) -> list[str]:
    return [f"{person.called} ({why})" for person, why in others.items()]
