"""Grade a class from its download."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from autograder.course.course import Course
from autograder.grading.admit import admit
from autograder.grading.run import GradingOptions, check_sandbox, grade_entries
from autograder.platforms.download import read


def grade_and_show(
    course: Course,
    arrived: Path,
    out: Path,
    names: Sequence[str],
    seed: int | None,
    options: GradingOptions,
    console: Console,
    roster: Path | None = None,
    *,
    in_groups: bool = False,
    drop_departed: bool = False,
) -> int:
    """Grade the class in the folder or zip `arrived` into `out`; return the exit status of the command."""
    check_sandbox(options)
    class_ = admit(course, read(arrived, course), out, names, roster, in_groups=in_groups, drop_departed=drop_departed)
    for sentence in class_.remarks:
        console.print(sentence, style="yellow", soft_wrap=True, markup=False)
    options = options._replace(private=(arrived, *([roster] if roster else [])))
    return grade_entries(course, class_.entries, out, class_.exercises, seed, options, console, class_.register).status
