"""The capstones, trained with the solutions as a student's answers: time and score, goals and baselines."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from statistics import fmean
from typing import NamedTuple

from autograder.calls.artefact import read_artefact
from autograder.core.errors import AttendError
from autograder.course.course import Course
from autograder.intake.artefacts import FOLDER, SUFFIX
from autograder.student.capstones.assembly import recipes
from autograder.student.capstones.recipe import Recipe
from autograder.student.start import start
from benchmarks.bench import Bench
from benchmarks.machine import program, timed
from benchmarks.record import Part
from benchmarks.spread import Ratio, ratios, spread, table

UNTRAINED = (0, 1)
"""Exit statuses to accept: checks of models that are not trained yet fail, and a training may miss its goal."""
IMDB, WEIGHTS = "ATTEND_IMDB", "ATTEND_WEIGHTS"
GIVEN = {"sentiment-imdb": ("--data", IMDB), "meaning": ("--weights", WEIGHTS)}
"""Trainings from files that are no part of the course: the option that takes a path, and the variable that holds it."""
SECONDS = {"reverse": 30.0, "sentiment": 60.0, "sentiment-imdb": 54.0, "shakespeare": 180.0, "digits": 60.0}
ABOUT = f"""\
Each is `attend train NAME --seed SEED` in a working copy with the solutions, with three seeds: start, training, page
and, for sentiment, shakespeare and digits, a shorter training without positions. The checks of its pieces were run
before. The score is that on held-out examples. *At its goal* counts the trainings that reach the last goal, *above*
those that beat every baseline. Sentiment is also trained on IMDB's reviews where {IMDB} names them, and meaning with
the weights that {WEIGHTS} names."""


class Trained(NamedTuple):
    """A capstone to train: its name, the options of its command, and the recipe that knows its goals and baselines."""

    name: str
    options: tuple[str, ...]
    recipe: Recipe | None


def chosen(course: Course) -> Iterator[Trained]:
    """Yield the capstones of the course, and what is trained from files that the environment names."""
    for kind in recipes(course):
        if kind.name not in GIVEN:
            yield Trained(kind.name, (), kind())
    for name, (option, variable) in GIVEN.items():
        if path := os.environ.get(variable):
            yield Trained(name, (option, path), None)


def measure(bench: Bench, seeds: int = 3) -> Part:
    """Train every capstone with each seed, after a check of all pieces that is not measured."""
    capstones = [*chosen(bench.course)]
    bench.bar.begin("capstones", len(capstones) * seeds + 1)
    root = start(bench.course, bench.new_folder() / "copy").root
    for path in bench.course.solutions_dir.glob("ch*.py"):
        shutil.copy(path, root / "exercises")
    timed([program("attend"), "check"], root, may_be=UNTRAINED)
    bench.bar.step()
    found: dict[str, list[float]] = {}
    for name, options, recipe in capstones:
        for seed in range(seeds):
            command = [program("attend"), "train", name.partition("-")[0], "--seed", str(seed), *options]
            done = timed(command, root, may_be=UNTRAINED)
            file = root / "exercises" / FOLDER / f"{name}{SUFFIX}"
            model = read_artefact(file)
            if model is None or model.score is None:
                raise AttendError(f"attend train {name} left no model:\n{done.output}")
            file.unlink()  # or the better model of an earlier seed would stay
            figures = {"seconds": done.seconds, "core_seconds": done.busy, "score": model.score}
            for kind, value in (figures | standing(recipe, model.score)).items():
                found.setdefault(f"{name}: {kind}", []).append(value)
            bench.bar.step()
    commands = tuple(f"attend train {each.name}" for each in capstones)
    return Part(commands, {"seeds": seeds}, {name: tuple(values) for name, values in found.items()})


def standing(recipe: Recipe | None, score: float) -> dict[str, float]:
    """Return 1 or 0 for whether a score reaches the last goal, and whether it beats every baseline."""
    if recipe is None:
        return {}
    above = all(recipe.is_better(score, baseline.value) for baseline in recipe.baselines())
    return {"at its goal": float(recipe.reaches(score, recipe.goals[-1])), "above": float(above)}


def key_ratios(part: Part) -> list[Ratio]:
    limits = [
        Ratio(f"`attend train {name}` over {limit} s", ratios(seconds, [limit] * len(seconds)), "at most 1")
        for name, limit in SECONDS.items()
        if (seconds := part.series.get(f"{name}: seconds"))
    ]
    judged = {
        kind: [fmean(values) for name, values in part.series.items() if name.endswith(f": {kind}")]
        for kind in ("at its goal", "above")
    }
    words = {"at its goal": "trainings that reach the last goal", "above": "trainings that beat every baseline"}
    shares = [Ratio(f"{words[kind]}, over all", spread(each), "1") for kind, each in judged.items() if each]
    return limits + shares


def details(part: Part) -> str:
    rows = []
    for name in (key.removesuffix(": score") for key in part.series if key.endswith(": score")):
        scores, *times = (part.series[f"{name}: {kind}"] for kind in ("score", "seconds", "core_seconds"))
        counts = [_count(part.series.get(f"{name}: {kind}", ())) for kind in ("at its goal", "above")]
        rows.append([f"`{name}`", f"{fmean(scores):.3f}", *(str(spread(each)) for each in (scores, *times)), *counts])
    return table(["capstone", "mean score", "score", "seconds", "core-seconds", "at its goal", "above"], rows)


def _count(held: tuple[float, ...]) -> str:
    return f"{sum(held):.0f} of {len(held)}" if held else ""
