"""A table of people in a CSV or TSV file: where its header is, and what its columns mean.

Known columns are those of Canvas' and Blackboard's gradebooks, of Moodle's grading worksheet and list of participants,
of Gradescope's and GitHub Classroom's rosters and of GitHub Classroom's grades, and plain ones such as name and email.
Brightspace's and Sakai's are those of `platforms/brightspace/export.py` and `platforms/sakai/export.py`, ILIAS's and
OLAT's those of the same modules beside them. Google describes no columns of Classroom's grades: its "Last Name", "First
Name" and "Email Address", with the rows "Date" and "Points", are as its users show them.
"""

from __future__ import annotations

import codecs
import csv
import io
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.core.errors import UsageError
from autograder.core.reading import beginning
from autograder.core.table import ZIP, is_workbook
from autograder.core.text import join_names, one_line

# Of several columns with the same meaning, the first with a filled cell counts. Titles are as `plain_title` returns
# them; German, French and Spanish come after English.
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "name": (
        *("student", "full name", "name", "student name", "display name"),
        *("vollständiger name", "nom complet", "nombre completo"),
    ),
    "first": ("first name", "firstname", "given name", "forename", "vorname", "prénom", "nombre"),
    "last": ("last name", "lastname", "surname", "family name", "nachname", "nom", "apellido(s)", "apellidos"),
    "id": (
        *("id", "canvas user id", "sid", "student id", "id number", "student number", "matriculation number"),
        *("usr id", "orgdefinedid", "org defined id", "institution identifier", "institutional identifier"),
        *("matrikelnummer", "id-nummer", "institutionsnummer", "institutionsnummer (matrikelnummer)"),
        *("numéro d'étudiant", "numéro d'identification", "número de id"),
    ),
    "sis": ("sis user id", "user id", "sis"),  # the second in Canvas's list of groups, beside canvas_user_id
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
    "submitted": (
        *("submission timestamp", "submission time", "last modified (submission)", "submitted date"),
        "submission date",
    ),
    "assignment": ("assignment name",),
    "status": ("status", "late submission"),  # Moodle's, in which " - 2 hours 5 mins late" may stand; Sakai's
    "group": ("group name", "group", "gruppe", "groupe", "grupo"),
    "role": ("role", "roles", "rolle", "rollen", "rôle", "rôles", "rol"),
}
TELLING = ("name", "last", "id", "login", "email", "any")  # columns that can identify a person
# What titles mean in the table of one platform alone, by a title that only this platform writes.
ELSEWHERE: Mapping[str, Mapping[str, str]] = {"display id": {"id": "login", "display id": "sis"}}  # Sakai
MARKED = "end-of-line indicator"  # Brightspace, which begins numbers and logins with a sign
MARK = "#"
MOST_TITLES = 4  # lines above the header; Sakai writes two
SEPARATORS = (",", ";", "\t", "|")
SIZE_LIMIT = 20 * 1024 * 1024
# Quotes, hyphens and invisible signs as word processors write them.
PLAIN = str.maketrans(
    dict.fromkeys("‘’ʼ´`′", "'") | dict.fromkeys("‐‑‒–—−", "-") | dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff")
)
Cells = Sequence[str]


@dataclass(frozen=True)
class RosterTable:
    """The rows below the header, by the meaning of their cells, and the titles with a known meaning and without one."""

    rows: Sequence[Mapping[str, str]]
    used: Sequence[str]
    unused: Sequence[str]


def read(path: Path) -> RosterTable:
    """Read the cells of the known columns, row by row.

    Raises:
        UsageError: the file cannot be read, or has no column that identifies a student.
    """
    text = _decoded(path)
    try:
        tables = [list(csv.reader(io.StringIO(text, newline=""), delimiter=each)) for each in SEPARATORS]
    except csv.Error as error:
        raise UsageError(f"{path} cannot be read as a table ({one_line(str(error))}); export it again") from error
    header, rows = max((_headed(table) for table in tables), key=lambda headed: len(headed[0].known))
    if not header.is_telling:
        titles = [title for title in header.titles if title]
        among = f" among {join_names(titles)}" if titles else ""
        there = join_names(sorted({name for kind in TELLING for name in COLUMNS[kind]}), 80)
        says = f"{path} has no column that identifies a student{among}; known columns are {there}"
        raise UsageError(f"{says}; if your platform uses another language, set it to English and export again")
    return RosterTable([header.row(cells) for cells in rows], header.used, header.unused)


def plain_title(cell: str) -> str:
    """Return a column's title in small letters, with plain spaces, quotes and hyphens, and " " for "_"."""
    text = unicodedata.normalize("NFKC", cell.translate(PLAIN))
    return " ".join(text.replace("_", " ").casefold().split())


class _Header:
    """The titles of a table, and the columns with a known meaning in the order in which they count."""

    def __init__(self, cells: Cells) -> None:
        self.titles = [one_line(cell) for cell in cells]
        plain = [plain_title(cell) for cell in cells]
        known = {name: (kind, rank) for kind, names in COLUMNS.items() for rank, name in enumerate(names)}
        for own in (own for title, own in ELSEWHERE.items() if title in plain):
            known |= {name: (kind, 0) for name, kind in own.items()}
        found = {number: known[title] for number, title in enumerate(plain) if title in known}
        self.known = {number: kind for number, (kind, _) in sorted(found.items(), key=lambda item: item[1][1])}
        self.is_marked = MARKED in plain

    @property
    def is_telling(self) -> bool:
        return any(kind in TELLING for kind in self.known.values())

    @property
    def used(self) -> list[str]:
        return [title for number, title in enumerate(self.titles) if number in self.known]

    @property
    def unused(self) -> list[str]:
        return [title for number, title in enumerate(self.titles) if title and number not in self.known]

    def row(self, cells: Cells) -> dict[str, str]:
        found: dict[str, str] = {}
        for number, kind in self.known.items():
            cell = one_line(cells[number], 200) if number < len(cells) else ""
            if cell := cell.removeprefix(MARK) if self.is_marked else cell:
                found.setdefault(kind, cell)
        return found


def _headed(table: Sequence[Cells]) -> tuple[_Header, Sequence[Cells]]:
    """Return the header, which may have lines with titles above it, and the rows below it."""
    rows = list(_filled(table))
    headers = [_Header(cells) for cells in rows[: MOST_TITLES + 1]] or [_Header(())]
    at = next((number for number, header in enumerate(headers) if header.is_telling), 0)
    return headers[at], rows[at + 1 :]


def _filled(table: Sequence[Cells]) -> Iterator[Cells]:
    """Return the rows that are not empty, without a spreadsheet's `sep=` row."""
    return (row for row in table if any(cell.strip() for cell in row) and not row[0].startswith("sep="))


def _decoded(path: Path) -> str:
    """Return the text of a file in UTF-8, UTF-16, or the encoding of Windows programs in western Europe."""
    try:
        with path.open("rb") as file:
            data = beginning(file, SIZE_LIMIT)
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}); give the roster as a CSV file") from error
    if is_workbook(data):
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
