"""Drafts: exercises without a proof. They build and are graded, and every page says that they are drafts."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from autograder.author.proof import proof_record
from autograder.author.proof.right_answers import ENOUGH, answers
from autograder.course.course import Course
from autograder.course.model import Exercise


class Draft(NamedTuple):
    """An exercise without a proof, the number of its right answers, and the commands that prove it."""

    exercise: Exercise
    right: int
    commands: tuple[str, ...]

    def text(self) -> str:
        """Return a line about what is missing."""
        few = f"{self.right} of {ENOUGH} right answers, " if self.right < ENOUGH else ""
        return f"draft: {self.exercise.name} ({few}no proof yet: {', '.join(self.commands)})"


def drafts(course: Course) -> list[Draft]:
    """Return the exercises whose mutants or gallery the record lacks; an outdated proof does not make a draft."""
    proven = proof_record.read(course)
    in_galleries = {name for each in proven.galleries.values() for name in each.exercises}
    lacking = {
        each: (
            *([] if each.name in proven.exercises else [f"attend prove {each.name} --mutants"]),
            *([] if each.name in in_galleries else [f"attend prove {each.name} --gallery"]),
        )
        for each in course.exercises
    }
    chapters = dict.fromkeys(each.chapter for each, commands in lacking.items() if commands)
    right = Counter(name for chapter in chapters for each in answers(course, chapter) for name in each.exercises)
    return [Draft(each, right[each.name], commands) for each, commands in lacking.items() if commands]
