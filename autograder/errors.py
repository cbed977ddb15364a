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

from autograder.records import Patch, Status


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
        message: what the student reads; the first line says it all.
        misconceptions: ids of the known misconceptions that explain the answer, likeliest first.
        patch: a piece of the answer to look at.
    """

    def __init__(
        self, status: Status, message: str, misconceptions: Sequence[str] = (), patch: Patch | None = None
    ) -> None:
        super().__init__(message)
        self.status: Status = status
        self.message = message
        self.misconceptions = tuple(misconceptions)
        self.patch = patch


class WorkerLost(CheckFailed):
    """The student's process gave no usable answer (timeout, memory, crash, protocol, blocked)."""


class BrokenCheckError(Exception):
    """The check itself is wrong: the reference fails it. Never the student's fault."""


def located(error: BaseException, home: Path) -> str:
    """What an author's own file raised when it was loaded, and in which line of a file in `home`."""
    said = f"{type(error).__name__}: {error}"
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).is_relative_to(home)]
    if isinstance(error, SyntaxError) or not own:  # a syntax error names its line itself
        return said
    return f"{said} ({Path(own[-1].filename).relative_to(home).as_posix()}, line {own[-1].lineno})"
