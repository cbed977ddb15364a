"""Memory while a class is graded: the use of each role, and the cost of one more worker."""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import psutil  # type: ignore[import-untyped]

from benchmarks.bench import SEED, Bench
from benchmarks.machine import accept
from benchmarks.made_class import write_class
from benchmarks.record import Part
from benchmarks.spread import Ratio, figure, ratios, table

TEMPLATE = "autograder.sandbox.template"
ROLES = ("coordinator", "judge", "wall", "template", "supervisor", "worker")
FEW, MANY = 1, 8
MIB = 2**20
ABOUT = """\
Sampled ten times a second. USS is the private memory of a process; PSS adds its share of common pages, so the sum
over all processes is the memory of the run. Each figure is the maximum over processes and time. One more worker is
the difference of the maximum PSS of all processes with 8 jobs and with 1, divided by 7."""


class Process(NamedTuple):
    """One process of a sample: its parent, its program's name, and whether it was started as a template."""

    parent: int
    name: str
    templated: bool


@dataclass
class Peaks:
    """The maxima so far, in bytes: of any one process of each role, and of all processes together."""

    uss: dict[str, float] = field(default_factory=dict)
    pss: dict[str, float] = field(default_factory=dict)
    count: dict[str, float] = field(default_factory=dict)
    total: float = 0.0
    samples: int = 0
    unreadable: int = 0

    def see(self, sample: Sequence[tuple[str, float, float]]) -> None:
        """Add a sample: role, USS and PSS of every process."""
        for role, uss, pss in sample:
            self.uss[role] = max(uss, self.uss.get(role, 0.0))
            self.pss[role] = max(pss, self.pss.get(role, 0.0))
        for role in {role for role, _, _ in sample}:
            self.count[role] = max(sum(each[0] == role for each in sample), self.count.get(role, 0.0))
        self.total = max(self.total, sum(pss for _, _, pss in sample))
        self.samples += 1


def roles(tree: Mapping[int, Process], root: int) -> dict[int, str]:
    """Return the role of each process: below a template first supervisors, then workers; elsewhere, judges."""

    def role(process: int) -> str:
        if process == root:
            return "coordinator"
        if tree[process].name == "bwrap":
            return "wall"
        above, depth = tree[process].parent, 0
        while above in tree and tree[above].templated and tree[above].name != "bwrap":
            above, depth = tree[above].parent, depth + 1
        if tree[process].templated:
            return ("template", "supervisor", "worker")[min(depth, 2)]
        return "judge"

    return {process: role(process) for process in tree}


def watched(command: Sequence[str], folder: Path, interval: float) -> tuple[float, Peaks]:
    """Run a command to its end; return its seconds, and the peak memory of all its processes."""
    peaks, began = Peaks(), time.perf_counter()
    with tempfile.TemporaryFile("w+", encoding="utf-8") as log:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, cwd=folder)
        try:
            while process.poll() is None:
                moment = time.perf_counter()
                peaks.see(_sample(process.pid, peaks))
                _wait(process, interval - (time.perf_counter() - moment))
        finally:
            process.terminate()
        seconds = time.perf_counter() - began
        log.seek(0)
        accept(command, process.wait(), log.read())
    return seconds, peaks


def _wait(process: subprocess.Popen[bytes], seconds: float) -> None:
    try:
        process.wait(max(0.0, seconds))
    except subprocess.TimeoutExpired:
        return


def _sample(root: int, peaks: Peaks) -> list[tuple[str, float, float]]:
    """Return role, USS and PSS of every process that is still running."""
    tree, memory = dict[int, Process](), dict[int, tuple[float, float]]()
    try:
        parent = psutil.Process(root)
        found = [parent, *parent.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []
    for each in found:
        try:
            tree[each.pid] = Process(each.ppid(), each.name(), TEMPLATE in each.cmdline())
            taken = each.memory_full_info()
            memory[each.pid] = taken.uss, taken.pss
        except psutil.AccessDenied:
            peaks.unreadable += 1
        except psutil.Error:  # it has just ended
            tree.pop(each.pid, None)
    named = roles(tree, root)
    return [(named[process], *taken) for process, taken in memory.items()]


def measure(bench: Bench, students: int = 8, names: tuple[str, ...] = ()) -> Part:
    """Grade the whole course with one job, then with eight."""
    bench.bar.begin("memory", 2)
    submissions = bench.new_folder()
    chapters = list(dict.fromkeys(each.chapter for each in bench.course.select(names)))
    write_class(bench.course, submissions, students, SEED, chapters)
    options = [option for name in names for option in ("--only", name)]
    series: dict[str, tuple[float, ...]] = {}
    for jobs in (FEW, MANY):
        command = bench.grade_command(submissions, "--jobs", str(jobs), *options)
        _, peaks = watched(command, bench.course.root, 0.1)
        series |= _series(jobs, peaks)
        bench.bar.step()
    commands = tuple(f"attend grade CLASS --out OUT --seed {SEED} --jobs {jobs}" for jobs in (FEW, MANY))
    return Part(commands, {"students": students}, series)


def _series(jobs: int, peaks: Peaks) -> Mapping[str, tuple[float, ...]]:
    kinds = {"uss": peaks.uss, "pss": peaks.pss, "count": peaks.count}
    of_roles = {f"{jobs}: {role}: {kind}": (most[role],) for kind, most in kinds.items() for role in most}
    rest = {"total": peaks.total, "samples": peaks.samples, "unreadable": peaks.unreadable}
    return of_roles | {f"{jobs}: {name}": (float(value),) for name, value in rest.items()}


def key_ratios(part: Part) -> list[Ratio]:
    few, many = (part.series[f"{jobs}: total"] for jobs in (FEW, MANY))
    return [Ratio(f"memory of `--jobs {MANY}` over `--jobs {FEW}`, all processes together", ratios(many, few))]


def details(part: Part) -> str:
    """Return a table with a row per role, then the sum."""

    def cell(jobs: int, role: str, kind: str, scale: float = MIB) -> str:
        values = part.series.get(f"{jobs}: {role}: {kind}")
        return figure(values[0] / scale) if values else "0"

    rows = []
    for role in ROLES:
        if f"{MANY}: {role}: uss" in part.series:
            sizes = (cell(jobs, role, kind) for kind in ("uss", "pss") for jobs in (FEW, MANY))
            rows.append([role, f"{part.series[f'{MANY}: {role}: count'][0]:.0f}", *sizes])
    header = ["role", f"processes, {MANY} jobs"]
    header += [f"{kind}, {jobs} job{'s' * (jobs > 1)}" for kind in ("USS", "PSS") for jobs in (FEW, MANY)]
    few, many = (part.series[f"{jobs}: total"][0] / MIB for jobs in (FEW, MANY))
    unread = sum(part.series[f"{jobs}: unreadable"][0] for jobs in (FEW, MANY))
    words = (
        f"In MiB. All together at most {figure(few)} MiB with {FEW} job and {figure(many)} MiB with {MANY}: "
        f"**{figure((many - few) / (MANY - FEW))} MiB for one more worker**."
    )
    blind = f" {unread:.0f} times a process could not be read, so the true figures are higher." if unread else ""
    return f"{table(header, rows)}\n\n{words}{blind}"
