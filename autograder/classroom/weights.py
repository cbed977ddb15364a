"""What exercises and nearly right answers count, as a teacher's policy says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from autograder.core.records import CheckResult, ExerciseResult, SubmissionResult

FEW_DIGITS = "few-digits"
"""The mistake of an answer that is right but for precision."""


def weighed(result: SubmissionResult, weights: Mapping[str, float], few_digits: float) -> SubmissionResult:
    """Return the result with other points.

    Args:
        weights: factors of the points of exercises, by name; 1 for the others.
        few_digits: the share of its points that a check keeps whose numbers are right but for precision.
    """
    if not weights and not few_digits:
        return result
    exercises = tuple(_exercise(each, weights.get(each.exercise, 1.0), few_digits) for each in result.exercises)
    score, most = sum(each.score for each in exercises), sum(each.max_score for each in exercises)
    return replace(result, exercises=exercises, score=score, max_score=most)


def _exercise(result: ExerciseResult, weight: float, few_digits: float) -> ExerciseResult:
    checks = [_check(check, weight, few_digits) for check in result.checks]
    return ExerciseResult.of(result.chapter, result.exercise, checks)


def _check(check: CheckResult, weight: float, few_digits: float) -> CheckResult:
    share = few_digits if check.misconceptions == (FEW_DIGITS,) else 0.0
    points = max(check.points, share * check.max_points)
    return replace(check, points=round(weight * points, 6), max_points=round(weight * check.max_points, 6))
