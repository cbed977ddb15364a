"""docs/measurements.md: the measurements, ratios first."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from autograder.core import files
from autograder.course.course import Course
from benchmarks.bench import Kind
from benchmarks.record import Measurements, Part
from benchmarks.spread import table

PLACE = Path("docs", "measurements.md")
HEAD = """\
# Measurements

`make bench` writes this page; `make bench PARTS="cold watch"` measures only some parts. Each part was measured in one
run on one machine, and compared things took turns. A figure is the median, with the smallest and the largest value in
brackets. *Load* is what other programs used just before. Every single value is in
[measurements.json](measurements.json)."""
NOTHING = "Not measured yet."


def render(measured: Measurements, kinds: Sequence[Kind]) -> str:
    """Return the whole page."""
    done = [kind for kind in kinds if kind.name in measured.parts and not measured.parts[kind.name].skipped]
    pieces = [HEAD]
    pieces += _machines(measured, done)
    if done:
        pieces += ["## Ratios", _ratios(measured, done)]
    for kind in kinds:
        pieces += [f"## {kind.title}", *_part(kind, measured.parts.get(kind.name))]
    return "\n\n".join(pieces) + "\n"


def write(course: Course, measured: Measurements, kinds: Sequence[Kind]) -> None:
    files.write(course.root / PLACE, render(measured, kinds))


def _machines(measured: Measurements, kinds: Sequence[Kind]) -> list[str]:
    """Return a table for each machine, with the parts that were measured on it."""
    parts: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for kind in kinds:
        parts.setdefault(tuple(measured.parts[kind.name].machine.items()), []).append(kind.title)
    return [
        table(["machine", ""], [*([*each] for each in machine), ["measured on it", ", ".join(titles)]])
        for machine, titles in parts.items()
    ]


def _ratios(measured: Measurements, kinds: Sequence[Kind]) -> str:
    found = [ratio for kind in kinds for ratio in kind.ratios(measured.parts[kind.name])]
    return table(["how many times as much", "ratio", "aim"], [[each.what, str(each.times), each.aim] for each in found])


def _part(kind: Kind, part: Part | None) -> list[str]:
    commands = f"`make bench PARTS={kind.name}`"
    if part is None:
        return [kind.about, f"{NOTHING} {commands}"]
    if part.skipped:
        return [kind.about, f"Not measured: {part.skipped}. {commands}"]
    quiet = f"Load: {part.busy_before:.2f} cores busy."
    block = "```\n" + "\n".join(part.commands) + "\n```"
    return [kind.about, block, kind.details(part), quiet]
