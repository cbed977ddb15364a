"""The raw numbers of all measurements, kept in docs/measurements.json."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from autograder.core import figures
from autograder.course.course import Course

PLACE = Path("docs", "measurements.json")


class Part(msgspec.Struct, frozen=True):
    """One part: the machine and its versions, the commands that were timed, the sizes, and every single value.

    `busy_before` is the number of cores that other programs kept busy; `skipped` says why nothing was measured.
    """

    commands: tuple[str, ...] = ()
    sizes: Mapping[str, float] = {}
    series: Mapping[str, tuple[float, ...]] = {}
    busy_before: float = 0.0
    skipped: str = ""
    machine: Mapping[str, str] = {}


class Measurements(msgspec.Struct):
    """The content of the file. A part comes from one machine, and comparisons are made within a part."""

    parts: dict[str, Part] = {}


def read(course: Course) -> Measurements:
    """Read the measurements; there are none if there is no file.

    Raises:
        UsageError: the file is damaged.
    """
    return figures.read(course.root / PLACE, Measurements, "remove it and run `make bench`")


def write(course: Course, measured: Measurements) -> None:
    figures.write(course.root / PLACE, measured)
