"""What was passed over when a file was loaded, and what it costs: only answers that need a name it would have bound."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from autograder.calls.loading import Unfinished
from autograder.calls.records import Absent, Observation, Raised, is_absent, summary
from autograder.core.errors import CheckFailed
from autograder.core.message import Line, Message
from autograder.core.records import Status
from autograder.core.submission import ChapterSource, PassedOver
from autograder.core.text import counted

REFUSED: Final = re.compile(r"\[Errno (1|13|27|30|101|-2|-3)\]")
"""The errors of the walls: not permitted, denied, too large, read-only, no network, no name service."""
NOTED: Final = 5  # notes on one chapter
_CELL: Final = re.compile(r"# code cell (\d+)")
_MISSED: Final = re.compile(
    r"name '(\w+)' is not defined|cannot import name '(\w+)' from|module '[\w.]+' has no attribute '(\w+)'"
)
_ERRORS: Final = frozenset({"NameError", "ImportError", "AttributeError"})
_ABSENT: Final = "No module named"


def passed_over(stopped: Iterable[Unfinished], source: ChapterSource, filename: str) -> tuple[PassedOver, ...]:
    """Return what the student reads of statements that did not run to their end.

    Args:
        filename: what the lines of the chapter are called.
    """
    return tuple(PassedOver(_place(each, source, filename), each.names, each.why, _status(each)) for each in stopped)


def _status(each: Unfinished) -> Status:
    if each.is_late:
        return "timeout"
    return "blocked" if REFUSED.search(each.why) else "error"


def _place(each: Unfinished, source: ChapterSource, filename: str) -> str:
    if each.file != filename:
        return f"line {each.line} of {each.file}"
    above = source.text.split("\n")[: each.line]
    cells = [match[1] for line in above if (match := _CELL.fullmatch(line))]
    if cells and source.origin.endswith(".ipynb"):
        return f"code cell {cells[-1]} of {source.origin} ({above[-1].strip()[:60]})"
    return f"line {each.line} of {source.origin}"


def notes(passed: Sequence[PassedOver]) -> list[str]:
    """Return the sentences on what was passed over, of many only the first."""
    more = len(passed) - NOTED
    return [
        *(str(each) for each in passed[:NOTED]),
        *([f"passed over like these: {counted(more, 'more line')}"] if more > 0 else []),
    ]


def cause(seen: Observation, name: str, passed: Sequence[PassedOver]) -> CheckFailed | None:
    """Return the verdict on a call of `name` that failed only because a statement was passed over; None for others."""
    result = seen.result
    if isinstance(result, Absent) and result.found == "nothing":
        found = _binding(name, passed)
        return CheckFailed(found.status, _undefined(name, found)) if found else None
    if isinstance(result, Raised) and (missed := _missed(result)):
        found = _binding(missed, passed)
        return CheckFailed(found.status, _without(name, missed, found, result)) if found else None
    return None


def _missed(raised: Raised) -> str:
    match = _MISSED.search(raised.message) if _ERRORS & {raised.kind, *raised.bases} else None
    return match[match.lastindex or 0] if match and not (raised.is_own or is_absent(raised)) else ""


def _binding(name: str, passed: Sequence[PassedOver]) -> PassedOver | None:
    """Return the first that would have bound the name; if none surely, an import of everything (`*`)."""
    for wanted in (name, "*"):
        for each in passed:
            if wanted in each.names:
                return each
    return None


def _undefined(name: str, found: PassedOver) -> Message:
    return Message(f"`{name}` could not be defined: {found.place} stopped: {found.why}", advice=_advice(found))


def _without(name: str, missed: str, found: PassedOver, raised: Raised) -> Message:
    headline = f"`{name}` needs `{missed}`, but {found.place} stopped: {found.why}"
    return Message(headline, got=summary(raised), advice=_advice(found), line=Line.of(raised.line, raised.source))


def _advice(found: PassedOver) -> str:
    if _ABSENT in found.why:
        return "leave this import out, or hand in the file that it names: grading has what the course needs, no more"
    if found.why.startswith(("it does not compile", "it needs Python")):
        return "correct this line first: until Python can read it, nothing that begins there is defined"
    if found.status == "timeout":
        return "what an answer needs must be made in a moment; train in a function, or save what was trained"
    return "make this line run by itself, without a file, a question or a device that only your machine has"
