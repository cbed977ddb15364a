"""What an author types."""

from __future__ import annotations

from typing import Annotated

import typer

from autograder.commands.common import console, say
from autograder.course import Course


def build(
    check: Annotated[bool, typer.Option("--check", help="Change nothing; fail on anything stale and name it.")] = False,
) -> None:
    """Write stubs, notebooks, hints and the table of coverage from the course's source."""
    from autograder.author.build import build as write
    from autograder.author.build import stale

    course = Course.find()
    if not check:
        written = write(course)
        for path in written:
            say(f"wrote {path.relative_to(course.root)}")
        console.print(f"{len(written)} files written" if written else "everything is up to date")
        return
    problems = stale(course)
    for path, reason in problems:
        say(f"{path.relative_to(course.root)}: {reason}")
    if problems:
        console.print("run `attend build` and commit what it writes")
        raise typer.Exit(1)
    console.print("everything is up to date")


def new(name: Annotated[str, typer.Argument(help="Such as ch15_capstones.")]) -> None:
    """Write the four skeleton files of a new chapter."""
    from autograder.author.new import new as write

    course = Course.find()
    for path in write(course, name):
        say(f"wrote {path.relative_to(course.root)}")
    console.print("then: fill them in, `attend build`, `attend check --target solutions`")
