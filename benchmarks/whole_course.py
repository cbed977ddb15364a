"""Seconds per submission of the whole course: attend, nbgrader, pytest, and the checks with nothing around them."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from autograder.core.records import SubmissionResult
from autograder.course.course import Course
from benchmarks.bench import SEED, Bench
from benchmarks.floor import Graded, outcome
from benchmarks.machine import Timed, cores, timed
from benchmarks.made_class import write_class, write_empty_class
from benchmarks.nbgrader import CHECKS, NAME_ONLY, NbgraderCourse
from benchmarks.record import Part
from benchmarks.spread import Ratio, Spread, figure, ratios, spread, table

MACHINE, ALONE, FLOOR, PYTEST = "attend, all cores", "attend --jobs 1", "the floor", "pytest"
NAMES, IN_KERNEL = "nbgrader, names only", "nbgrader, the same checks"
WAYS = (FLOOR, ALONE, MACHINE, PYTEST, NAMES, IN_KERNEL)
COMMANDS = (
    "attend grade CLASS --out OUT --seed 20 --jobs CORES",
    "attend grade CLASS --out OUT --seed 20 --jobs 1",
    "nbgrader autograde CHAPTER --student STUDENT",
    "python -m pytest -p autograder.suite.plugin -p no:warnings -q tests/exercises --target STUDENT --seed 20",
    "python -m benchmarks.floor CLASS 20",
)
ABOUT = """\
A class of made-up students. Each chapter is drawn from the solution and the right answers of `tests/promises/right/`;
a third of the files have one exercise spoilt; no two files are equal. All graders see the same files and inputs, and
take turns. *Graded alike* is the share of submissions with the same points as the floor (for pytest: the same number
of checks passed).

- **The floor** is the same checks in one warm process and thread, without a wall and without writing anything.
- **attend** is the real command. Its start-up is its time for students who handed in one file without an answer; the
  rest, divided by the students, is a submission.
- **nbgrader** is the real command with its default settings: a notebook and an assignment per chapter, a new kernel
  per notebook. *Names only* tests whether each name exists, with `import torch` in each kernel; *the same checks* runs
  the checks there. Its start-up is one command per chapter, once per class.
- **pytest** is one process and thread per submission, start-up included.

attend also runs students' code behind a wall, writes feedback and a report, and uses all cores; nbgrader keeps the
executed notebooks and a gradebook, and grades one notebook at a time. Core-seconds are the processor time of all
programs on the machine."""


@dataclass(frozen=True)
class Sizes:
    """The size of the measurement; without names, all chapters.

    `notebooks` is the number of rounds with nbgrader, one student each, and of students for pytest in every round.
    """

    students: int = 24
    rounds: int = 2
    notebooks: int = 2
    names: tuple[str, ...] = ()


@dataclass
class Round:
    """The measurements of one round, each added to the list of its way and kind."""

    bench: Bench
    sizes: Sizes
    students: Sequence[Path]
    chapter: str
    found: dict[str, list[float]] = field(default_factory=dict)
    right: list[Graded] = field(default_factory=list)

    def put(self, way: str, **values: float) -> None:
        """Add the values of one submission."""
        for kind, value in values.items():
            self.found.setdefault(f"{way}: {kind}", []).append(value)
        self.bench.bar.step()

    def floor(self) -> None:
        """Measure the floor; it must come first, as its results are the expected ones."""
        class_folder = str(self.students[0].parent)
        command = [sys.executable, "-m", "benchmarks.floor", class_folder, str(SEED), *self.sizes.names]
        done = timed(command, self.bench.course.root)
        self.right = [Graded(*each) for each in json.loads(done.output.splitlines()[-1])]
        seconds = sum(each.seconds for each in self.right) / len(self.right)
        self.put(FLOOR, seconds=seconds, core_seconds=seconds)
        self.found["floor of each student"] = [each.seconds for each in self.right]

    def attend(self, way: str, jobs: int) -> None:
        """Measure `attend grade` on the class, with its start-up apart."""
        options = ["--jobs", str(jobs), *(option for name in self.sizes.names for option in ("--only", name))]
        startup = self.bench.grade(write_empty_class(self.bench.new_folder(), jobs, self.chapter), *options)
        command = self.bench.grade_command(self.students[0].parent, *options)
        done = timed(command, self.bench.course.root)
        students, found = self.sizes.students, _results(Path(command[command.index("--out") + 1]))
        self.put(
            way,
            seconds=(done.seconds - startup.seconds) / students,
            core_seconds=(done.busy - startup.busy) / students,
            startup=startup.seconds,
            alike=_share(
                [outcome(result) == (g.points, g.passed) for result, g in zip(found, self.right, strict=True)]
            ),
        )

    def pytest(self) -> None:
        """Measure pytest, a process per student, one after the other."""
        some = self.students[: self.sizes.notebooks]
        done = [_pytest(self.bench.course, student, self.sizes.names) for student in some]
        self.put(
            PYTEST,
            seconds=sum(each.seconds for each, _ in done) / len(done),
            core_seconds=sum(each.busy for each, _ in done) / len(done),
            alike=_share([passed == g.passed for (_, passed), g in zip(done, self.right, strict=False)]),
        )

    def nbgrader(self, way: str, made: NbgraderCourse, number: int) -> None:
        """Measure nbgrader on one student."""
        made.hand_in(self.students[number])
        graded = made.autograde(self.students[number].name)
        self.put(
            way,
            seconds=graded.seconds,
            core_seconds=graded.busy,
            startup=graded.startup,
            alike=float(graded.points == self.right[number].points),
        )


def measure(bench: Bench, sizes: Sizes = Sizes()) -> Part:
    """Measure all ways in turn, `sizes.rounds` times."""
    chapters = list(dict.fromkeys(each.chapter for each in bench.course.select(sizes.names)))
    bench.bar.begin("the whole course", 2 * len(chapters) + 6 * sizes.rounds + 2 * sizes.notebooks)
    students = write_class(bench.course, bench.new_folder(), sizes.students, SEED, chapters)
    made = {
        way: NbgraderCourse(bench.course, bench.new_folder(), chapters, cell)
        for way, cell in ((NAMES, NAME_ONLY), (IN_KERNEL, CHECKS))
    }
    for each in made.values():
        for _ in each.make():
            bench.bar.step()
    rounds = Round(bench, sizes, students, chapters[0])
    for number in range(sizes.rounds):
        rounds.floor()
        rounds.attend(ALONE, 1)
        rounds.attend(MACHINE, cores())
        rounds.pytest()
        for way, course in made.items() if number < sizes.notebooks else ():
            rounds.nbgrader(way, course, number)
    return Part(COMMANDS, _sizes(bench.course, sizes, chapters), {k: tuple(v) for k, v in rounds.found.items()})


def _sizes(course: Course, sizes: Sizes, chapters: Sequence[str]) -> dict[str, float]:
    chosen = course.select(sizes.names)
    counted = {"chapters": len(chapters), "exercises": len(chosen), "checks": sum(each.checks for each in chosen)}
    measured = {"students": sizes.students, "rounds": sizes.rounds, "nbgrader students": sizes.notebooks}
    return dict(counted | measured | {"cores": cores()})


def _results(out: Path) -> list[SubmissionResult]:
    """Return the results, by the students' names."""
    paths = sorted((out / "results").glob("*.json"))
    return [msgspec.json.decode(path.read_bytes(), type=SubmissionResult) for path in paths]


def _share(alike: Sequence[bool]) -> float:
    return sum(alike) / len(alike)


def _pytest(course: Course, student: Path, names: Sequence[str]) -> tuple[Timed, int]:
    """Return the time, and the number of checks that passed; pytest exits with 1 if some failed."""
    chapters = dict.fromkeys(each.chapter for each in course.select(names))
    options = ["-p", "autograder.suite.plugin", "-p", "no:warnings", "-p", "no:cacheprovider", "-q"]
    suites = [str(course.suite(chapter)) for chapter in chapters]
    given = ["--target", str(student), "--seed", str(SEED)]
    command = [sys.executable, "-m", "pytest", *options, *suites, *given]
    done = timed(command, course.root, {"OMP_NUM_THREADS": "1"}, may_be=(0, 1))
    passed = re.findall(r"\b(\d+) passed", done.output)
    return done, int(passed[-1]) if passed else 0


def key_ratios(part: Part) -> list[Ratio]:
    """Compare attend with the floor, then the others with attend."""

    def over(one: str, other: str, kind: str = "seconds") -> Spread:
        return ratios(part.series[f"{one}: {kind}"], part.series[f"{other}: {kind}"])

    found = [Ratio("`attend grade --jobs 1` over the floor, a submission", over(ALONE, FLOOR), "at most 1.5")]
    for way in (NAMES, IN_KERNEL, PYTEST):
        found.append(Ratio(f"{way}, over attend: by the machine's clock", over(way, MACHINE)))
        found.append(Ratio(f"{way}, over attend: in core-seconds", over(way, ALONE, "core_seconds")))
    return found


def details(part: Part) -> str:
    """Return a table with a row per way."""

    def cell(way: str, kind: str) -> str:
        values = part.series.get(f"{way}: {kind}")
        return str(spread(values)) if values else ""

    def alike(way: str) -> str:
        values = part.series.get(f"{way}: alike")
        return f"{sum(values) / len(values):.0%}" if values else ""

    kinds = ("seconds", "core_seconds", "startup")
    rows = [[way, *(cell(way, kind) for kind in kinds), alike(way)] for way in WAYS]
    header = ["a submission", "seconds", "core-seconds", "start-up, seconds", "graded alike"]
    size = {name: f"{value:.0f}" for name, value in part.sizes.items()}
    each = ", ".join(figure(seconds) for seconds in part.series["floor of each student"])
    words = (
        f"{size['chapters']} chapters, {size['exercises']} exercises, {size['checks']} checks; {size['students']} "
        f"students in {size['rounds']} rounds, of which pytest graded the first {size['nbgrader students']}; "
        f"nbgrader graded one of them in each of {size['nbgrader students']} rounds, the first, then the next. They "
        f"differ: at the floor, in the last round, they took {each} seconds, in this order."
    )
    return f"{table(header, rows)}\n\n{words}"
