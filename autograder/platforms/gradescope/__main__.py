"""Run by run_autograder: grade one submission behind the wall that is available, and write results.json.

Usage: python -m autograder.platforms.gradescope FOLDER [NAMES], where FOLDER is /autograder.
"""

from __future__ import annotations

import json
import sys
import tempfile
import traceback
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from autograder.core import files
from autograder.core.errors import AttendError
from autograder.core.records import SubmissionResult
from autograder.course.course import Course
from autograder.grading.run import GradingOptions, grade_entries
from autograder.intake.submissions import HandIn
from autograder.platforms.gradescope import results

NAME = "submission"


def main(folder: Path, names: Sequence[str]) -> int:
    """Grade the submission in `folder`; return 1 if the grader failed. Only instructors see what is printed."""
    path = folder / "results" / "results.json"
    _write(path, results.failure(results.STARTED))
    try:
        found = results.of(grade(Course(folder / "source"), folder / NAME, names))
    except AttendError as error:
        found = results.failure(str(error))
    except Exception as error:  # without a file, Gradescope would show no reason
        traceback.print_exc()
        found = results.failure(f"{type(error).__name__}: {error}")
    _write(path, found)
    print(found["output"])
    return 0 if "score" in found else 1


def grade(course: Course, submission: Path, names: Sequence[str]) -> SubmissionResult:
    """Grade the submission in a folder as `attend grade` does.

    Raises:
        AttendError: it could not be graded.
    """
    exercises = course.select(names)
    only = tuple(dict.fromkeys(exercise.chapter for exercise in exercises))
    with tempfile.TemporaryDirectory() as place:
        entries = [HandIn(NAME, NAME, submission)]
        options = GradingOptions(jobs=1)
        out = Path(place) / "grades"
        graded = grade_entries(replace(course, only=only), entries, out, exercises, options, Console(width=120))
    if NAME not in graded.results:
        raise AttendError("grading was stopped; hand in again")
    return graded.results[NAME]


def _write(path: Path, found: results.Json) -> None:
    files.write(path, json.dumps(found, ensure_ascii=False, indent=1).encode("utf-8", "replace").decode() + "\n")


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
