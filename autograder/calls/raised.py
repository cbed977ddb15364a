"""An exception as data."""

from __future__ import annotations

import traceback

from autograder.calls.library import is_student_file
from autograder.calls.records import Raised
from autograder.calls.spelling import suggestion


def describe(error: BaseException) -> Raised:
    """Return an exception as data, with the innermost line of the student's own file."""
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if is_student_file(frame.filename)]
    frame = own[-1] if own else None
    return Raised(
        kind=type(error).__name__,
        bases=tuple(base.__name__ for base in type(error).__mro__),
        message=_text_of(error) + (f" (did you mean {name}?)" if (name := suggestion(error)) else ""),
        line=frame.lineno if frame else None,
        source=(frame.line or "") if frame else "",
    )


def _text_of(error: BaseException) -> str:
    try:
        return str(error)[:2000]
    except Exception:  # a student's own __str__ may fail
        return ""
