"""`attend watch`: from a save to the verdict on the screen."""

from __future__ import annotations

import queue
import re
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil  # type: ignore[import-untyped]

from autograder.author.splice import with_wrong_answer
from autograder.core.errors import AttendError
from autograder.course.course import Course
from benchmarks.bench import Bench
from benchmarks.machine import program, timed
from benchmarks.made_class import spoilt
from benchmarks.record import Part
from benchmarks.spread import Ratio, spread, table

CHAPTERS = ("ch03", "ch06")
TOTAL = re.compile(r"[\d.]+ of [\d.]+ points")
# Every saved answer earns points, so without any the file was still being written.
NOTHING = re.compile(r"^0 of [\d.]+ points")
START_SECONDS, VERDICT_SECONDS = 60.0, 60.0
SETTLE_SECONDS, IDLE_SECONDS = 0.5, 0.05
ONE, ALL = "one exercise changed", "the whole chapter changed"
ABOUT = """\
The time from before a file is written until the real command prints the line with the total. *One exercise changed*:
its answer is right and wrong in turn. *The whole chapter changed*: a statement outside all exercises changes, on which
every answer may depend."""


class Watch:
    """A running `attend watch`, and its output line by line."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.half_written = 0
        self._process = process
        self._lines: queue.Queue[tuple[float, str]] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put((time.perf_counter(), line))
        self._lines.put((time.perf_counter(), ""))

    def await_line(self, wanted: re.Pattern[str], seconds: float) -> float:
        """Return the time at which a line with `wanted` came.

        Raises:
            AttendError: none came in time.
        """
        end, lines = time.perf_counter() + seconds, list[str]()
        while (left := end - time.perf_counter()) > 0:
            try:
                moment, line = self._lines.get(timeout=left)
            except queue.Empty:
                break
            if NOTHING.search(line):
                self.half_written += 1
            elif wanted.search(line):
                return moment
            lines.append(line)
            if not line:
                break
        last = "".join(lines[-5:])
        raise AttendError(f"`attend watch` printed no '{wanted.pattern}' within {seconds:g} s, but\n{last}")

    def settle(self) -> None:
        """Wait until it neither prints nor computes, as when it has loaded torch."""
        process, before, now = psutil.Process(self._process.pid), -1.0, 0.0
        while now - before > IDLE_SECONDS or not self._lines.empty():
            while not self._lines.empty():
                self._lines.get()
            time.sleep(SETTLE_SECONDS)
            before, now = now, sum(process.cpu_times()[:2])


@contextmanager
def watching(course: Course, chapter: str, target: Path) -> Iterator[Watch]:
    """Run `attend watch`, yield it when it is ready for the first save, and end it."""
    command = [program("attend"), "watch", chapter, "--target", str(target)]
    pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(
        command, cwd=course.root, stdin=nothing, stdout=pipe, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            watch = Watch(process)
            watch.await_line(re.compile(r"\S"), START_SECONDS)
            watch.settle()
            yield watch
        finally:
            process.terminate()


def versions_of(course: Course, chapter: str) -> dict[str, Callable[[int], str]]:
    """Return by kind the text to save, as a function of the save's number."""
    right = course.solution(chapter).read_text(encoding="utf-8")
    exercises = course.of(chapter)
    name = exercises[len(exercises) // 2].name
    wrong = with_wrong_answer(right, spoilt(name), name)
    return {
        ONE: lambda save: right if save % 2 else wrong,
        ALL: lambda save: f"{right}\n\nif {save} < 1000:\n    import torch\n",
    }


def measure(bench: Bench, saves: int = 10, chapters: tuple[str, ...] = CHAPTERS) -> Part:
    """Measure two kinds of saves for each chapter; skip the part if there is no such command."""
    helped = timed([program("attend"), "watch", "--help"], bench.course.root, may_be=(0, 2))
    if "--target" not in helped.output:
        return Part(skipped="there is no command `attend watch` yet")
    bench.bar.begin("watch", 2 * saves * len(chapters))
    series: dict[str, tuple[float, ...]] = {}
    half_written = 0
    for name in chapters:
        chapter = bench.course.select([name])[0].chapter
        for kind, version in versions_of(bench.course, chapter).items():
            series[f"{name}: {kind}"], mishaps = _saves(bench, chapter, version, saves)
            half_written += mishaps
    sizes = {"saves": saves, "half written": half_written}
    return Part(("attend watch CHAPTER --target ANSWERS",), sizes, series)


def _saves(bench: Bench, chapter: str, version: Callable[[int], str], saves: int) -> tuple[tuple[float, ...], int]:
    """Return the seconds from each save but the first to its verdict, and how often a half-written file was checked."""
    target, found = bench.new_folder(), list[float]()
    path = target / f"{chapter}.py"
    path.write_text(version(-1), encoding="utf-8")
    with watching(bench.course, chapter, target) as watch:
        for save in range(saves + 1):
            text = version(save)
            began = time.perf_counter()
            path.write_text(text, encoding="utf-8")
            seconds = watch.await_line(TOTAL, VERDICT_SECONDS) - began
            watch.settle()
            if save:
                found.append(seconds)
                bench.bar.step()
        return tuple(found), watch.half_written


def key_ratios(part: Part) -> list[Ratio]:
    """Compare the seconds with half a second."""
    worst = {name: spread([value / 0.5 for value in values]) for name, values in part.series.items()}
    return [
        Ratio(f"`attend watch`, {name}: save to verdict over half a second", at, "at most 1")
        for name, at in worst.items()
    ]


def details(part: Part) -> str:
    rows = [[name, str(spread([value * 1000 for value in values]))] for name, values in part.series.items()]
    figures = table([f"{part.sizes['saves']:.0f} saves each", "milliseconds from save to verdict"], rows)
    half = part.sizes["half written"]
    words = f"{half:.0f} times a file was checked while it was being written; its verdict does not count."
    return f"{figures}\n\n{words}" if half else figures
