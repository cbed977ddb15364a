"""Progress of a training: whose the pieces are, the loss and the held-out score; a bar in a terminal, else lines."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.text import Text

from autograder.student.capstones.training import Training
from autograder.student.lesson_pieces import LessonPiece, as_text

WIDE = 100  # columns from which on there is room for a bar


class Screen:
    """Shows a training as it runs; use it in a `with`."""

    def __init__(self, console: Console) -> None:
        self._console = console
        wide = [BarColumn(), TimeElapsedColumn(), TextColumn("left")] if console.width >= WIDE else []
        self._bar = Progress(
            TextColumn("{task.description}"),
            MofNCompleteColumn(),
            *wide,
            TimeRemainingColumn(),
            TextColumn("{task.fields[last_figures]}"),
            console=console,
            disable=not console.is_terminal,
        )

    def __enter__(self) -> Screen:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def begins(self, training: Training, pieces: Sequence[LessonPiece], note: str) -> None:
        recipe = training.recipe
        self._console.print(Text(recipe.title, style="bold"))
        self._console.print(Text(as_text(pieces), style="dim"))
        if note:
            self._console.print(Text(note, style="yellow"))
        self._task = self._bar.add_task(
            recipe.name, total=recipe.plan.steps, completed=training.step, last_figures=last_figures(training)
        )
        self._bar.start()
        self._line(f"{recipe.plan.steps - training.step} steps to go")

    def stepped(self, training: Training) -> None:
        figures = last_figures(training)
        self._bar.update(self._task, completed=training.step, last_figures=figures)
        if training.is_scored:
            self._line(f"step {training.step} of {training.recipe.plan.steps}: {figures}")

    def compared(self, ablation: Training) -> None:
        if ablation.step == 1:
            self._line(comparing(ablation))
            name = ablation.recipe.compared_as
            self._other = self._bar.add_task(name, total=ablation.recipe.plan.compared, last_figures="")
        self._bar.update(self._other, completed=ablation.step, last_figures=last_figures(ablation))
        if ablation.is_scored:
            self._line(f"step {ablation.step} {ablation.recipe.compared_as}: {last_figures(ablation)}")

    def _line(self, words: str) -> None:
        """Print what the bar shows in a terminal."""
        if not self._console.is_terminal:
            self._console.print(Text(words))


def comparing(ablation: Training) -> str:
    """Return which model is trained now, and why."""
    return f"and {ablation.recipe.compared_as}, to compare"


def last_figures(training: Training) -> str:
    """Return the last loss and the last held-out score as text."""
    if not training.losses:
        return ""
    loss, score = training.losses[-1][1], training.recipe.written(training.scores[-1][1])
    return f"loss {loss:.3f}, held out {score}"
