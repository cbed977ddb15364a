"""What wrong answers cost: a class of right ones beside one of mostly wrong ones."""

from __future__ import annotations

from benchmarks.bench import SEED, Bench
from benchmarks.machine import cores
from benchmarks.made_class import right_text, write_class, write_empty_class, wrong_text
from benchmarks.record import Part
from benchmarks.spread import Ratio, ratios, spread, table

RIGHT, WRONG = "right answers", "mostly wrong answers"
TEXTS = {RIGHT: right_text, WRONG: wrong_text}
ABOUT = """\
The whole course with the default settings of `attend grade`: as many jobs as cores. In one class every answer is right.
In the other, two exercises of three have a known mistake, drawn anew for each student, so that each wrong answer is
looked into, named and shrunk to its smallest example. Start-up is as for the whole course, and both take turns."""


def measure(bench: Bench, students: int = 8, rounds: int = 2, names: tuple[str, ...] = ()) -> Part:
    """Grade both classes in turn."""
    chapters = list(dict.fromkeys(each.chapter for each in bench.course.select(names)))
    bench.bar.begin("right and wrong answers", rounds * (1 + len(TEXTS)))
    folders = {
        way: write_class(bench.course, bench.new_folder(), students, SEED, chapters, TEXTS[way]) for way in TEXTS
    }
    options = [option for name in names for option in ("--only", name)]
    found: dict[str, list[float]] = {}
    for _ in range(rounds):
        startup = bench.grade(write_empty_class(bench.new_folder(), cores(), chapters[0]), *options)
        for way, each in folders.items():
            done = bench.grade(each[0].parent, *options)
            found.setdefault(f"{way}: seconds", []).append((done.seconds - startup.seconds) / students)
            found.setdefault(f"{way}: core_seconds", []).append((done.busy - startup.busy) / students)
    sizes = {"students": float(students), "rounds": float(rounds), "cores": float(cores())}
    command_line = f"attend grade CLASS --out OUT --seed {SEED}"
    return Part((command_line,), sizes, {kind: tuple(values) for kind, values in found.items()})


def key_ratios(part: Part) -> list[Ratio]:
    """Compare a submission of the one class with one of the other."""
    times = ratios(part.series[f"{WRONG}: core_seconds"], part.series[f"{RIGHT}: core_seconds"])
    return [Ratio("a submission of mostly wrong answers over one of right answers, in core-seconds", times)]


def details(part: Part) -> str:
    kinds = ("seconds", "core_seconds")
    rows = [[way, *(str(spread(part.series[f"{way}: {kind}"])) for kind in kinds)] for way in TEXTS]
    size = {name: f"{value:.0f}" for name, value in part.sizes.items()}
    words = f"{size['students']} students in each class, {size['rounds']} rounds, {size['cores']} cores."
    return f"{table(['a submission', 'seconds', 'core-seconds'], rows)}\n\n{words}"
