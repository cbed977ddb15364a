"""Messages speak of lines of a module; of a notebook they speak of its cells."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from autograder.core.records import ExerciseResult
from autograder.core.submission import ChapterSource

# How messages speak of a line: with what stands there, or of what is forbidden or still to do.
LINE = re.compile(r"(?P<before>\(|in |, )line (?P<line>\d+)(?P<shown>: .*)?(?=\)|;|$)", re.MULTILINE)
CELL = re.compile(r"# code cell (\d+)")
HEAD = re.compile(r"(?:async def|def|class) (\w+)")

COMMAND = re.compile(r"\battend (?=(check|explain|hint|show|train) \w)")

Name = Callable[[str, str], str]
"""What a cell is called, by its number and by what it defines last up to the line that is meant ("" if nothing)."""


def as_magics(words: str) -> str:
    """`words` with what one types in a notebook for what one types in a terminal."""
    return COMMAND.sub("%", words)


def in_cells(words: str, source: str, name: Name) -> str:
    """`words`, with the cell for each line of `source` they speak of; `source` is a notebook as a module."""
    return LINE.sub(partial(_cell_of, source.split("\n"), name), words)


def _cell_of(lines: Sequence[str], name: Name, said: re.Match[str]) -> str:
    """ "cell [7]" for "line 12", where that line is what is said to stand there."""
    number, shown = int(said["line"]), said["shown"]
    if number > len(lines) or (shown and not lines[number - 1].strip().startswith(shown[2:].rstrip("…").strip())):
        return said[0]
    cell = defined = ""
    for line in lines[:number]:
        if mark := CELL.fullmatch(line):
            cell, defined = mark[1], ""
        elif head := HEAD.match(line):
            defined = head[1]
    return f"{said['before']}{name(cell, defined)}{shown or ''}" if cell else said[0]


def in_file(words: str, source: ChapterSource | None) -> str:
    """`words` about the file `source`, as one finds the place in it: by its line, in a notebook by its cell."""
    return in_cells(words, source.text, _name) if source and source.origin.endswith(".ipynb") else words


def result_in_file(result: ExerciseResult, source: ChapterSource | None) -> ExerciseResult:
    """The same for all that is said of an exercise."""
    checks = tuple(replace(check, message=in_file(check.message, source)) for check in result.checks)
    return replace(result, checks=checks)


def _name(number: str, defined: str) -> str:
    return f"the cell of {defined}" if defined else f"code cell {number}"
