"""The progress bar of a long run."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn


def steps(console: Console) -> Progress:
    """Return a bar that counts steps, with the time taken and the time left.

    It has no thread of its own, because processes may be forked meanwhile: refresh it with each step.
    """
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, TextColumn("left"), TimeRemainingColumn(), console=console, auto_refresh=False)
