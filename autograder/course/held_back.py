"""Checks that a sealed copy lacks, because only the instructor runs them."""

from __future__ import annotations

from collections.abc import Sequence

from autograder.course.course import Course
from autograder.course.model import Exercise
from autograder.course.sealed_facts import facts


def elsewhere(course: Course, exercises: Sequence[Exercise]) -> str:
    """Return a sentence on the checks of `exercises` that only the instructor runs; "" for none."""
    if not course.is_sealed:
        return ""
    names = {exercise.name for exercise in exercises}
    chapters = dict.fromkeys(exercise.chapter for exercise in exercises)
    apart = [each for chapter in chapters for each in facts(course.root, chapter).held_back if each.name in names]
    count, points = sum(each.checks for each in apart), sum(each.points for each in apart)
    many, worth = "" if count == 1 else "s", "" if points == 1 else "s"
    return f"your instructor runs {count} more check{many} of this, worth {points:g} point{worth}" if count else ""
