"""The three proofs of a course, each printed as it goes: its promises, its mutants, its right answers."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from autograder.author.proof import gallery, mutants, promises, proof_record
from autograder.core.text import counted
from autograder.course.course import Course


def promises_kept(course: Course, names: Sequence[str], console: Console) -> bool:
    """Try all promises for the chapters that `names` belong to, print what breaks one, and return whether none is."""
    chapters = [*dict.fromkeys(exercise.chapter for exercise in course.select(names))]
    broken = 0
    for kept in promises.kept(course, chapters, console):
        broken += bool(kept.faults)
        sign, style = ("✗", "red") if kept.faults else ("✓", "green")
        console.print(f"{sign} {kept.chapter}: {kept.promise.says}", style=style, markup=False, soft_wrap=True)
        for fault in kept.faults:
            console.print(f"    {fault}", markup=False, soft_wrap=True)
    if broken:
        console.print(f"{counted(broken, 'promise')} broken", style="red")
    return not broken


def mutants_proven(course: Course, names: Sequence[str], jobs: int, console: Console) -> bool:
    """Grade every mutant and every known mistake, record the proofs, and return whether none needs a decision."""
    tallies = []
    for tally in mutants.run(course, names, jobs, console):
        tallies.append(tally)
        proven = proof_record.read(course)
        if tally.proof:
            proven.exercises[tally.exercise.name] = tally.proof
        proof_record.write(course, proven)  # after each, so that an interruption loses nothing
    mutants.show(tallies, console)
    return all(tally.proven for tally in tallies)


def right_answers_proven(course: Course, names: Sequence[str], jobs: int, seeds: int, console: Console) -> bool:
    """Grade every right answer with many seeds, record the proofs, and return whether no check is lost."""
    lost = 0
    for name, found in gallery.run(course, gallery.wanted(course, names), jobs, seeds, console):
        if found.lost:
            console.print(f"{name}: {found.lost} of {found.checks} checks were lost, so nothing was recorded")
        elif found.exercises:
            proof_record.write(course, proof_record.read(course).with_gallery(name, found))
        lost += found.lost
    return not lost
