"""How the cost of a submission grows with the class."""

from __future__ import annotations

from benchmarks.bench import SEED, Bench
from benchmarks.machine import cores
from benchmarks.made_class import write_class, write_empty_class
from benchmarks.memory import MIB, watched
from benchmarks.record import Part
from benchmarks.spread import Ratio, figure, ratios, spread, table

CHAPTER = "ch03"
CLASSES = {10: 3, 100: 2, 1000: 1}
"""By number of students, the number of times that the class is graded."""
ABOUT = f"""\
One chapter ({CHAPTER}) with the default settings of `attend grade`: as many jobs as cores. Classes and start-up are as
for the whole course. Memory is the maximum of the PSS of all processes, sampled twice a second."""


def measure(bench: Bench, classes: dict[int, int] | None = None) -> Part:
    """Grade all classes in turn, small ones several times."""
    classes = classes or CLASSES
    rounds = max(classes.values())
    bench.bar.begin("growth", rounds + sum(classes.values()))
    chapter = bench.course.select([CHAPTER])[0].chapter
    folders = {students: bench.new_folder() for students in classes}
    for students, folder in folders.items():
        write_class(bench.course, folder, students, SEED, [chapter])
    found: dict[str, list[float]] = {}
    for number in range(rounds):
        startup = bench.grade(write_empty_class(bench.new_folder(), cores(), chapter), "--only", CHAPTER).seconds
        found.setdefault("startup", []).append(startup)
        for students in [students for students, times in classes.items() if number < times]:
            command = bench.grade_command(folders[students], "--only", CHAPTER)
            seconds, peaks = watched(command, bench.course.root, 0.5)
            found.setdefault(f"{students}: seconds", []).append(seconds)
            found.setdefault(f"{students}: a submission", []).append((seconds - startup) / students)
            found.setdefault(f"{students}: memory", []).append(peaks.total)
            bench.bar.step()
    sizes = {f"{students} students": float(times) for students, times in classes.items()} | {"cores": float(cores())}
    command_line = f"attend grade CLASS --out OUT --seed {SEED} --only {CHAPTER}"
    return Part((command_line,), sizes, {kind: tuple(values) for kind, values in found.items()})


def _classes(part: Part) -> list[int]:
    return sorted(int(name.split(":")[0]) for name in part.series if name.endswith(": seconds"))


def key_ratios(part: Part) -> list[Ratio]:
    """Compare the largest class with the next smaller one."""
    *_, before, largest = _classes(part)
    times = ratios(part.series[f"{largest}: a submission"], part.series[f"{before}: a submission"])
    return [Ratio(f"a submission in a class of {largest:,} over one in a class of {before:,}", times, "about 1")]


def details(part: Part) -> str:
    rows = []
    for students in _classes(part):
        seconds, each, memory = (part.series[f"{students}: {kind}"] for kind in ("seconds", "a submission", "memory"))
        milliseconds = spread([value * 1000 for value in each])
        rows.append([f"{students:,}", str(spread(seconds)), str(milliseconds), figure(max(memory) / MIB)])
    header = ["students", "seconds in all", "milliseconds a submission, start-up off", "memory, MiB"]
    return f"{table(header, rows)}\n\nStart-up: {spread(part.series['startup'])} seconds, with one job per core."
