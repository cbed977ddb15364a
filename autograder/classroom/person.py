"""Students, their attempts, and the download that these arrived in."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime

from autograder.intake.archive import Listing


@dataclass(frozen=True)
class Person:
    """A student, as a download or a roster describes them; unknown fields are "".

    `id` is the platform's own number, such as `ID` in a Canvas gradebook, or the number after Moodle's "Participant".
    `sis` is a second one, which the institution gave, such as `SIS User ID` in a Canvas gradebook.
    """

    name: str = ""
    id: str = ""
    login: str = ""
    email: str = ""
    sis: str = ""

    @property
    def called(self) -> str:
        """The name, or another identifier if the name is unknown."""
        return self.name or self.login or self.email or self.id or self.sis


NOBODY = Person()


@dataclass(frozen=True)
class Attempt:
    """One submission as it arrived.

    Args:
        key: the student's key in the download; the same for all attempts of one student, and unique to that student.
        opened: opens the files of the submission, which exist as long as its context lasts.
        submitted: when it was handed in, without a zone if the platform names none; None if unknown.
        is_late: whether the platform calls it late; None if unknown.
        shared: the key of the submission if several people handed it in together, else "".
        arrived: its key in the download, then the names of its files and folders there: by these feedback goes back.
    """

    key: str
    opened: Callable[[], AbstractContextManager[Listing]]
    person: Person = NOBODY
    submitted: datetime | None = None
    is_late: bool | None = None
    notes: tuple[str, ...] = ()
    shared: str = ""
    arrived: tuple[str, ...] = ()


@dataclass(frozen=True)
class Download:
    """A whole class as it arrived: the form of the download, and its attempts (those of one student in their order).

    `problems` are sentences about files that belong to no student and were left out.
    """

    form: str
    attempts: tuple[Attempt, ...]
    problems: tuple[str, ...] = ()

    @property
    def is_anonymous(self) -> bool:
        """Whether it has Canvas's codes instead of people, so that no roster can tell who is absent."""
        coded = (each.person == NOBODY and each.key.startswith("anon_") for each in self.attempts)
        return self.form == "Canvas" and bool(self.attempts) and all(coded)
