"""The message for a student's file that raises while it is loaded."""

from __future__ import annotations

from autograder.calls.records import Raised
from autograder.core.message import Line, Message


def is_absent(raised: Raised) -> bool:
    """Return whether an import failed because the library is not installed."""
    return "ModuleNotFoundError" in (raised.kind, *raised.bases)


def stops_when_loaded(file: str, raised: Raised, advice: str) -> Message:
    """Return the message about a file that raised."""
    headline = f"{file} stops when it is loaded: {summary(raised)}"
    return Message(headline, advice=advice, line=Line.of(raised.line, raised.source))


def summary(raised: Raised) -> str:
    """Return the type of an exception, and the first line of its text."""
    first = raised.message.partition("\n")[0]
    return f"{raised.kind}: {first}" if first else raised.kind
