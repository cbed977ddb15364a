"""What an author types."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from autograder.commands.common import console, say
from autograder.course.course import Course


def build(
    check: Annotated[bool, typer.Option("--check", help="Change nothing; fail on anything stale and name it.")] = False,
) -> None:
    """Write stubs, notebooks, hints and the table of coverage from the course's source."""
    from autograder.author.build import build as write
    from autograder.author.build import left_over, stale

    course = Course.find()
    if check:
        problems = stale(course)
        _tell(course, problems)
        _tell_drafts(course)
        console.print("run `attend build` and commit what it writes" if problems else "everything is up to date")
        raise typer.Exit(1 if problems else 0)
    written = write(course)
    for path in written:
        say(f"wrote {path.relative_to(course.root)}")
    console.print(f"{len(written)} files written" if written else "everything is up to date")
    _tell(course, left_over(course))
    _tell_drafts(course)


def _tell(course: Course, problems: list[tuple[Path, str]]) -> None:
    for path, reason in problems:
        say(f"{path.relative_to(course.root)}: {reason}")


def _tell_drafts(course: Course) -> None:
    from autograder.author.proof.drafts import drafts

    for draft in drafts(course):
        say(draft.text())


def new(name: Annotated[str, typer.Argument(help="Such as ch15_capstones.")]) -> None:
    """Write the four skeleton files of a new chapter."""
    from autograder.author.new import new as write
    from autograder.author.proof.answers import FOLDER

    course = Course.find()
    for path in write(course, name):
        say(f"wrote {path.relative_to(course.root)}")
    number, _, topic = name.partition("_")
    say(f"""\
then fill them in, and in this order:
  attend build
  attend check {number} --target solutions
  three right answers, in {(FOLDER / name).as_posix()}
  make gallery NAMES={number}
  make mutants NAMES={number}
  pytest tests/promises -k "{number} or example_{topic}\"""")
