"""What was measured, kept as raw numbers in docs/measurements.json."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from autograder import figures
from autograder.course import Course

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
    return figures.read(course.root / PLACE, Measurements, "remove it and run `make bench`")


def on(machine: dict[str, str], found: Measurements) -> Measurements:
    """What of `found` may stand beside new figures: all if it is of the same machine and versions, else nothing."""
    return found if found.machine == machine else Measurements(machine)


def write(course: Course, measured: Measurements) -> None:
    figures.write(course.root / PLACE, measured)
