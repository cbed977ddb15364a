"""A result in the form that Gradescope reads: results.json.

Format: https://gradescope-autograders.readthedocs.io/en/latest/specs/. The top-level score overrides the sum of the
tests. A file with neither gives no grade, as for a submission on which the grader failed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from autograder.classroom.lost_files import held
from autograder.core.records import CheckResult, ExerciseResult, SubmissionResult
from autograder.core.text import join_names, one_line, plain

FIX = "Fix that and hand in again. If your file is right as it is, tell your instructor, who will look at it."
SORRY = "The grader itself failed, which is not your fault, and there is no score yet. Tell your instructor."
STARTED = "it was stopped before it came to an end; it may need more time or memory than the assignment's settings give"
Json = dict[str, Any]


def of(result: SubmissionResult) -> Json:
    """Return a result in Gradescope's form: a test for each check.

    If the grader failed on a part, there is no score and no test, whose points could be taken for one. Where a file
    could not be read or loaded, the output begins with that: the student can hand in again at once.
    """
    faults = [each for each in result.exercises if each.status == "grader_error"]
    if faults:
        lost = [check for each in faults for check in each.checks if check.status == "grader_error"]
        why = next((check.message.headline for check in lost), "")
        return failure(f"{join_names([each.exercise for each in faults])}: {why}")
    return {
        "score": _points(result.score),
        "execution_time": round(result.seconds, 1),
        "output": "\n".join(_headlines(result)),
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "extra_data": {"sandbox": result.sandbox, "seed": result.seed, "versions": result.versions},
        "tests": [
            _test(exercise, check, f"{first}.{second}")
            for first, exercise in enumerate(result.exercises, 1)
            for second, check in enumerate(exercise.checks, 1)
        ],
    }


def failure(why: str) -> Json:
    """Return Gradescope's form of a submission without a verdict."""
    return {
        "output": f"{SORRY}\nWhat happened: {one_line(why, 500)}",
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
    }


def _headlines(result: SubmissionResult) -> Iterator[str]:
    waiting = held(result.exercises)
    yield from (f"No grade yet: {each.says}" for each in waiting)
    yield from [FIX] * bool(waiting)
    yield f"{_points(result.score):g} of {_points(result.max_score):g} points{' so far' if waiting else ''}"
    for exercise in result.exercises:
        named = [check for check in exercise.checks if check.misconceptions]
        if named:
            headline = one_line(named[0].message.headline, 300)
            yield f"{exercise.exercise}: {headline} (attend explain {named[0].misconceptions[0]})"
    yield from (f"note: {one_line(note, 300)}" for note in result.notes)


def _test(exercise: ExerciseResult, check: CheckResult, number: str) -> Json:
    return {
        "number": number,
        "name": f"{exercise.exercise}: {plain(check.sentence)}",
        "score": _points(check.points),
        "max_score": _points(check.max_points),
        "status": "passed" if check.status == "passed" else "failed",
        "output": check.message.text,
        "output_format": "text",
        "tags": [exercise.chapter, *check.misconceptions],
        "visibility": "visible",
    }


def _points(points: float) -> float:
    """Round away the errors of floating-point sums."""
    return round(points, 6)
