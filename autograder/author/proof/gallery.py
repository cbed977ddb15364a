"""Grade independent right answers with many seeds, default dtypes and numbers of threads; none may lose a check."""

from __future__ import annotations

import multiprocessing
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import NamedTuple

from rich.console import Console

from autograder.author.proof.proof_record import Gallery, gallery_digest
from autograder.author.proof.right_answers import ENOUGH, answers
from autograder.core.progress_bar import steps
from autograder.core.records import SubmissionResult
from autograder.course.course import Course

SETTINGS = (("float32", 1), ("float64", 1), ("float32", 4), ("float64", 4))
"""Torch's default dtype and number of threads; the seeds go through these pairs in turn."""


class Wanted(NamedTuple):
    """A chapter, or one of its exercises, to be graded together; `name` is its name in the record."""

    name: str
    chapter: str
    exercises: tuple[str, ...]


class LostCheck(NamedTuple):
    """A check that a right answer lost, and the text to print about it."""

    style: str
    check: str
    text: str


class Round(NamedTuple):
    """The result of grading all right answers to some exercises once, with one seed under one setting."""

    gradings: int
    checks: int
    lost: tuple[LostCheck, ...]


def wanted(course: Course, names: Sequence[str]) -> list[Wanted]:
    """Return the chapters all of whose exercises are selected, and the single exercises selected from others."""
    chosen = course.select(names)
    found: dict[str, Wanted] = {}
    for each in chosen:
        whole = tuple(one.name for one in course.of(each.chapter) if one in chosen)
        all_of_it = len(whole) == len(course.of(each.chapter))
        name, exercises = (each.chapter, whole) if all_of_it else (each.name, (each.name,))
        found[name] = Wanted(name, each.chapter, exercises)
    return list(found.values())


def run(
    course: Course, chosen: Sequence[Wanted], jobs: int, seeds: int, console: Console
) -> Iterator[tuple[str, Gallery]]:
    """Grade what is `chosen` in fresh processes, with a progress bar; yield each gallery with its name when done."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, context) as pool, steps(console) as progress:
        task = progress.add_task("grading right answers", total=seeds * len(chosen))
        waiting = {
            pool.submit(_round, course.root, each, seed): each for each in chosen for seed in range(1, seeds + 1)
        }
        done: dict[str, list[Round]] = {each.name: [] for each in chosen}
        shown = set[tuple[str, str]]()  # a wrong answer may lose a check with every seed
        for future in as_completed(waiting):
            rounds = done[waiting[future].name]
            rounds.append(future.result())
            progress.update(task, advance=1, refresh=True)
            for lost in rounds[-1].lost:
                if (lost.style, lost.check) not in shown:
                    progress.console.print(lost.text, style="red", markup=False)
                shown.add((lost.style, lost.check))
            if len(rounds) == seeds:
                yield waiting[future].name, _sum(course, waiting[future], rounds)


def _sum(course: Course, about: Wanted, rounds: Sequence[Round]) -> Gallery:
    """Return what the record keeps; an exercise with too few right answers is not proven."""
    found = answers(course, about.chapter)
    count = Counter(name for answer in found for name in answer.exercises)
    proven = tuple(name for name in about.exercises if count[name] >= ENOUGH)
    return Gallery(
        gallery_digest(course, about.chapter, proven),
        proven,
        sum(bool({*answer.exercises} & {*proven}) for answer in found),
        len(rounds),
        sum(each.gradings for each in rounds),
        sum(each.checks for each in rounds),
        sum(len(each.lost) for each in rounds),
    )


def _round(root: Path, about: Wanted, seed: int) -> Round:
    """Grade the right answers once; this runs in its own process, where torch's settings disturb nothing else."""
    import warnings

    import torch

    from autograder.calls.local import LocalTarget
    from autograder.judging.judge import judge, warm_up

    warnings.simplefilter("ignore")  # a warning from a student's own code costs no points
    course = Course(root)
    dtype, threads = SETTINGS[seed % len(SETTINGS)]
    results: list[SubmissionResult] = []
    found = [each.submission(course) for each in answers(course, about.chapter)]
    exercises = [each for each in course.of(about.chapter) if each.name in about.exercises]
    warm_up()
    torch.set_num_threads(threads)
    torch.set_default_dtype(getattr(torch, dtype))
    try:
        judge(course, exercises, [(each, LocalTarget(each)) for each in found], seed, results.append)
    finally:
        torch.set_default_dtype(torch.float32)
    checks = [(each.student, check) for each in results for exercise in each.exercises for check in exercise.checks]
    setting = f"seed {seed}, {dtype}, {threads} threads"
    lost = tuple(
        LostCheck(style, check.name, f"{about.chapter}, {style}, {setting}: {check.name}: {check.message.text}")
        for style, check in checks
        if check.status != "passed"
    )
    return Round(sum(bool(each.exercises) for each in results), len(checks), lost)
