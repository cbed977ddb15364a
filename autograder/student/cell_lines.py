"""Turn the line of a message into a line of the student's file, which in a notebook lies in a cell."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from autograder.core.message import Line, Message
from autograder.core.records import ExerciseResult
from autograder.core.submission import ChapterSource

CELL = re.compile(r"# code cell (\d+)")
HEAD = re.compile(r"(?:async def|def|class) (\w+)")

COMMAND = re.compile(r"\battend\s+(?=(?:ask|check|train)\b|(?:explain|hint|reset|sample|show|solution)\s+\w)")
"""What a magic does too: some need a name there."""

Name = Callable[[str, str], str]
"""Names a cell by its number and by the last definition in it at or above the line ("" if there is none)."""


def as_magics(words: str) -> str:
    """Return `words` with the commands of a terminal replaced by the magics of a notebook."""
    return COMMAND.sub("%", words)


def line_in_cells(line: Line | None, source: str, name: Name) -> Line | None:
    """Return the line with the cell it lies in; `source` is a notebook as a module."""
    if line is None or line.place or not line.number:
        return line
    lines = source.split("\n")[: line.number]
    if len(lines) < line.number or (line.text and lines[-1].strip() != line.text):  # it lies in another file
        return line
    cell, defined = _cell(lines)
    return replace(line, place=name(cell, defined)) if cell else line


def _cell(lines: Sequence[str]) -> tuple[str, str]:
    """Return the number of the cell that holds the last of `lines`, and the last name it defines."""
    cell = defined = ""
    for line in lines:
        if mark := CELL.fullmatch(line):
            cell, defined = mark[1], ""
        elif head := HEAD.match(line):
            defined = head[1]
    return cell, defined


def line_in_file(line: Line | None, source: ChapterSource | None) -> Line | None:
    """Return the line as the student finds it in `source`: in a notebook, in its cell."""
    is_notebook = source is not None and source.origin.endswith(".ipynb")
    return line_in_cells(line, source.text, _name) if source and is_notebook else line


def message_in_file(message: Message, source: ChapterSource | None) -> Message:
    """Return the message with its line as the student finds it."""
    return replace(message, line=line_in_file(message.line, source))


def result_in_file(result: ExerciseResult, source: ChapterSource | None) -> ExerciseResult:
    """Return the result with the lines of all its messages as the student finds them."""
    checks = tuple(replace(check, message=message_in_file(check.message, source)) for check in result.checks)
    return replace(result, checks=checks)


def _name(number: str, defined: str) -> str:
    return f"the cell of {defined}" if defined else f"code cell {number}"
