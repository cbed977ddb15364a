"""A cold `attend check` of one chapter against `import torch`, which it needs."""

from __future__ import annotations

import shutil
import sys

from benchmarks.bench import Bench
from benchmarks.machine import program, timed
from benchmarks.record import Part
from benchmarks.spread import Ratio, ratios, spread, table

CHAPTER = "ch03"
TORCH, CHECK = 'python -c "import torch"', f"attend check {CHAPTER}"
ABOUT = """\
Each is a new process; they take turns. The answers are the solution. After the first round, the files are in memory."""


def measure(bench: Bench, rounds: int = 9) -> Part:
    """Time both in every round, after one round that is not counted."""
    bench.bar.begin("a cold check", 2 * (rounds + 1))
    course, target = bench.course, bench.new_folder()
    shutil.copy(course.solution(course.select([CHAPTER])[0].chapter), target)
    commands = {
        TORCH: [sys.executable, "-c", "import torch"],
        CHECK: [program("attend"), "check", CHAPTER, "--target", str(target)],
    }
    found: dict[str, list[float]] = {}
    for number in range(rounds + 1):
        for words, command in commands.items():
            done = timed(command, course.root)
            bench.bar.step()
            if number:
                found.setdefault(f"{words}: seconds", []).append(done.seconds)
                found.setdefault(f"{words}: core_seconds", []).append(done.busy)
    return Part((TORCH, f"{CHECK} --target ANSWERS"), {"rounds": rounds}, {k: tuple(v) for k, v in found.items()})


def key_ratios(part: Part) -> list[Ratio]:
    times = ratios(part.series[f"{CHECK}: seconds"], part.series[f"{TORCH}: seconds"])
    return [Ratio(f"`{CHECK}` over `import torch`, both cold", times, "at most 1.4")]


def details(part: Part) -> str:
    kinds = ("seconds", "core_seconds")
    rows = [[f"`{way}`", *(str(spread(part.series[f"{way}: {kind}"])) for kind in kinds)] for way in (TORCH, CHECK)]
    return table(["a process", "seconds", "core-seconds"], rows)
