"""The next exercise to propose, and the core path: the exercises that lead straight to a small language model."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from autograder.course.effort import Effort, duration, is_core, minutes
from autograder.course.model import Exercise


def ahead(exercises: Sequence[Exercise], passed: Collection[str], known: Mapping[str, Effort]) -> Exercise | None:
    """Return the first exercise that has not passed; for a student on the core path, the first of those."""
    left = _left(exercises, passed)
    core = [each for each in left if is_core(each, known)]
    return next(iter(core if core and _on_the_core_path(exercises, passed, known) else left), None)


def _on_the_core_path(exercises: Sequence[Exercise], passed: Collection[str], known: Mapping[str, Effort]) -> bool:
    """Return whether the last pass is a core exercise, and an earlier one skipped an exercise of its chapter."""
    done = [each for each in exercises if each.name in passed]
    if not done or not is_core(done[-1], known):
        return False
    left_out = set[str]()  # chapters
    for each in exercises:
        if each.name in passed and is_core(each, known) and each.chapter in left_out:
            return True
        if each.checks and each.name not in passed and not is_core(each, known):
            left_out.add(each.chapter)
    return False


def core_line(exercises: Sequence[Exercise], passed: Collection[str], known: Mapping[str, Effort]) -> str:
    """Return a line on the core path, with its next exercise if another one is proposed; "" without a path."""
    core = [each for each in exercises if each.checks and is_core(each, known)]
    left = _left(core, passed)
    if not core:
        return ""
    if not left:
        return f"core path: all {len(core)} exercises done"
    line = f"core path: {len(core) - len(left)} of {len(core)} exercises, about {duration(minutes(left, known))} to go"
    return line if ahead(exercises, passed, known) == left[0] else f"{line}; it goes on with {left[0].name}"


def _left(exercises: Sequence[Exercise], passed: Collection[str]) -> list[Exercise]:
    return [each for each in exercises if each.checks and each.name not in passed]
