"""A class read submission by submission, each in bounds of its own: what no program can read costs its owner alone."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from rich.console import Console

from autograder.core.progress import steps
from autograder.core.submission import ChapterSource, Problem, Submission
from autograder.course.course import Course
from autograder.grading.bounded import BOUNDS, Bounds, NotDoneError, bounded
from autograder.intake.submissions import Entry, manifest_of, read_submission

PATIENCE = 2.0  # seconds without a bar


def read_class(entries: Sequence[Entry], course: Course, console: Console) -> dict[str, Submission]:
    """The submissions by the stems of their files; a bar says how far it is where that takes long."""
    for chapter in course.chapters:
        manifest_of(course, chapter)  # once, not in each of the processes that are forked from here
    found, began = dict[str, Submission](), time.monotonic()
    progress = steps(console)
    try:
        task = progress.add_task("reading", total=len(entries))
        for entry in entries:
            found[entry.stem] = read_in_bounds(entry, course)
            progress.advance(task)
            if time.monotonic() - began > PATIENCE:
                progress.start()
                progress.refresh()
    finally:
        if progress.live.is_started:
            progress.stop()
    return found


def read_in_bounds(entry: Entry, course: Course, bounds: Bounds = BOUNDS) -> Submission:
    """The same as `read_submission`; where that comes to no end, each chapter is read by itself."""
    try:
        return bounded(lambda: read_submission(entry, course), Submission, bounds)
    except NotDoneError:
        parts = [_chapter(entry, course, chapter, bounds) for chapter in course.chapters]
    return Submission(
        entry.student,
        {chapter: source for part in parts for chapter, source in part.chapters.items()},
        {chapter: why for part in parts for chapter, why in part.absent.items()},
        tuple(dict.fromkeys(note for part in parts for note in part.notes)),
    )


def _chapter(entry: Entry, course: Course, chapter: str, bounds: Bounds) -> Submission:
    try:
        return bounded(lambda: read_submission(entry, replace(course, only=(chapter,))), Submission, bounds)
    except NotDoneError as error:
        says = f"{chapter}: what was handed in {error}"
        return Submission(
            entry.student, {chapter: ChapterSource(chapter, "", chapter, Problem("syntax", says))}, {}, (says,)
        )
