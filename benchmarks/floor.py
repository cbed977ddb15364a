"""`python -m benchmarks.floor FOLDER SEED [NAME…]`: the checks with nothing around them.

One process, one thread, warm after a first submission that is not counted; no wall, and no output files.
"""

from __future__ import annotations

import itertools
import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from autograder.calls.local import LocalTarget
from autograder.calls.target import Target
from autograder.core.records import SubmissionResult
from autograder.core.submission import Submission
from autograder.course.course import Course
from autograder.intake.submissions import find_submissions, read_submission
from autograder.judging.judge import judge, warm_up


class Graded(NamedTuple):
    """The time and result of one submission."""

    seconds: float
    points: float
    passed: int


def floor(course: Course, folder: Path, seed: int, names: Sequence[str]) -> list[Graded]:
    """Grade every submission in `folder`, by name; each is timed from reading it to its result."""
    warm_up()
    entries = find_submissions(folder, course)
    moments: list[float] = []

    def jobs() -> Iterator[tuple[Submission, Target]]:
        for entry in (entries[0], *entries):
            moments.append(time.perf_counter())
            submission = read_submission(entry, course)
            yield submission, LocalTarget(submission)
        moments.append(time.perf_counter())

    results: list[SubmissionResult] = []
    judge(course, course.select(names), jobs(), seed, results.append)
    seconds = [after - before for before, after in itertools.pairwise(moments)]
    return [Graded(taken, *outcome(result)) for taken, result in zip(seconds[1:], results[1:], strict=True)]


def outcome(result: SubmissionResult) -> tuple[float, int]:
    """Return the points, and the number of checks that passed."""
    checks = [check for exercise in result.exercises for check in exercise.checks]
    return result.score, sum(check.status == "passed" for check in checks)


if __name__ == "__main__":
    # The result is on a line of its own, the last one, as students' code may print too.
    print("\n" + json.dumps(floor(Course.find(), Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])))
