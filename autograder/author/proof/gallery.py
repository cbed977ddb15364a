"""Grade independent right answers with many seeds, default dtypes and numbers of threads: no check may be lost."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import NamedTuple

from rich.console import Console

from autograder.author.proof.record import Gallery, gallery_digest
from autograder.core.progress import steps
from autograder.core.records import SubmissionResult
from autograder.course.course import Course
from autograder.intake.artefacts import of_course

FOLDER = Path("tests", "promises", "right")
SETTINGS = (("float32", 1), ("float64", 1), ("float32", 4), ("float64", 4))
"""Torch's default dtype and number of threads; the seeds take turns."""


class Round(NamedTuple):
    """All right answers of a chapter, graded once with one seed under one setting."""

    chapter: str
    seed: int
    gradings: int
    checks: int
    lost: tuple[str, ...]


def answers(course: Course, chapter: str) -> list[Path]:
    """The files with right answers to a chapter."""
    return sorted((course.root / FOLDER / chapter).glob("*.py"))


def run(
    course: Course, chapters: Sequence[str], jobs: int, seeds: int, console: Console
) -> Iterator[tuple[str, Gallery]]:
    """Grade them in fresh processes, with a progress bar; each chapter is handed out when it is done."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, context) as pool, steps(console) as progress:
        task = progress.add_task("grading right answers", total=seeds * len(chapters))
        waiting = {
            pool.submit(_round, course.root, chapter, seed): chapter
            for chapter in chapters
            for seed in range(1, seeds + 1)
        }
        done: dict[str, list[Round]] = {chapter: [] for chapter in chapters}
        for future in as_completed(waiting):
            rounds = done[waiting[future]]
            rounds.append(future.result())
            progress.update(task, advance=1, refresh=True)
            for text in rounds[-1].lost:
                progress.console.print(text, style="red", markup=False)
            if len(rounds) == seeds:
                yield waiting[future], _sum(course, rounds)


def _sum(course: Course, rounds: Sequence[Round]) -> Gallery:
    chapter = rounds[0].chapter
    found = answers(course, chapter)
    return Gallery(
        gallery_digest(course, chapter, found),
        len(found),
        len(rounds),
        sum(each.gradings for each in rounds),
        sum(each.checks for each in rounds),
        sum(len(each.lost) for each in rounds),
    )


def _round(root: Path, chapter: str, seed: int) -> Round:
    """In a process of its own, where a setting disturbs nobody."""
    import warnings

    import torch

    from autograder.calls.local import LocalTarget
    from autograder.core.submission import one_chapter
    from autograder.judging.judge import judge, warm_up

    warnings.simplefilter("ignore")  # a warning of a student's own code costs nothing
    course = Course(root)
    dtype, threads = SETTINGS[seed % len(SETTINGS)]
    results: list[SubmissionResult] = []
    found = {path.stem: path.read_text(encoding="utf-8") for path in answers(course, chapter)}
    warm_up()
    torch.set_num_threads(threads)
    torch.set_default_dtype(getattr(torch, dtype))
    try:
        submissions = [one_chapter(style, chapter, text, of_course(course, chapter)) for style, text in found.items()]
        jobs = [(submission, LocalTarget(submission)) for submission in submissions]
        judge(course, course.of(chapter), jobs, seed, results.append)
    finally:
        torch.set_default_dtype(torch.float32)
    checks = [(each.student, check) for each in results for exercise in each.exercises for check in exercise.checks]
    lost = tuple(
        f"{chapter}, {style}, seed {seed}, {dtype}, {threads} threads: {check.name}: {check.message.text}"
        for style, check in checks
        if check.status != "passed"
    )
    return Round(chapter, seed, len(results), len(checks), lost)
