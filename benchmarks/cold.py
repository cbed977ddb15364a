"""A cold `attend check` of one chapter against `import torch`, which it needs; and one after `attend warm`."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from benchmarks.bench import Bench
from benchmarks.machine import program, timed
from benchmarks.record import Part
from benchmarks.spread import Ratio, ratios, spread, table

CHAPTER, EXERCISE = "ch03", "softmax"
TORCH, CHECK = 'python -c "import torch"', f"attend check {CHAPTER}"
AGAIN = f"attend check {EXERCISE} --again"
AT_ONCE_SECONDS = 0.3
ABOUT = """\
Each is a new process; they take turns. The answers are the solution. After the first round, the files are in memory.
The checks of one exercise come after `attend warm`."""


def measure(bench: Bench, rounds: int = 9) -> Part:
    """Time all in every round, after one round that is not counted."""
    bench.bar.begin("a check", 3 * (rounds + 1))
    course, target = bench.course, bench.new_folder()
    shutil.copy(course.solution(course.select([CHAPTER])[0].chapter), target)
    found: dict[str, list[float]] = {}
    with _warm(course.root) as env:
        commands: dict[str, tuple[list[str], Mapping[str, str]]] = {
            TORCH: ([sys.executable, "-c", "import torch"], {}),
            CHECK: ([program("attend"), "check", CHAPTER, "--target", str(target)], {"XDG_RUNTIME_DIR": "/nowhere"}),
            AGAIN: ([program("attend"), "check", EXERCISE, "--again", "--target", str(target)], env),
        }
        for number in range(rounds + 1):
            for words, (command, place) in commands.items():
                done = timed(command, course.root, place)
                bench.bar.step()
                if number:
                    found.setdefault(f"{words}: seconds", []).append(done.seconds)
                    found.setdefault(f"{words}: core_seconds", []).append(done.busy)
    asked = (TORCH, f"{CHECK} --target ANSWERS", "attend warm", f"{AGAIN} --target ANSWERS")
    return Part(asked, {"rounds": rounds}, {k: tuple(v) for k, v in found.items()})


@contextmanager
def _warm(root: Path) -> Iterator[Mapping[str, str]]:
    """Keep torch loaded, and yield the environment in which it is found."""
    with tempfile.TemporaryDirectory() as folder:
        env = {"XDG_RUNTIME_DIR": folder}
        timed([program("attend"), "warm"], root, env)
        try:
            yield env
        finally:
            timed([program("attend"), "warm", "--stop"], root, env)


def key_ratios(part: Part) -> list[Ratio]:
    seconds = part.series[f"{CHECK}: seconds"]
    found = [
        Ratio(
            f"`{CHECK}` over `import torch`, both cold",
            ratios(seconds, part.series[f"{TORCH}: seconds"]),
            "at most 1.4",
        )
    ]
    if again := part.series.get(f"{AGAIN}: seconds"):
        at = spread([value / AT_ONCE_SECONDS for value in again])
        found.append(Ratio(f"`{AGAIN}` after `attend warm` over {AT_ONCE_SECONDS:g} s", at, "at most 1"))
    return found


def details(part: Part) -> str:
    kinds = ("seconds", "core_seconds")
    ways = [way for way in (TORCH, CHECK, AGAIN) if f"{way}: seconds" in part.series]
    rows = [[f"`{way}`", *(str(spread(part.series[f"{way}: {kind}"])) for kind in kinds)] for way in ways]
    return table(["a process", "seconds", "core-seconds"], rows)
