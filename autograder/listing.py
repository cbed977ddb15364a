"""Tables of the course and of the sandbox for the terminal."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Protocol

from rich.table import Table
from rich.text import Text

from autograder.course import Exercise


class Row(Protocol):
    """A line of the doctor's table; `ok` is None where it is neither good nor bad."""

    @property
    def name(self) -> str: ...
    @property
    def value(self) -> str: ...
    @property
    def ok(self) -> bool | None: ...


def as_table(exercises: Sequence[Exercise]) -> Table:
    """Chapters and exercises with points, one line each."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("chapter")
    table.add_column("exercise")
    table.add_column("points", justify="right")
    table.add_column("checks", justify="right")
    last = ""
    for exercise in exercises:
        chapter = exercise.chapter if exercise.chapter != last else ""
        last = exercise.chapter
        table.add_row(Text(chapter, style="bold"), exercise.name, f"{exercise.points:g}", str(exercise.checks))
    return table


def as_json(exercises: Sequence[Exercise]) -> str:
    """The same for programs."""
    return json.dumps([asdict(exercise) for exercise in exercises], indent=2)


def doctor_table(rows: Sequence[Row]) -> Table:
    """What was found on this machine, good or bad by symbol and colour."""
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column()
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    for row in rows:
        symbol, style = {True: ("✓", "green"), False: ("✗", "red"), None: ("·", "dim")}[row.ok]
        table.add_row(Text(symbol, style=style), row.name, Text(row.value))
    return table
