"""`python -m autograder.author.proof`: the commands behind `make mutants` and `make gallery`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from autograder.author.proof.proving import mutants_proven, right_answers_proven
from autograder.core.errors import AttendError
from autograder.course.course import Course

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Proof that the grader can be trusted.")
Names = Annotated[list[str] | None, typer.Argument(help="chapters, exercises or parts of their names (default: all)")]
Jobs = Annotated[int, typer.Option(min=1, help="how many to grade at a time")]


@app.command("mutants")
def mutants_command(names: Names = None, jobs: Jobs = 2) -> None:
    """Grade every mutant and every known mistake; exit status 1 if a mutant or a check needs a decision."""
    if not mutants_proven(Course.find(Path.cwd()), names or [], jobs, Console()):
        raise typer.Exit(1)


@app.command("gallery")
def gallery_command(names: Names = None, jobs: Jobs = 2, seeds: Annotated[int, typer.Option(min=1)] = 50) -> None:
    """Grade every right answer with many seeds; exit status 1 if a check is lost."""
    if not right_answers_proven(Course.find(Path.cwd()), names or [], jobs, seeds, Console()):
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
