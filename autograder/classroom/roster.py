"""The people of a class: the table that a course platform exports, or any other with names, addresses or numbers.

Known columns are those of Canvas' and Blackboard's gradebooks, of Moodle's grading worksheet and list of participants,
of Gradescope's and GitHub Classroom's rosters and of GitHub Classroom's grades, and plain ones such as name and email.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from autograder.classroom import times
from autograder.classroom.person import Person
from autograder.core.errors import UsageError
from autograder.core.text import join_names, one_line

# Of several columns with the same meaning, the first with a filled cell counts. Names are in small letters, with " "
# for "_"; German, French and Spanish come after English.
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "name": (
        *("student", "full name", "name", "student name", "display name"),
        *("vollständiger name", "nom complet", "nombre completo"),
    ),
    "first": ("first name", "firstname", "given name", "forename", "vorname", "prénom", "nombre"),
    "last": ("last name", "lastname", "surname", "family name", "nachname", "nom", "apellido(s)", "apellidos"),
    "id": (
        *("id", "canvas user id", "sid", "student id", "id number", "student number", "matriculation number"),
        *("matrikelnummer", "id-nummer", "numéro d'étudiant", "numéro d'identification", "número de id"),
    ),
    "login": (
        *("sis login id", "github username", "username", "user name", "login", "login id"),
        *("anmeldename", "benutzername", "nom d'utilisateur", "nombre de usuario"),
    ),
    "email": (
        *("email", "email address", "e-mail", "e-mail address", "mail", "e-mail-adresse"),
        *("adresse de courriel", "courriel", "dirección de correo", "correo electrónico"),
    ),
    "any": (
        *("identifier", "roster identifier"),
        *("identifiant", "identificador"),
    ),  # Moodle's "Participant 123", or the teacher's identifier in GitHub Classroom
    "submitted": ("submission timestamp", "submission time", "last modified (submission)", "submitted date"),
    "assignment": ("assignment name",),
    "status": ("status",),  # Moodle's, in which " - 2 hours 5 mins late" may stand
    "group": ("group name", "group", "gruppe", "groupe", "grupo"),
}
TELLING = ("name", "last", "id", "login", "email", "any")  # columns that can identify a person
SEPARATORS = (",", ";", "\t", "|")
SIZE_LIMIT = 20 * 1024 * 1024
ZIP, WORKBOOK = b"PK", b"\xd0\xcf\x11\xe0"  # how zips, and workbooks before 2007, begin
SHEETS = (b"xl/workbook", b"oasis.opendocument", b"Index/Document.iwa")  # in the zips that workbooks are since
LATE = re.compile(r"\blate\b", re.IGNORECASE)
PARTICIPANT = re.compile(r"(?:Participante?|Teilnehmer\S*?) ?(\d+)")  # of Moodle, as its languages write it
# Rows of Canvas that are not students: the maximum of each column, and the test student for a teacher's preview.
POINTS, TEST_STUDENT = "points possible", "student, test"


@dataclass(frozen=True)
class Roster:
    """The people of a class in the order of the table, with times, late people and groups where the table has them."""

    people: tuple[Person, ...]
    submitted: Mapping[Person, datetime] = field(default_factory=dict)
    late: frozenset[Person] = frozenset()
    groups: Mapping[Person, str] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> Roster:
        """Read the roster in a CSV or TSV file.

        Raises:
            UsageError: the file cannot be read, or has no known column or no students.
        """
        people, submitted, late = dict[Person, None](), dict[Person, datetime](), set[Person]()
        groups: dict[Person, str] = {}
        for row in rows(path):
            if person := _person(row):
                people[person] = None
                if when := times.read(row.get("submitted", "")):
                    submitted[person] = max(when, submitted.get(person, when), key=times.in_utc)
                if LATE.search(row.get("status", "")):
                    late.add(person)
                if group := row.get("group"):
                    groups[person] = group
        if not people:
            raise UsageError(f"{path} has no students below its header; export the roster again")
        return cls(tuple(people), submitted, frozenset(late), groups)


def normal(name: str) -> str:
    """Return a name without case, accents, marks and the order of its words: "Doe, Zoë" and "zoe doe" are the same."""
    return " ".join(sorted(words(name)))


def words(name: str) -> list[str]:
    """Return the words of a name, without case, accents and marks."""
    bare = "".join(each for each in unicodedata.normalize("NFKD", name.casefold()) if not unicodedata.combining(each))
    return [word for part in re.split(r"[\s,;_]+", bare) if (word := "".join(filter(str.isalnum, part)))]


def _decoded(path: Path) -> str:
    """Return the text of a file in UTF-8, UTF-16, or the encoding of Windows programs in western Europe."""
    try:
        with path.open("rb") as file:
            data = file.read(SIZE_LIMIT + 1)
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}); give the roster as a CSV file") from error
    if data.startswith(WORKBOOK) or (data.startswith(ZIP) and any(part in data for part in SHEETS)):
        raise UsageError(f"{path} is a workbook; save it as CSV and give that")
    if data.startswith(ZIP):
        raise UsageError(f"{path} is a zip and no table; unpack it, or export the table again, and give a CSV file")
    if len(data) > SIZE_LIMIT:
        raise UsageError(f"{path} is larger than {SIZE_LIMIT // 1024**2} MiB; give the roster as a CSV file")
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def rows(path: Path) -> list[dict[str, str]]:
    """Return the cells of the known columns, row by row.

    Raises:
        UsageError: the file cannot be read, or has no column that identifies a student.
    """
    text = _decoded(path)
    try:
        tables = [list(csv.reader(io.StringIO(text, newline=""), delimiter=each)) for each in SEPARATORS]
    except csv.Error as error:
        raise UsageError(f"{path} cannot be read as a table ({one_line(str(error))}); export it again") from error
    known, table = max(((_header(table), table) for table in tables), key=lambda pair: len(pair[0]))
    if not any(kind in TELLING for kind, _ in known.values()):
        there = join_names(sorted({name for kind in TELLING for name in COLUMNS[kind]}), 60)
        says = f"{path} has no column that identifies a student; known columns are {there}"
        raise UsageError(f"{says}; if your platform uses another language, set it to English and export again")
    return [_row(known, cells) for cells in [*_filled(table)][1:]]


Header = dict[int, tuple[str, int]]
"""The meaning of a column and its rank among those with the same meaning, by the column's number."""


def _header(table: Sequence[Sequence[str]]) -> Header:
    known = {name: (kind, rank) for kind, names in COLUMNS.items() for rank, name in enumerate(names)}
    first = next(iter(_filled(table)), [])
    titles = {number: " ".join(cell.replace("_", " ").casefold().split()) for number, cell in enumerate(first)}
    return {number: known[title] for number, title in titles.items() if title in known}


def _filled(table: Sequence[Sequence[str]]) -> Iterator[Sequence[str]]:
    """Return the rows that are not empty, without a spreadsheet's `sep=` row."""
    return (row for row in table if any(cell.strip() for cell in row) and not row[0].startswith("sep="))


def _row(known: Header, cells: Sequence[str]) -> dict[str, str]:
    row: dict[str, str] = {}
    for number, (kind, _) in sorted(known.items(), key=lambda item: item[1][1]):
        cell = one_line(cells[number], 200) if number < len(cells) else ""
        if cell:
            row.setdefault(kind, cell)
    return row


def _person(row: Mapping[str, str]) -> Person | None:
    """Return the person in a row; None if it has none."""
    name = row.get("name") or " ".join(filter(None, (row.get("first"), row.get("last"))))
    number, login, email, identifier = (row.get(kind, "") for kind in ("id", "login", "email", "any"))
    if moodles := PARTICIPANT.fullmatch(number):  # whose column German Moodle calls "ID"
        number = moodles[1]
    if name.casefold().startswith(POINTS) or name.casefold() == TEST_STUDENT:
        return None
    if "@" in identifier:
        email = email or identifier
    elif moodles := PARTICIPANT.fullmatch(identifier):
        number = moodles[1]
    else:
        name = name or identifier
    email = email or (login if "@" in login else "")
    return Person(name, number, login, email) if name or number or login or email else None
