"""What was measured, kept as raw numbers in docs/measurements.json."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from autograder import files
from autograder.course import Course
from autograder.errors import UsageError

PLACE = Path("docs", "measurements.json")


class Part(msgspec.Struct, frozen=True):
    """One part: the commands that were timed, how much of each, and every single value.

    `busy_before` is how many cores other programs kept busy just before; `skipped` says why nothing was measured.
    """

    commands: tuple[str, ...] = ()
    sizes: Mapping[str, float] = {}
    series: Mapping[str, tuple[float, ...]] = {}
    busy_before: float = 0.0
    skipped: str = ""


class Measurements(msgspec.Struct):
    """The file: all parts are of one machine, in words, with one set of versions."""

    machine: dict[str, str] = {}
    parts: dict[str, Part] = {}


def read(course: Course) -> Measurements:
    """What was measured so far; nothing if there is no file.

    Raises:
        UsageError: the file is damaged.
    """
    path = course.root / PLACE
    if not path.is_file():
        return Measurements()
    try:
        return msgspec.json.decode(path.read_bytes(), type=Measurements)
    except msgspec.MsgspecError as error:
        raise UsageError(f"{path} is damaged ({error}); remove it and run `make bench`") from error


def on(machine: dict[str, str], found: Measurements) -> Measurements:
    """What of `found` may stand beside new figures: all if it is of the same machine and versions, else nothing."""
    return found if found.machine == machine else Measurements(machine)


def write(course: Course, measured: Measurements) -> None:
    text = msgspec.json.format(msgspec.json.encode(measured), indent=1).decode()
    files.write(course.root / PLACE, text + "\n")
