"""Grade independent right answers with many seeds, default dtypes and numbers of threads: no check may be lost."""

from __future__ import annotations

import multiprocessing
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import NamedTuple

from rich.console import Console

from autograder.author.proof.answers import ENOUGH, answers
from autograder.author.proof.record import Gallery, gallery_digest
from autograder.core.progress import steps
from autograder.core.records import SubmissionResult
from autograder.course.course import Course

SETTINGS = (("float32", 1), ("float64", 1), ("float32", 4), ("float64", 4))
"""Torch's default dtype and number of threads; the seeds take turns."""


class Wanted(NamedTuple):
    """What is graded together: a chapter, or one exercise of it, and what the record calls it."""

    name: str
    chapter: str
    exercises: tuple[str, ...]


class Lost(NamedTuple):
    """A check that a right answer lost, and what is printed of it."""

    style: str
    check: str
    text: str


class Round(NamedTuple):
    """All right answers to some exercises, graded once with one seed under one setting."""

    gradings: int
    checks: int
    lost: tuple[Lost, ...]


def wanted(course: Course, names: Sequence[str]) -> list[Wanted]:
    """Chapters of which all exercises are meant, and single exercises of others."""
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
    """Grade them in fresh processes, with a progress bar; each is handed out when it is done, with its name."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, context) as pool, steps(console) as progress:
        task = progress.add_task("grading right answers", total=seeds * len(chosen))
        waiting = {
            pool.submit(_round, course.root, each, seed): each for each in chosen for seed in range(1, seeds + 1)
        }
        done: dict[str, list[Round]] = {each.name: [] for each in chosen}
        shown = set[tuple[str, str]]()  # a wrong answer loses a check with every seed
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
    """What the record keeps; of exercises with fewer right answers than are enough, nothing is proven."""
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
    """In a process of its own, where a setting disturbs nobody."""
    import warnings

    import torch

    from autograder.calls.local import LocalTarget
    from autograder.judging.judge import judge, warm_up

    warnings.simplefilter("ignore")  # a warning of a student's own code costs nothing
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
        Lost(style, check.name, f"{about.chapter}, {style}, {setting}: {check.name}: {check.message.text}")
        for style, check in checks
        if check.status != "passed"
    )
    return Round(sum(bool(each.exercises) for each in results), len(checks), lost)
