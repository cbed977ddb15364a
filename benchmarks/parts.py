"""All parts, in the order in which they are measured and presented."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec
from rich.console import Console

from autograder.core.errors import AttendError, UsageError
from autograder.course.course import Course
from benchmarks import (
    answers,
    capstones,
    cluster,
    cold,
    growth,
    machine,
    memory,
    naming,
    oracles,
    record,
    render,
    watch,
    whole_course,
)
from benchmarks.bench import Bar, Bench, Kind

BUSY = 0.2  # of a core; with a higher load, figures are unreliable
KINDS = (
    Kind(
        "course",
        "The whole course",
        whole_course.ABOUT,
        whole_course.measure,
        whole_course.key_ratios,
        whole_course.details,
    ),
    Kind("cold", "A cold check", cold.ABOUT, cold.measure, cold.key_ratios, cold.details),
    Kind("watch", "From a save to its verdict", watch.ABOUT, watch.measure, watch.key_ratios, watch.details),
    Kind("memory", "Memory", memory.ABOUT, memory.measure, memory.key_ratios, memory.details),
    Kind("growth", "Large classes", growth.ABOUT, growth.measure, growth.key_ratios, growth.details),
    Kind("cluster", "Many workers", cluster.ABOUT, cluster.measure, cluster.key_ratios, cluster.details),
    Kind("naming", "Naming mistakes", naming.ABOUT, naming.measure, naming.key_ratios, naming.details),
    Kind("answers", "Right and wrong answers", answers.ABOUT, answers.measure, answers.key_ratios, answers.details),
    Kind("capstones", "The capstones", capstones.ABOUT, capstones.measure, capstones.key_ratios, capstones.details),
    Kind("reference", "The reference", oracles.ABOUT, oracles.measure, oracles.key_ratios, oracles.details),
)


def chosen(names: Sequence[str], kinds: Sequence[Kind] = KINDS) -> list[Kind]:
    """Return the parts with these names, in their own order; without names, all.

    Raises:
        UsageError: there is no such part.
    """
    known = [kind.name for kind in kinds]
    unknown = [name for name in names if name not in known]
    if unknown:
        raise UsageError(f"there is no part '{unknown[0]}'; there are {', '.join(known)}")
    return [kind for kind in kinds if kind.name in names or not names]


def run(course: Course, names: Sequence[str], console: Console, kinds: Sequence[Kind] = KINDS) -> bool:
    """Measure, and write both files after each part; return whether every part gave its figures.

    With names, the figures of other parts stay, each with its machine.
    """
    wanted = chosen(names, kinds)
    measured = record.read(course) if names else record.Measurements()
    sound = True
    for kind in wanted:
        console.rule(kind.title)
        try:
            part = _measure(course, kind, console)
        except AttendError as error:
            console.print(str(error), style="red", markup=False)
            sound = False
            continue
        measured.parts[kind.name] = part
        record.write(course, measured)
        render.write(course, measured, kinds)
        console.print(f"skipped: {part.skipped}" if part.skipped else kind.details(part), markup=False, soft_wrap=True)
    return sound


def _measure(course: Course, kind: Kind, console: Console) -> record.Part:
    """Measure one part, in a temporary folder."""
    beside = machine.busy_cores()
    if beside > BUSY:
        warning = f"other programs keep {beside:.2f} cores busy: end them, or these figures are unreliable"
        console.print(warning, style="yellow")
    bar = Bar(console)
    try:
        with tempfile.TemporaryDirectory(prefix="attend-bench-") as folder:
            part = kind.measure(Bench(course, Path(folder), bar))
    finally:
        bar.end()
    return msgspec.structs.replace(part, busy_before=beside, machine=machine.describe())
