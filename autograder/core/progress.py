"""The bar of a long piece of work."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn


def steps(console: Console) -> Progress:
    """Counts steps and says how long it has taken and will take.

    It has no thread of its own, as processes may be forked beside it: refresh it with each step.
    """
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, TextColumn("left"), TimeRemainingColumn(), console=console, auto_refresh=False)
