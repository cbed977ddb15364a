"""The smallest example of a failure, which goes with the message of its check."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from autograder.calls.records import Observation
from autograder.compare.difference import Difference
from autograder.compare.evidence import Evidence, Seen
from autograder.compare.example import written
from autograder.core.message import Example
from autograder.suite.check import Grading
from autograder.suite.student import Student, room_for

SHOWN: Final = ("outcome", "structure", "shape", "nan", "values")
"""Stages of differences that a small example shows."""

MOST_PARAMETERS: Final = 24
"""A model with more has no example that is small."""


def smallest(
    grading: Grading, student: Student, evidence: Evidence, seen: Seen, expected: Observation, found: Difference
) -> Example | None:
    """Return the smallest example of a failure.

    Returns:
        None where there is none, no reference to try smaller calls with, or one of the exercise's failures has it.
    """
    call, shows = seen.call, found.stage in SHOWN and found.rule != "absent"
    if not evidence.examples_left or evidence.reference is None or call.turns or call.device or not shows:
        return None
    if call.build and len(call.build.state) > MOST_PARAMETERS:
        return None
    evidence.examples_left -= 1
    small = grading.examples.of(
        evidence.reference,
        call,
        grading.oracle.digest(call),
        found,
        evidence.cause,
        lambda each: student.glimpse(replace(each, room=room_for(expected), forbidden=(), once=True)),
    )
    example = small and written(*small, seen.names)
    evidence.examples_left = 0 if example else evidence.examples_left
    return example
