"""Grade a class as it was downloaded."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from autograder.course.course import Course
from autograder.grading.admit import admit
from autograder.grading.run import How, check_sandbox, grade_entries
from autograder.platforms.download import read


def grade_and_show(
    course: Course,
    arrived: Path,
    out: Path,
    names: Sequence[str],
    seed: int | None,
    how: How,
    console: Console,
    roster: Path | None = None,
    *,
    in_groups: bool = False,
    some_left: bool = False,
) -> int:
    """Grade the class that arrived as a folder or zip into `out`; the exit status of the command."""
    check_sandbox(how)
    class_ = admit(course, read(arrived, course), out, names, roster, in_groups=in_groups, some_left=some_left)
    for sentence in class_.remarks:
        console.print(sentence, style="yellow", soft_wrap=True, markup=False)
    how = how._replace(private=(arrived, *([roster] if roster else [])))
    return grade_entries(course, class_.entries, out, class_.exercises, seed, how, console, class_.register).status
