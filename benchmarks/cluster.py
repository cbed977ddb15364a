"""A dask cluster with one, two and four workers, all on this machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from autograder.core.errors import AttendError
from benchmarks.bench import SEED, Bench
from benchmarks.machine import cores, program, timed
from benchmarks.made_class import write_class
from benchmarks.record import Part
from benchmarks.spread import Ratio, ratios, spread, table

WORKERS = (1, 2, 4)
READY_SECONDS = 60.0
UNWATCHED = {"DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False", "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "200ms"}
"""Dask looks at itself less often; docs/scale.md recommends it."""
LOCAL = "no cluster"
ABOUT = """\
The same class with one, two and four dask workers of one thread each, and with one job and no cluster, in turns and
with start-up. All workers share this one machine; several machines were not measured."""


def measure(bench: Bench, students: int = 12, rounds: int = 2, names: tuple[str, ...] = ()) -> Part:
    """Measure each number of workers in turn; skip the part if `attend grade` has no `--cluster`."""
    if "--cluster" not in timed([program("attend"), "grade", "--help"], bench.course.root, {"COLUMNS": "200"}).output:
        return Part(skipped="`attend grade` has no option `--cluster` yet")
    bench.bar.begin("cluster", rounds * (1 + len(WORKERS)))
    submissions = bench.new_folder()
    chapters = list(dict.fromkeys(each.chapter for each in bench.course.select(names)))
    write_class(bench.course, submissions, students, SEED, chapters)
    options = [option for name in names for option in ("--only", name)]
    found: dict[str, list[float]] = {}
    for _ in range(rounds):
        local = bench.grade(submissions, "--jobs", "1", *options)
        found.setdefault(LOCAL, []).append(local.seconds)
        for workers in WORKERS:
            with cluster(bench.new_folder(), workers) as address:
                done = bench.grade(submissions, "--cluster", address, *options)
                found.setdefault(str(workers), []).append(done.seconds)
    commands = (
        f"export {' '.join(f'{name}={value}' for name, value in UNWATCHED.items())}",
        "dask scheduler --host 127.0.0.1 --port 0 --no-dashboard",
        "dask worker ADDRESS --nthreads 1 --no-dashboard",
        f"attend grade CLASS --out OUT --seed {SEED} --cluster ADDRESS",
    )
    return Part(commands, {"students": students, "cores": cores()}, {k: tuple(v) for k, v in found.items()})


@contextmanager
def cluster(folder: Path, workers: int) -> Iterator[str]:
    """Start a scheduler with `workers` workers, yield its address, and end them all.

    Raises:
        AttendError: they do not start.
    """
    known = folder / "scheduler.json"
    with ExitStack() as running:
        place = ["--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(known), "--no-dashboard", "--no-show"]
        running.enter_context(_process("scheduler", place, folder))
        address = _address(known)
        for number in range(workers):
            options = [address, "--nthreads", "1", "--no-dashboard", "--local-directory", str(folder / str(number))]
            running.enter_context(_process("worker", options, folder))
        _await_workers(address, workers)
        yield address


@contextmanager
def _process(kind: str, options: list[str], folder: Path) -> Iterator[None]:
    command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", *options]
    silent = subprocess.DEVNULL
    env = os.environ | UNWATCHED
    with subprocess.Popen(command, cwd=folder, env=env, stdin=silent, stdout=silent, stderr=silent) as process:
        try:
            yield
        finally:
            process.terminate()


def _address(known: Path) -> str:
    """Return the scheduler's address, as soon as it has written it to the file `known`."""
    end = time.monotonic() + READY_SECONDS
    while time.monotonic() < end:
        try:
            return str(json.loads(known.read_text(encoding="utf-8"))["address"])
        except (OSError, ValueError):
            time.sleep(0.1)
    raise AttendError(f"the dask scheduler did not start within {READY_SECONDS:g} s")


def _await_workers(address: str, workers: int) -> None:
    from distributed import Client

    with Client(address, timeout=READY_SECONDS) as client:  # type: ignore[no-untyped-call]
        client.wait_for_workers(workers, timeout=READY_SECONDS)


def key_ratios(part: Part) -> list[Ratio]:
    found = []
    for workers in WORKERS[1:]:
        times = ratios(part.series[str(WORKERS[0])], part.series[str(workers)])
        found.append(Ratio(f"one dask worker over {workers} on {part.sizes['cores']:.0f} cores, a class", times))
    alone = ratios(part.series[str(WORKERS[0])], part.series[LOCAL])
    return [*found, Ratio("one dask worker over `--jobs 1` without a cluster, a class", alone)]


def details(part: Part) -> str:
    students = part.sizes["students"]
    rows = []
    for way in (LOCAL, *map(str, WORKERS)):
        seconds = part.series[way]
        words = "`--jobs 1`, no cluster" if way == LOCAL else f"{way} worker{'s' * (way != '1')}"
        rows.append([words, str(spread(seconds)), str(spread([value / students for value in seconds]))])
    return table([f"{students:.0f} students", "seconds in all", "seconds a submission"], rows)
