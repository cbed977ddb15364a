"""Read a class submission by submission, each within bounds, so that an unreadable one affects only its owner."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from rich.console import Console

from autograder.core.progress_bar import steps
from autograder.core.submission import ChapterSource, Problem, Submission
from autograder.course.course import Course
from autograder.grading.bounded import BOUNDS, Bounds, NotDoneError, bounded, each_bounded
from autograder.intake.chapter_source import manifest_of
from autograder.intake.submissions import HandIn, read_submission

PATIENCE = 2.0  # seconds without a bar


def read_class(entries: Sequence[HandIn], course: Course, console: Console, jobs: int = 1) -> dict[str, Submission]:
    """Return the submissions by the stems of their files, `jobs` read at a time; a progress bar if it takes long."""
    for chapter in course.chapters:
        manifest_of(course, chapter)  # once here, and not in each of the forked processes
    found, began = dict[str, Submission](), time.monotonic()
    progress = steps(console)
    try:
        task = progress.add_task("reading", total=len(entries))
        for entry, read in zip(entries, read_in_bounds(entries, course, jobs), strict=True):
            found[entry.stem] = read
            progress.advance(task)
            if time.monotonic() - began > PATIENCE:
                progress.start()
                progress.refresh()
    finally:
        if progress.live.is_started:
            progress.stop()
    return found


def read_in_bounds(
    entries: Sequence[HandIn], course: Course, jobs: int = 1, bounds: Bounds = BOUNDS
) -> Iterator[Submission]:
    """Yield what `read_submission` returns; if that goes over `bounds`, read each chapter by itself."""
    works = (partial(read_submission, entry, course) for entry in entries)
    for entry, read in zip(entries, each_bounded(works, Submission, bounds, jobs), strict=True):
        yield _by_chapter(entry, course, bounds) if isinstance(read, NotDoneError) else read


def _by_chapter(entry: HandIn, course: Course, bounds: Bounds) -> Submission:
    parts = [_chapter(entry, course, chapter, bounds) for chapter in course.chapters]
    return Submission(
        entry.student,
        {chapter: source for part in parts for chapter, source in part.chapters.items()},
        {chapter: why for part in parts for chapter, why in part.absent.items()},
        tuple(dict.fromkeys(note for part in parts for note in part.notes)),
    )


def _chapter(entry: HandIn, course: Course, chapter: str, bounds: Bounds) -> Submission:
    try:
        return bounded(partial(read_submission, entry, replace(course, only=(chapter,))), Submission, bounds)
    except NotDoneError as error:
        says = f"{chapter}: what was handed in {error}"
        return Submission(
            entry.student, {chapter: ChapterSource(chapter, "", chapter, Problem("syntax", says))}, {}, (says,)
        )
