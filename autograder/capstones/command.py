"""`attend train`: the training, what came of it, and where its page is."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from autograder.capstones.page import summary
from autograder.capstones.screen import Screen
from autograder.capstones.session import Stopped, Wish, train
from autograder.course import Course

INTERRUPTED = 130


def run(course: Course, wish: Wish, console: Console) -> int:
    """Train, show the result, and give the exit status.

    Raises:
        UsageError: there is no such capstone, device or data, or the learner's model cannot be built.
    """
    with Screen(console) as screen:
        try:
            report, page = train(course, wish, screen)
        except Stopped as stop:
            console.print(Text(str(stop), style="yellow"))
            return INTERRUPTED
    console.print(Text(summary(report, console.width)))
    console.print(Text(f"the whole page: {page}", style="dim"))
    return 0 if all(goal.reached for goal in report.goals) else 1
