"""Take out the answers: the lines between ### BEGIN SOLUTION and ### END SOLUTION."""

from __future__ import annotations

import re
from dataclasses import dataclass

from autograder.core.errors import AttendError

# Matches more than the exact markers: a misspelled one must not let an answer slip into a stub.
_MARKER = re.compile(r"^([ \t]*)#.*\b(BEGIN|END)[ _-]?SOLUTION\b", re.IGNORECASE)
_EXACT = re.compile(r"[ \t]*### (BEGIN|END) SOLUTION[ \t]*")


@dataclass(frozen=True)
class Region:
    """Lines `first` to `last` of a cell (counted from 0, markers included), and their indentation."""

    first: int
    last: int
    indent: str


def stub_of(text: str, exercise: str | None, origin: str, line: int) -> str:
    """Return the cell's text with each solution region replaced by a TODO that raises.

    Args:
        text: the source of a code cell.
        exercise: the exercise that the cell defines, if any.
        origin, line: the file and the first line of the cell, for messages.

    Raises:
        AttendError: markers are missing, unbalanced, nested, misspelled or outside an exercise.
    """
    lines = text.split("\n")
    regions = regions_of(lines, exercise, origin, line)
    if exercise and not regions:
        raise AttendError(
            f"{origin}:{line}: exercise '{exercise}' has no solution region; "
            "put its answer between ### BEGIN SOLUTION and ### END SOLUTION"
        )
    for region in reversed(regions):
        lines[region.first : region.last + 1] = [
            f"{region.indent}# TODO: {exercise} (attend hint {exercise})",
            f'{region.indent}raise NotImplementedError("{exercise}")',
        ]
    return "\n".join(lines)


def regions_of(lines: list[str], exercise: str | None, origin: str, line: int) -> list[Region]:
    """Return the solution regions in a cell's lines.

    Raises:
        AttendError: as in `stub_of`.
    """
    regions: list[Region] = []
    begun: tuple[int, str] | None = None
    for index, text in enumerate(lines):
        marker = _MARKER.match(text)
        if marker is None:
            continue
        where = f"{origin}:{line + index}"
        if not _EXACT.fullmatch(text):
            raise AttendError(f"{where}: write this marker as ### {marker[2].upper()} SOLUTION, alone on its line")
        if exercise is None:
            raise AttendError(
                f'{where}: a solution stands outside an exercise; head its cell with # %% exercise="name"'
            )
        if marker[2] == "BEGIN":
            if begun:
                raise AttendError(f"{where}: a solution begins inside another; end the first one with ### END SOLUTION")
            begun = index, marker[1]
        else:
            if begun is None:
                raise AttendError(f"{where}: a solution ends that never began; put ### BEGIN SOLUTION before it")
            regions.append(Region(begun[0], index, begun[1]))
            begun = None
    if begun:
        raise AttendError(f"{origin}:{line + begun[0]}: this solution has no end; put ### END SOLUTION after it")
    return regions
