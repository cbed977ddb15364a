"""The register of a graded class: the owner of each result, kept beside the results as class.json."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import msgspec

from autograder.classroom.person import NOBODY, Person
from autograder.classroom.policy import NEUTRAL, Policy
from autograder.core import files
from autograder.core.encoded import as_json
from autograder.core.errors import AttendError
from autograder.core.reading import contents, decoded
from autograder.core.text import is_stem, join_names, one_line

NAME = "class.json"
REMEDIES = {  # where to get times from, if a download does not hold them
    "Moodle": "give the assignment's grading worksheet as --roster, downloaded in English",
    "GitHub Classroom": "give the grades that GitHub Classroom exports as --roster, or set days_late in policy.toml",
}
VERSION = 1
FROM_ANYWHERE = ("", "folder", "files", "layout")
"""Forms of a class that no platform gave."""


@dataclass(frozen=True)
class RegisterRow:
    """One submission: its owner, its time, and its number among the student's attempts.

    `student` is the displayed name, the same in all rows of one student. `shared` is the same in the rows of students
    who handed in together, else "". `arrived` is that of the `Attempt`: the names in the download. `contested` says
    that it is not clear whose the submission is, and what to do.
    """

    stem: str
    student: str
    person: Person = NOBODY
    submitted: datetime | None = None
    is_late: bool | None = None
    attempt: int = 1
    attempts: int = 1
    shared: str = ""
    arrived: tuple[str, ...] = ()
    contested: str = ""


@dataclass(frozen=True)
class Register:
    """A class. `absent` are people on the roster who handed in nothing; `unmatched` are sentences about the others.

    `policy` is the one that the pages and tables beside the file were made with; `only` names what was graded, empty
    for everything; `given` are the options that told more about the class, such as --roster; `look` is a digest of what
    makes the pages; `absent_names` are the displayed names of the absent, and `unclear` those of them to
    whom a submission that matches nobody may belong.
    """

    form: str
    rows: tuple[RegisterRow, ...]
    absent: tuple[Person, ...] = ()
    unmatched: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    policy: Policy = NEUTRAL
    only: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    look: str = ""
    absent_names: tuple[str, ...] = ()
    unclear: tuple[Person, ...] = ()
    version: int = VERSION

    @property
    def everybody(self) -> tuple[RegisterRow, ...]:
        """All rows, with one more for each absent person."""
        return (*self.rows, *self.absentees)

    @property
    def absentees(self) -> tuple[RegisterRow, ...]:
        """A row for each absent person, without a stem."""
        names = self.absent_names or [person.called for person in self.absent]
        return tuple(RegisterRow("", name, person) for name, person in zip(names, self.absent, strict=True))

    @property
    def _has_deadline(self) -> bool:
        return bool(self.policy.deadline or any(each.deadline for each in self.policy.students.values()))

    @property
    def platform(self) -> str:
        """The platform that the class was recognised as from; "" if it came from anywhere."""
        return "" if self.form in FROM_ANYWHERE else self.form

    @property
    def local_times(self) -> str:
        """A sentence on the offset that a deadline needs, while there is no deadline; "" where the times have one."""
        if self._has_deadline or all(row.submitted is None or row.submitted.tzinfo for row in self.rows):
            return ""
        written = f"{self.platform} writes local times" if self.platform else "the times are local"
        return f"{written}: write the deadline with that place's offset"

    @property
    def undated(self) -> str:
        """A sentence about students with a deadline and an unknown time, "" if there are none."""
        if not self._has_deadline:
            return ""
        waiting = {
            row.student
            for row in self.rows
            if row.submitted is None and row.is_late is None and self.policy.of(row.student).days_late is None
        }
        if not waiting:
            return ""
        says = f"it is not known when {join_names(sorted(waiting), 3)} handed in, so no deadline counts there"
        remedy = REMEDIES.get(self.form, "set days_late in policy.toml, to 0 if they were in time")
        return f"{says}; {remedy}"

    @classmethod
    def of(cls, students: Mapping[str, str]) -> Register:
        """Return the register of a class of which only the name behind each stem is known."""
        return cls("", tuple(RegisterRow(stem, student) for stem, student in students.items()))


def write(out: Path, register: Register) -> None:
    """Write class.json.

    Raises:
        UsageError: the place cannot be written to.
    """
    files.write(out / NAME, _text(register))


def holds(out: Path, register: Register) -> bool:
    """Return whether class.json holds exactly this register."""
    return files.holds(out / NAME, _text(register).encode())


def _text(register: Register) -> str:
    return msgspec.json.format(as_json(register), indent=2).decode() + "\n"


def read(out: Path) -> Register | None:
    """Return the register in `out`; None if there is none.

    Raises:
        AttendError: it is damaged, or of another version.
    """
    path = out / NAME
    if not path.is_file():
        return None
    try:
        register = decoded(contents(path), Register)
    except (OSError, ValueError) as error:
        raise AttendError(f"{path} cannot be read ({one_line(str(error))}); grade the class again") from error
    if register.version != VERSION:
        raise AttendError(f"{path} has format {register.version}, not {VERSION}; grade the class again")
    if odd := [row.stem for row in register.rows if not is_stem(row.stem)]:
        raise AttendError(f"{path} has results under {join_names(odd, 3)}, no names of files; grade the class again")
    return register
