"""The next exercise to propose, and the core path: the exercises that lead straight to a small language model."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from autograder.core.submission import ChapterSource, Submission
from autograder.course.course import Course
from autograder.course.effort import Effort, duration, is_core, minutes
from autograder.course.model import Exercise
from autograder.intake.artefacts import asked_for


def ahead(exercises: Sequence[Exercise], passed: Collection[str], known: Mapping[str, Effort]) -> Exercise | None:
    """Return the first exercise that has not passed; for a student on the core path, the first of those."""
    left = _left(exercises, passed)
    core = sorted((each for each in left if is_core(each, known)), key=lambda each: known[each.name].last)
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
    """Return a line on how far the core path is; "" without a path."""
    core = [each for each in exercises if each.checks and is_core(each, known)]
    left = _left(core, passed)
    if not core:
        return ""
    if not left:
        return f"core path: all {len(core)} exercises done"
    return f"core path: {len(core) - len(left)} of {len(core)} exercises, about {duration(minutes(left, known))} to go"


def next_steps(course: Course, proposed: Exercise, known: Mapping[str, Effort], submission: Submission) -> str:
    """Return what to type for the exercise to do next: where to write the answer, how to check it, and how to get help.

    One that needs a trained model, which is not there yet, is trained before it is checked.
    """
    source = submission.chapters.get(proposed.chapter)
    model = asked_for(course.suite(proposed.chapter)).get(proposed.name, "")
    waits = bool(model) and (source is None or model not in source.artefacts)
    effort, name = known.get(proposed.name), proposed.name
    guess = f", {effort.marks} about {duration(effort.minutes)}" if effort else ""
    return "\n".join(
        [
            f"next: {name}, {proposed.points:g} points{guess}",
            f"      edit   exercises/{_place(proposed, source)}",
            *([f"      train  attend train {model}"] if waits else []),
            f"      check  attend check {name}",
            f"      stuck  attend hint {name}",
        ]
    )


def _place(exercise: Exercise, source: ChapterSource | None) -> str:
    """Return the file that holds the exercise, with its line in a module."""
    if source and source.origin.endswith(".ipynb"):
        return source.origin
    head = re.search(rf"^(?:def|class) {exercise.name}\b", source.text, re.MULTILINE) if source else None
    line = f":{source.text.count(chr(10), 0, head.start()) + 1}" if source and head else ""
    return f"{exercise.chapter}.py{line} or .ipynb"


def _left(exercises: Sequence[Exercise], passed: Collection[str]) -> list[Exercise]:
    return [each for each in exercises if each.checks and each.name not in passed]
