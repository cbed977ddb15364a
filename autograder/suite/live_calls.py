"""Calls of the student's function outside a comparison."""

from __future__ import annotations

from dataclasses import replace

from autograder.calls.records import Absent, Build, Call, Data, Observation, Opaque, Raised, size_of, summary, tensors
from autograder.compare.describe import Names, describe, describe_call
from autograder.core.errors import CheckFailed
from autograder.core.message import Line, Message
from autograder.internals.forbid import ForbiddenError
from autograder.suite.check import Check, Grading

LEAST_ROOM, MOST_TIMES = 1 << 20, 4
"""An answer may have this many bytes, plus this many times the size of the expected one."""


class Student:
    """The student's function or class of a check's exercise, as something to call."""

    def __init__(self, grading: Grading, check: Check) -> None:
        self._grading = grading
        self._check = check
        self._hangs = False

    def __call__(self, *args: Data, build: tuple[Data, ...] | None = None, **kwargs: Data) -> Data:
        """Return the answer, as data.

        With `build`, the exercise first builds an object with these arguments, and that object is called.

        Raises:
            CheckFailed: the call gave no data.
        """
        call = self._check.call(args, kwargs, None if build is None else Build(args=build))
        return self.data_of(call, self.observe(call))

    def data_of(self, call: Call, seen: Observation) -> Data:
        """Return the answer in what a call showed, as data.

        Raises:
            CheckFailed: there is none.
        """
        result = seen.result
        if isinstance(result, Raised | Absent | Opaque):
            names = Names()
            raised, shown, called = isinstance(result, Raised), describe(result, names), describe_call(call, names)
            instead = f"there is {shown} under this name" if isinstance(result, Absent) else f"it returned {shown}"
            message = Message(f"it raised {shown}" if raised else instead, called=called)
            raise CheckFailed("error" if raised else "failed", message)
        self.refuse_hollow(result)
        return result

    def observe(self, call: Call, expected: Observation | None = None) -> Observation:
        """Return what the call showed; of an answer much larger than `expected`, only shapes and types.

        Raises:
            CheckFailed: the exercise is still to do, used a forbidden function, or ran out of memory.
        """
        seen = self._grading.observe(self._check, call if expected is None else replace(call, room=room_for(expected)))
        for part in (seen.result, seen.again, seen.gradients):
            if isinstance(part, Raised):
                _stop_at(part, self._check.exercise, self._grading.raised_in(self._check, part))
        return seen

    def glimpse(self, call: Call) -> Observation | None:
        """Return what a call showed; None where it was lost, or where an earlier one ran out of time.

        It costs nothing whatever happens.
        """
        try:
            return None if self._hangs else self._grading.target.observe(self._check.chapter, call)
        except CheckFailed as failed:
            self._hangs = failed.status == "timeout"
            return None

    def refuse_hollow(self, result: Data) -> None:
        """Refuse an answer whose tensors have no numbers.

        Raises:
            CheckFailed: one of them is on device meta.
        """
        if any(each.is_meta for each in tensors(result)):
            raise CheckFailed("failed", f"{self._check.exercise} returns a tensor without numbers (device meta)")


def room_for(expected: Observation) -> int:
    """Return how many bytes the answer to a call may have, given the right one."""
    return LEAST_ROOM + MOST_TIMES * size_of(expected)


def _stop_at(raised: Raised, exercise: str, origin: str) -> None:
    """Refuse what is no answer.

    Args:
        origin: the exercise whose own line raised; "" if none's did.

    Raises:
        CheckFailed: the exercise is still to do, used a forbidden function, or ran out of memory.
    """
    line = Line.of(raised.line, raised.source)
    if raised.kind == "NotImplementedError" and raised.kind in raised.source:  # torch raises it too
        other = origin if origin != exercise else ""
        headline = (
            f"{exercise} calls {other}, which is still to do" if other else f"{exercise} still raises {raised.kind}"
        )
        raise CheckFailed("missing", Message(headline, advice=f"`attend hint {other or exercise}` helps", line=line))
    if raised.kind == ForbiddenError.__name__:
        headline = f"{exercise} calls the ready-made {raised.message}, which is what this exercise is about"
        advice = "write it in smaller steps; other functions that do all or most of it are forbidden too"
        raise CheckFailed("forbidden", Message(headline, advice=advice, line=line))
    if raised.kind == "MemoryError" or "can't allocate memory" in raised.message:
        headline = f"{exercise} raised {summary(raised)}, as happens when more memory is asked for than there is"
        raise CheckFailed("memory", Message(headline, line=line))
