"""`python -m autograder.author.proof`: the commands behind `make mutants` and `make gallery`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from autograder.author.proof import gallery, mutants, proof_record
from autograder.core.errors import AttendError
from autograder.course.course import Course

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Proof that the grader can be trusted.")
Names = Annotated[list[str] | None, typer.Argument(help="chapters, exercises or parts of their names (default: all)")]
Jobs = Annotated[int, typer.Option(min=1, help="how many to grade at a time")]


@app.command("mutants")
def mutants_command(names: Names = None, jobs: Jobs = 2) -> None:
    """Grade every mutant and every known mistake; exit status 1 if a mutant or a check needs a decision."""
    console, course = Console(), Course.find(Path.cwd())
    tallies = []
    for tally in mutants.run(course, names or [], jobs, console):
        tallies.append(tally)
        proven = proof_record.read(course)
        if tally.proof:
            proven.exercises[tally.exercise.name] = tally.proof
        proof_record.write(course, proven)  # after each, so that an interruption loses nothing
    mutants.show(tallies, console)
    if not all(tally.proven for tally in tallies):
        raise typer.Exit(1)


@app.command("gallery")
def gallery_command(names: Names = None, jobs: Jobs = 2, seeds: Annotated[int, typer.Option(min=1)] = 50) -> None:
    """Grade every right answer with many seeds; exit status 1 if a check is lost."""
    console, course = Console(), Course.find(Path.cwd())
    lost = 0
    for name, found in gallery.run(course, gallery.wanted(course, names or []), jobs, seeds, console):
        if found.lost:
            console.print(f"{name}: {found.lost} of {found.checks} checks were lost, so nothing was recorded")
        elif found.exercises:
            proof_record.write(course, proof_record.read(course).with_gallery(name, found))
        lost += found.lost
    if lost:
        raise typer.Exit(1)


@app.command("questions")
def questions_command(
    names: Names = None,
    seed: Annotated[int, typer.Option(help="decides on the inputs and what is drawn")] = 1,
    draw: Annotated[int, typer.Option(help="print so many questions about right answers")] = 0,
) -> None:
    """Count the questions of `attend ask` about the solutions; with --draw, print some about all right answers."""
    from autograder.author.proof import question_review

    console, course = Console(), Course.find(Path.cwd())
    exercises = course.select(names or [])
    if draw:
        question_review.print_some(course, exercises, seed, draw, console)
    else:
        question_review.print_counts(course, exercises, seed, console)


def main() -> None:
    """Run the command; wrong use prints one sentence and exits with status 2."""
    try:
        app()
    except AttendError as error:
        print(f"attend: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
