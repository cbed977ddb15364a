"""Grade a class from its download."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from autograder.course.course import Course
from autograder.grading.admit import DEFAULT_CLASS_OPTIONS, ClassOptions, admit
from autograder.grading.run import GradingOptions, check_sandbox, grade_entries
from autograder.platforms.download import read


def grade_and_show(
    course: Course,
    arrived: Path,
    out: Path,
    options: GradingOptions,
    console: Console,
    wanted: ClassOptions = DEFAULT_CLASS_OPTIONS,
) -> int:
    """Grade the class in the folder or zip `arrived` into `out`; return the exit status of the command."""
    check_sandbox(options)
    class_ = admit(course, read(arrived, course, wanted.layout), out, wanted)
    for sentence in class_.remarks:
        console.print(sentence, style="yellow", soft_wrap=True, markup=False)
    options = options._replace(private=(arrived, *filter(None, (wanted.roster, wanted.late))))
    status = grade_entries(course, class_.entries, out, class_.exercises, options, console, class_.register).status
    if class_.doubt:
        console.print(class_.doubt, style="yellow", soft_wrap=True, markup=False)
    is_contested = any(row.contested for row in class_.register.rows)
    return status or int(bool(class_.doubt) or is_contested)
