"""Messages speak of lines of a module; of a notebook they speak of its cells."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from autograder.core.message import Line, Message
from autograder.core.records import ExerciseResult
from autograder.core.submission import ChapterSource

CELL = re.compile(r"# code cell (\d+)")
HEAD = re.compile(r"(?:async def|def|class) (\w+)")

COMMAND = re.compile(r"\battend (?=(check|explain|hint|show|train) \w)")

Name = Callable[[str, str], str]
"""What a cell is called, by its number and by what it defines last up to the line that is meant ("" if nothing)."""


def as_magics(words: str) -> str:
    """`words` with what one types in a notebook for what one types in a terminal."""
    return COMMAND.sub("%", words)


def line_in_cells(line: Line | None, source: str, name: Name) -> Line | None:
    """The line with the cell it is in; `source` is a notebook as a module."""
    if line is None or line.place or not line.number:
        return line
    lines = source.split("\n")[: line.number]
    if len(lines) < line.number or (line.text and lines[-1].strip() != line.text):  # it is another file's
        return line
    cell, defined = _cell(lines)
    return replace(line, place=name(cell, defined)) if cell else line


def _cell(lines: Sequence[str]) -> tuple[str, str]:
    """The number of the cell that `lines` end in, and what it defines last."""
    cell = defined = ""
    for line in lines:
        if mark := CELL.fullmatch(line):
            cell, defined = mark[1], ""
        elif head := HEAD.match(line):
            defined = head[1]
    return cell, defined


def line_in_file(line: Line | None, source: ChapterSource | None) -> Line | None:
    """The line of the file `source`, as one finds it: in a notebook by its cell."""
    is_notebook = source is not None and source.origin.endswith(".ipynb")
    return line_in_cells(line, source.text, _name) if source and is_notebook else line


def message_in_file(message: Message, source: ChapterSource | None) -> Message:
    """The message, with the place of its line as one finds it."""
    return replace(message, line=line_in_file(message.line, source))


def result_in_file(result: ExerciseResult, source: ChapterSource | None) -> ExerciseResult:
    """The same for all that is said of an exercise."""
    checks = tuple(replace(check, message=message_in_file(check.message, source)) for check in result.checks)
    return replace(result, checks=checks)


def _name(number: str, defined: str) -> str:
    return f"the cell of {defined}" if defined else f"code cell {number}"
