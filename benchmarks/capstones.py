"""The five capstones, trained with the solutions as a student's answers: time and score."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from statistics import fmean

from autograder.calls.artefact import read_artefact
from autograder.core.errors import AttendError
from autograder.intake.artefacts import FOLDER, SUFFIX
from autograder.student.start import start
from benchmarks.bench import Bench
from benchmarks.machine import program, timed
from benchmarks.record import Part
from benchmarks.spread import Ratio, ratios, spread, table

NAMES = ("reverse", "french", "markov", "sentiment", "shakespeare", "digits")
UNTRAINED = (0, 1)
"""Exit statuses to accept: checks of models that are not trained yet fail, and a training may miss its goal."""
IMDB = "ATTEND_IMDB"
SECONDS = {"reverse": 30.0, "sentiment-imdb": 54.0, "shakespeare": 180.0, "digits": 20.0}
ABOUT = f"""\
Each is `attend train NAME --seed SEED` in a working copy with the solutions, with three seeds: start, training, page
and, but for reverse and markov, a short second training without positions. The checks of its pieces were run before.
The score is that on held-out examples. Sentiment is also trained on IMDB's reviews where {IMDB} names them."""


def measure(bench: Bench, seeds: int = 3) -> Part:
    """Train every capstone with each seed, after a check of all pieces that is not measured."""
    place = Path(os.environ[IMDB]) if os.environ.get(IMDB) else None
    names = [*NAMES, *(["sentiment-imdb"] if place else [])]
    bench.bar.begin("capstones", len(names) * seeds + 1)
    root = start(bench.course, bench.new_folder() / "copy").root
    for path in bench.course.solutions_dir.glob("ch*.py"):
        shutil.copy(path, root / "exercises")
    timed([program("attend"), "check"], root, may_be=UNTRAINED)
    bench.bar.step()
    found: dict[str, list[float]] = {}
    for name in names:
        for seed in range(seeds):
            more = ["--data", str(place)] if name not in NAMES else []
            done = timed(
                [program("attend"), "train", name.partition("-")[0], "--seed", str(seed), *more], root, may_be=UNTRAINED
            )
            file = root / "exercises" / FOLDER / f"{name}{SUFFIX}"
            model = read_artefact(file)
            if model is None or model.score is None:
                raise AttendError(f"attend train {name} left no model:\n{done.output}")
            file.unlink()  # or the better model of an earlier seed would stay
            found.setdefault(f"{name}: seconds", []).append(done.seconds)
            found.setdefault(f"{name}: core_seconds", []).append(done.busy)
            found.setdefault(f"{name}: score", []).append(model.score)
            bench.bar.step()
    commands = tuple(f"attend train {name}" for name in names)
    return Part(commands, {"seeds": seeds}, {name: tuple(values) for name, values in found.items()})


def key_ratios(part: Part) -> list[Ratio]:
    return [
        Ratio(f"`attend train {name}` over {limit} s", ratios(seconds, [limit] * len(seconds)), "at most 1")
        for name, limit in SECONDS.items()
        if (seconds := part.series.get(f"{name}: seconds"))
    ]


def details(part: Part) -> str:
    rows = []
    for name in (key.removesuffix(": score") for key in part.series if key.endswith(": score")):
        scores, *times = (part.series[f"{name}: {kind}"] for kind in ("score", "seconds", "core_seconds"))
        rows.append([f"`{name}`", f"{fmean(scores):.3f}", *(str(spread(each)) for each in (scores, *times))])
    return table(["capstone", "mean score", "score", "seconds", "core-seconds"], rows)
