"""What can go wrong, as a small tree.

AttendError              something a person can mend; its text is one clear sentence with a remedy
├── UsageError           wrong use of a command: an unknown name, a folder that is no course
├── SandboxError         the wall that was asked for cannot be had on this machine
├── ClusterLostError     the machines that were grading are gone; what they graded is kept
└── CheckFailed          the verdict of one check that was not passed, and why
    └── WorkerLost       the student's process ended, hung or spoke nonsense during a call

Faults of our own, which count as grader_error: `sandbox.client.GraderFaultError` and `BrokenCheckError`.
"""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from pathlib import Path

from autograder.core.message import Message
from autograder.core.records import Patch, Status

AUTHORED = ("reference", "tests")
"""Folders of a course whose modules are loaded as their author wrote them."""


class AttendError(Exception):
    """Something a person can mend; the message says how."""


class UsageError(AttendError):
    """A command was used in a way that cannot work."""


class SandboxError(AttendError):
    """The sandbox that was asked for cannot be had."""


class ClusterLostError(AttendError):
    """The machines that were grading are gone."""


class CheckFailed(AttendError):
    """One check was not passed.

    Args:
        status: one of `records.STATUSES`, never "passed".
        message: what the student reads; a sentence is a message by itself.
        misconceptions: ids of the known misconceptions that explain the answer, likeliest first.
        patch: a piece of the answer to look at.
    """

    def __init__(
        self, status: Status, message: Message | str, misconceptions: Sequence[str] = (), patch: Patch | None = None
    ) -> None:
        self.message = Message(message) if isinstance(message, str) else message
        super().__init__(self.message.text)
        self.status: Status = status
        self.misconceptions = tuple(misconceptions)
        self.patch = patch


class WorkerLost(CheckFailed):
    """The student's process gave no usable answer (timeout, memory, crash, protocol, blocked)."""


class BrokenCheckError(Exception):
    """The check itself is wrong: the reference fails it. Never the student's fault."""


def blamed(error: BaseException, home: Path) -> tuple[str, str]:
    """Which line of which file in `home` an author's own error is in ("" if in none), and what it says."""
    said = str(error)
    places = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    if isinstance(error, SyntaxError) and error.filename:
        places.append((error.filename, error.lineno))
        said = error.msg
    inside = [(Path(file).relative_to(home), line) for file, line in places if Path(file).is_relative_to(home)]
    own = [f"{file.as_posix()}:{line}" for file, line in inside if file.parts[0] in AUTHORED]
    where = own[-1] if own else ""
    return where, f"{type(error).__name__}: {said if where else error}"
