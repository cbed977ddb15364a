"""Drafts: exercises that no proof holds for. They build and are graded, and every page says that they are drafts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from autograder.author.proof import proof_record
from autograder.author.proof.right_answers import ENOUGH, answers
from autograder.core.text import join_names
from autograder.course.course import Course
from autograder.course.model import Exercise


class Draft(NamedTuple):
    """An exercise without a proof, the number of its right answers, and the commands that prove it.

    Where mutants were graded, and one survived or a check cannot fail, the proof has `failed`.
    """

    exercise: Exercise
    right: int
    commands: tuple[str, ...]
    failed: bool = False

    def text(self) -> str:
        """Return a line about what is missing."""
        few = f"{self.right} of {ENOUGH} right answers, " if self.right < ENOUGH else ""
        why = "its proof failed" if self.failed else "no proof yet"
        return f"draft: {self.exercise.name} ({few}{why}: {', '.join(self.commands)})"


def drafts(course: Course) -> list[Draft]:
    """Return the exercises whose mutants or gallery the record lacks; an outdated proof does not make a draft."""
    proven = proof_record.read(course)
    failed = {name for name, proof in proven.exercises.items() if proof.failed}
    in_galleries = {name for each in proven.galleries.values() for name in each.exercises}
    lacking = {
        each: (
            *([] if each.name in proven.exercises.keys() - failed else [f"attend prove {each.name} --mutants"]),
            *([] if each.name in in_galleries else [f"attend prove {each.name} --gallery"]),
        )
        for each in course.exercises
    }
    chapters = dict.fromkeys(each.chapter for each, commands in lacking.items() if commands)
    right = Counter(name for chapter in chapters for each in answers(course, chapter) for name in each.exercises)
    return [
        Draft(each, right[each.name], commands, each.name in failed) for each, commands in lacking.items() if commands
    ]


def outdated(course: Course, exercises: Sequence[Exercise]) -> Iterator[str]:
    """Yield a line on the proofs of `exercises`, and one on their galleries, that are about code of another day."""
    proven, by_name = proof_record.read(course), {each.name: each for each in exercises}
    mutants = [
        name
        for name, proof in proven.exercises.items()
        if name in by_name and proof.of != proof_record.digest(course, by_name[name])
    ]
    galleries = [name for name, each in proven.galleries.items() if _is_old(course, each, by_name)]
    for names, option in ((mutants, "--mutants"), (galleries, "--gallery")):
        if names:
            yield f"proven before the last change: {join_names(names)} (attend prove {' '.join(names)} {option})"


def _is_old(course: Course, gallery: proof_record.Gallery, exercises: Mapping[str, Exercise]) -> bool:
    chapters = {exercises[name].chapter for name in gallery.exercises if name in exercises}
    return any(gallery.of != proof_record.gallery_digest(course, each, gallery.exercises) for each in chapters)
