"""The calls of a check after the one that decided it, which tell two causes apart that show the same there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import dropwhile
from typing import Final

from autograder.calls.records import Raised
from autograder.compare.failure import Failure, Seen
from autograder.suite.check import Check, Grading
from autograder.suite.live_calls import Student
from autograder.suite.plan import Step

MOST: Final = 6
NO_ANSWER: Final = ("ForbiddenError", "MemoryError", "NotImplementedError")


def calls_after(steps: Sequence[Step], check: Check, grading: Grading, failed: Seen) -> Iterator[Failure | Seen]:
    """Make the calls of `steps` after the one that failed; yield those that fail and those that agree.

    It ends with a call that is lost, which costs nothing, or that gives no answer.
    """
    student = Student(grading, check)
    later = dropwhile(lambda step: all(each.call is not failed.call for each in step.calls), steps)
    for step in [each for each in [*later][1:] if each.exact and each.telling][:MOST]:
        (planned,) = step.calls
        got = student.glimpse(planned.call)
        if got is None or (isinstance(got.result, Raised) and got.result.kind in NO_ANSWER):
            return
        seen, fault = Seen(planned.call, got, planned.names), step.fault(got)
        yield Failure(seen, planned.right, fault.found, "", "", exact=True) if fault else seen
