"""`attend train`: the training, its result, and where its page is."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from autograder.course.course import Course
from autograder.student.capstones.page import points, summary
from autograder.student.capstones.screen import Screen
from autograder.student.capstones.training_run import Stopped, Wish, standing, train

INTERRUPTED = 130


def run(course: Course, wish: Wish, console: Console) -> int:
    """Train a capstone, print the result, and return the exit status: 0 if the model that is kept reaches every goal.

    Raises:
        UsageError: there is no such capstone, device or data, or the student's model cannot be built.
    """
    with Screen(console) as screen:
        try:
            report, page = train(course, wish, screen)
        except Stopped as stop:
            console.print(Text(str(stop), style="yellow"))
            return INTERRUPTED
    console.print(Text(summary(report, console.width)))
    console.print(Text(f"the whole page: {page}", style="dim"))
    if next_step := points(report):
        console.print(Text(next_step))
    return 0 if all(goal.kept_reaches for goal in report.goals) else 1


def overview(course: Course) -> Table:
    """Return a table of the capstones, and how far each has come.

    Raises:
        UsageError: the course has none, or this is no working copy.
    """
    table = Table(box=None, pad_edge=False, show_header=False)
    for name, title, far in standing(course):
        table.add_row(Text(name, style="bold"), Text(title), Text(far))
    return table
