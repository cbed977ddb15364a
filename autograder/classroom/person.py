"""Who handed something in, and when."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime

from autograder.intake.archive import Listing


@dataclass(frozen=True)
class Person:
    """A student as far as a download or a roster tells; what it does not tell is "".

    `id` is the platform's own number, such as `ID` in a Canvas gradebook, or the number after Moodle's "Participant".
    """

    name: str = ""
    id: str = ""
    login: str = ""
    email: str = ""

    @property
    def called(self) -> str:
        """What to call somebody of whom not even a name may be known."""
        return self.name or self.login or self.email or self.id


NOBODY = Person()


@dataclass(frozen=True)
class Attempt:
    """One submission as it arrived.

    Args:
        key: what the download calls the student; the same for all attempts of one student, and for nobody else's.
        opened: gives the files of the submission, as long as its context lasts.
        submitted: when it was handed in, without a zone if the platform names none; None if the download does not tell.
        is_late: what the platform itself says; None if it says nothing.
        shared: what the download calls it where several people handed it in together, else "".
    """

    key: str
    opened: Callable[[], AbstractContextManager[Listing]]
    person: Person = NOBODY
    submitted: datetime | None = None
    is_late: bool | None = None
    notes: tuple[str, ...] = ()
    shared: str = ""


@dataclass(frozen=True)
class Download:
    """A whole class as it arrived: what form it has, its attempts (those of one student in their order).

    `problems` are sentences about what belongs to no student and was left out.
    """

    form: str
    attempts: tuple[Attempt, ...]
    problems: tuple[str, ...] = ()
