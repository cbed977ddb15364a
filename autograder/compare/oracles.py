"""The choice of what answers for a course."""

from __future__ import annotations

from autograder.compare.oracle import Oracle
from autograder.course.course import Course


def oracle_of(course: Course) -> Oracle:
    """Return what answers for `course`: its reference, or what was recorded of it."""
    if not course.is_sealed:
        return Oracle(course)
    from autograder.compare.sealed import SealedOracle  # needs msgspec, which an open copy does without

    return SealedOracle(course)
