"""Tables of the course and of the sandbox for the terminal."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Protocol

from rich.table import Table
from rich.text import Text

from autograder.core.errors import UsageError
from autograder.core.text import counted
from autograder.course.effort import Effort, duration, is_core, minutes
from autograder.course.model import Exercise


class DoctorRow(Protocol):
    """A line of the doctor's table; `ok` is None if it is neither good nor bad."""

    @property
    def name(self) -> str: ...
    @property
    def value(self) -> str: ...
    @property
    def ok(self) -> bool | None: ...


Done = Mapping[str, str]
"""The status of each exercise that was checked."""


def as_table(exercises: Sequence[Exercise], efforts: Mapping[str, Effort], done: Done | None = None) -> Table:
    """Return a table of chapters and exercises with points, difficulty and time, a line for each exercise.

    Args:
        done: for a symbol beside each exercise that was tried; None outside a working copy.
    """
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 1, 0, 0), collapse_padding=True)
    table.add_column("chapter", overflow="ellipsis", min_width=5)  # what may wrap is narrowed first
    if done is not None:
        table.add_column("", no_wrap=True)
    table.add_column("exercise", no_wrap=True)
    for name in ("points", "checks", "minutes"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("")  # a draft says so, however narrow the terminal
    last = ""
    for exercise in exercises:
        chapter = exercise.chapter if exercise.chapter != last else ""
        last = exercise.chapter
        effort = efforts.get(exercise.name)
        guess = (str(effort.minutes), effort.marks + " draft" * effort.draft) if effort else ("", "")
        sign = [] if done is None else [_sign(done.get(exercise.name, "missing"))]
        facts = (exercise.name, f"{exercise.points:g}", str(exercise.checks))
        table.add_row(Text(chapter, style="bold"), *sign, *facts, *guess)
    return table


def _sign(status: str) -> Text:
    if status == "missing":
        return Text("")
    return Text("✓", style="green") if status == "passed" else Text("✗", style="red")


def as_json(exercises: Sequence[Exercise], efforts: Mapping[str, Effort], done: Done | None = None) -> str:
    """Return the exercises as JSON, in a working copy with the status of their last check."""
    rows = [(asdict(exercise), efforts.get(exercise.name)) for exercise in exercises]
    known = [{} if done is None else {"status": done.get(exercise.name)} for exercise in exercises]
    found = zip(rows, known, strict=True)
    return json.dumps([row | (asdict(effort) if effort else {}) | more for (row, effort), more in found], indent=2)


def passed(exercises: Sequence[Exercise], done: Done) -> str:
    """Return how many of the exercises are passed, as text."""
    count = sum(done.get(exercise.name) == "passed" for exercise in exercises)
    return f"{count} of {len(exercises)} exercises passed"


def core_of(exercises: Sequence[Exercise], efforts: Mapping[str, Effort]) -> tuple[Exercise, ...]:
    """Return the exercises on the core path.

    Raises:
        UsageError: there are none.
    """
    core = tuple(each for each in exercises if is_core(each, efforts))
    if not core:
        raise UsageError("none of these exercises is on a core path; `attend list` shows them all")
    return core


def total(exercises: Sequence[Exercise], efforts: Mapping[str, Effort]) -> str:
    """Return the number of exercises, their points and their time, as text."""
    points, time = sum(each.points for each in exercises), duration(minutes(exercises, efforts))
    return f"together {counted(len(exercises), 'exercise')}, {points:g} point{'s' * (points != 1)}, about {time}"


def doctor_table(rows: Sequence[DoctorRow]) -> Table:
    """Return a table of the rows, marked good or bad by symbol and colour."""
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column()
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    for row in rows:
        symbol, style = {True: ("✓", "green"), False: ("✗", "red"), None: ("·", "dim")}[row.ok]
        table.add_row(Text(symbol, style=style), row.name, Text(row.value))
    return table
