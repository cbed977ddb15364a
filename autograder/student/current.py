"""Which exercise a student is at, so that `attend hint` needs no name."""

from __future__ import annotations

from autograder.course import Course, Exercise
from autograder.effort import efforts
from autograder.errors import UsageError
from autograder.student.path import ahead
from autograder.student.progress import Progress


def current(course: Course) -> Exercise:
    """Of the exercises tried and not passed the first in the file saved last; without one, what the map calls next.

    Raises:
        UsageError: this is no working copy, or everything is passed.
    """
    if not course.is_copy:
        raise UsageError("say which exercise is meant; `attend list` shows them all")
    progress = Progress.load(course)
    proposed = ahead(course.exercises, progress.passed, efforts(course))
    if proposed is None:
        raise UsageError("every exercise is passed; say which one is meant")
    tried = {name for name, known in progress.last.items() if known.result.status not in ("passed", "missing")}
    left = [each for each in course.exercises if each.checks and each.name in tried]
    return max(left, key=lambda each: _saved(course, each.chapter), default=proposed)


def _saved(course: Course, chapter: str) -> float:
    """When the chapter was saved last, in either form."""
    paths = [course.exercises_dir / f"{chapter}{suffix}" for suffix in (".py", ".ipynb")]
    return max((path.stat().st_mtime for path in paths if path.is_file()), default=0.0)
