"""An exception as data, with a suggestion where it is about a misspelt name."""

from __future__ import annotations

import builtins
import traceback
from collections.abc import Iterable
from difflib import get_close_matches
from types import TracebackType
from typing import Final

from autograder.calls.records import Raised
from autograder.calls.unfit import NoPairError, StateMismatchError, StrayError
from autograder.internals.forbid import ForbiddenError
from autograder.internals.library import is_student_file

LONGEST: Final = 80
LIKE: Final = 0.7  # difflib's ratio: of five letters one is wrong, or two are swapped
_OWN: Final = (ForbiddenError, NoPairError, StateMismatchError, StrayError)
_KNOWN: Final = {
    kind.__name__: kind
    for kind in (*vars(builtins).values(), *_OWN)
    if isinstance(kind, type) and issubclass(kind, BaseException)
}
"""The classes that a verdict may rest on, by their names."""
_NAME, _MODULE, _MRO = (type.__dict__[key].__get__ for key in ("__name__", "__module__", "__mro__"))
"""What a class is called and derived from, whatever its metaclass says."""


def describe(error: BaseException) -> Raised:
    """Return an exception as data, with the innermost line of the student's own file."""
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if is_student_file(frame.filename)]
    frame = own[-1] if own else None
    return Raised(
        kind=name_of(type(error)),
        bases=tuple(map(name_of, _MRO(type(error)))),
        message=_text_of(error) + (f" (did you mean {name}?)" if (name := suggestion(error)) else ""),
        line=frame.lineno if frame else None,
        source=(frame.line or "") if frame else "",
    )


def name_of(kind: type) -> str:
    """Return the name of a class; with its module, as in a traceback, if a known exception has that name."""
    name, module = str.__str__(_NAME(kind)), _MODULE(kind)
    if _KNOWN.get(name, kind) is kind:
        return name
    return f"{module}.{name}" if type(module) is str else f"?.{name}"


def _text_of(error: BaseException) -> str:
    try:
        return str(error)[:2000]
    except Exception:  # a student's own __str__ may fail
        return ""


def suggestion(error: BaseException) -> str:
    """Return a known name near that of a NameError or AttributeError; "" if there is none.

    Python prints its own guess below a traceback; it is not part of the error's text.
    """
    try:  # an exception may refuse to be looked at, and a student's own __dir__ may fail
        if not isinstance(error, NameError | AttributeError) or isinstance(error, UnboundLocalError):
            return ""
        return _nearest(error.name or "", _known(error))
    except Exception:
        return ""


def _nearest(name: str, known: Iterable[str]) -> str:
    """Return the nearest of the `known` names; one with a leading _ only if `name` has one too."""
    hidden = name.startswith("_")
    there = {each for each in known if each != name and len(each) < LONGEST and each.startswith("_") <= hidden}
    return next(iter(get_close_matches(name, sorted(there), 1, LIKE)), "")


def _known(error: NameError | AttributeError) -> Iterable[str]:
    """Return the names that could stand there."""
    if isinstance(error, NameError):
        return _visible(error.__traceback__)
    return () if error.obj is None else dir(error.obj)


def _visible(trace: TracebackType | None) -> Iterable[str]:
    """Yield the names in the frame that raised; a comprehension sees those of its function too."""
    frames = []
    while trace:
        frames.append(trace.tb_frame)
        trace = trace.tb_next
    for frame in reversed(frames):
        yield from frame.f_locals
        if not frame.f_code.co_name.startswith("<"):
            yield from frame.f_globals
            break
    yield from vars(builtins)
