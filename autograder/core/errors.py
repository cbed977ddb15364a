"""The errors of the engine, as a small tree.

AttendError              something a person can fix; its text is one sentence with a remedy
├── UsageError           wrong use of a command: an unknown name, a folder without a course
├── SandboxError         this machine cannot put up the wall that was asked for
├── ClusterLostError     the machines that were grading are gone; what they graded is kept
└── CheckFailed          one check was not passed, and why
    └── WorkerLost       the student's process ended, hung or sent nonsense during a call

The engine's own faults count as grader_error: `sandbox.handles.GraderFaultError` and `BrokenCheckError`.
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
    """Something a person can fix; the message says how."""


class UsageError(AttendError):
    """A command was used in a way that cannot work."""


class SandboxError(AttendError):
    """The requested sandbox is not available."""


class ClusterLostError(AttendError):
    """The machines that were grading are gone."""


class CheckFailed(AttendError):
    """One check was not passed.

    Args:
        status: one of `records.STATUSES`, never "passed".
        message: what the student reads; a string becomes the headline.
        misconceptions: ids of the known mistakes that explain the answer, most likely first.
        patch: the piece of the answer to show.
        forms: the faults of form that are all that is wrong; empty where more is.
    """

    def __init__(
        self,
        status: Status,
        message: Message | str,
        misconceptions: Sequence[str] = (),
        patch: Patch | None = None,
        forms: Sequence[str] = (),
    ) -> None:
        self.message = Message(message) if isinstance(message, str) else message
        super().__init__(self.message.text)
        self.status: Status = status
        self.misconceptions = tuple(misconceptions)
        self.patch = patch
        self.forms = tuple(forms)


class WorkerLost(CheckFailed):
    """The student's process gave no usable answer (timeout, memory, crash, protocol, blocked)."""


class BrokenCheckError(Exception):
    """The check itself is wrong: the reference fails it."""


def blamed(error: BaseException, home: Path) -> tuple[str, str]:
    """Return the author's file and line that raised, relative to `home` ("" if none), and the error's text."""
    text = str(error)
    places = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    if isinstance(error, SyntaxError) and error.filename:
        places.append((error.filename, error.lineno))
        text = error.msg
    inside = [(Path(file).relative_to(home), line) for file, line in places if Path(file).is_relative_to(home)]
    own = [f"{file.as_posix()}:{line}" for file, line in inside if file.parts[0] in AUTHORED]
    where = own[-1] if own else ""
    return where, reason(error, text) if where else reason(error)


def reason(error: BaseException, text: str = "") -> str:
    """Return the text of an error, or `text`, under the name of its type where that says something."""
    kind = "" if isinstance(error, AttendError | BrokenCheckError) else f"{type(error).__name__}: "
    return f"{kind}{text or error}"
