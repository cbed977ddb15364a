"""`attend check`: grade the exercises of a working copy in this process and show what matters."""

from __future__ import annotations

import gc
import os
import secrets
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from autograder.course import Course, Exercise
from autograder.records import CheckResult, ExerciseResult, SubmissionResult

SYMBOLS = {"passed": ("✓", "green"), "missing": ("·", "yellow")}
FAILED = ("✗", "red")
NO_COPY = "This is the course itself; `attend start DIR` makes your own copy to work in."
PARTS = ("called", "expected", "got", "try")


def check(
    course: Course, exercises: Sequence[Exercise], folder: Path, seed: int | None, console: Console
) -> SubmissionResult | None:
    """Grade `folder` on `exercises`, printing each exercise as soon as its last check has run.

    None if it was interrupted; then it says in which line.
    """
    load()
    from autograder.compiler import without_algebra, without_compiler
    from autograder.grading.intake import read_folder
    from autograder.judge import judge
    from autograder.targets.local import LocalTarget

    chapters = tuple(dict.fromkeys(exercise.chapter for exercise in exercises))
    submission = read_folder(folder, replace(course, only=chapters))
    print_notes(console, submission.notes)
    printer = Printer(console, exercises)
    results: list[SubmissionResult] = []
    chosen = secrets.randbits(32) if seed is None else seed
    try:
        with without_compiler(), without_algebra():
            jobs = [(submission, LocalTarget(submission))]
            judge(course, exercises, jobs, chosen, results.append, on_exercise=printer.add)
    except KeyboardInterrupt as stop:
        console.print(Text(f"stopped{where(stop)}; exercises that are not listed were not checked", style="yellow"))
        return None
    _total(console, results[0], course.is_copy)
    return results[0]


def load() -> None:
    """Load torch and the judge. What is loaded stays, so no garbage is looked for in it, now or at the end."""
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # other plugins have no say here, and take time to load
    gc.disable()
    import_module("autograder.judge")
    gc.freeze()
    gc.enable()


def print_notes(console: Console, notes: Sequence[str]) -> None:
    """What was odd about the files."""
    for note in notes:
        console.print(Text(f"note: {note}", style="yellow"))


def where(stop: KeyboardInterrupt) -> str:
    """The student's line that was running, if there was one."""
    from autograder.observe import describe

    seen = describe(stop)
    return f" in line {seen.line}: {seen.source}" if seen.line else ""


class Printer:
    """Prints each exercise when it is complete, under the name of its chapter."""

    def __init__(self, console: Console, exercises: Sequence[Exercise], heading: str = "") -> None:
        """Where `heading` is given, it is the chapter whose name was printed already."""
        self._console = console
        self._width = max(len(exercise.name) for exercise in exercises)
        self._chapter = heading
        self._said: set[str] = set()

    def add(self, result: ExerciseResult) -> None:
        """One more exercise."""
        if result.chapter != self._chapter:
            self._chapter = result.chapter
            self._console.print(Text(result.chapter, style="bold"))
        symbol, style = SYMBOLS.get(result.status, FAILED)
        line = Text(f"  {symbol} {result.exercise:<{self._width}}  ", style=style)
        line.append(f"{result.score:g}/{result.max_score:g}")
        if result.status == "missing":
            line.append(f"  {short_of(result)}", style="dim")
        self._console.print(line)
        message = next((check.message for check in result.checks if check.status != "passed"), "")
        if result.status not in ("passed", "missing") and message not in self._said:  # a broken file says it once
            self._said.add(message)
            self._print_checks([check for check in result.checks if check.status != "passed"])

    def _print_checks(self, failed: Sequence[CheckResult]) -> None:
        """The first failed check in full; of the others what is new."""
        told: set[str] = set()
        for number, check in enumerate(failed):
            title = Text(f"✗ {check.sentence} ", style="red")
            title.append(f"({check.status}, 0/{check.max_points:g})", style="dim")
            self._console.print(Padding(title, (0, 0, 0, 4)))
            headline, *parts = check.message.splitlines()
            cause = (*check.misconceptions, headline)[0]
            if cause not in told:
                self._console.print(Padding(Text(headline), (0, 0, 0, 6)))
            if number == 0:
                labelled = all(part.split(None, 1)[:1] and part.split(None, 1)[0] in PARTS for part in parts)
                shown = _laid_out(parts) if labelled else Text("\n".join(parts))
                self._console.print(Padding(shown, (0, 0, 0, 8)))
            told.add(cause)


def _laid_out(parts: Sequence[str]) -> Table:
    """The lines "called ...", "expected ..." with their texts under each other, however narrow the terminal."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for part in parts:
        name, _, text = part.strip().partition(" ")
        table.add_row(name, Text(text.strip()))
    return table


def short_of(result: ExerciseResult) -> str:
    """Why an exercise is missing, without saying its name again."""
    message = next(check.message for check in result.checks if check.status == "missing")
    return message.removeprefix(f"{result.exercise} is ").replace(" helps to begin", "")


def points(exercises: Sequence[ExerciseResult]) -> Text:
    """The line of the total."""
    score, most = sum(each.score for each in exercises), sum(each.max_score for each in exercises)
    return Text(f"{score:g} of {most:g} points", style="bold green" if score == most else "bold")


def _total(console: Console, result: SubmissionResult, is_copy: bool) -> None:
    console.print(points(result.exercises))
    if any(exercise.status not in ("passed", "missing") for exercise in result.exercises):
        console.print(Text(f"the same inputs again: --seed {result.seed}", style="dim"))
    if not is_copy and all(exercise.status == "missing" for exercise in result.exercises):
        console.print(NO_COPY)
