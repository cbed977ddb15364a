"""Reading of stored results, including version 1, which stored each message as one text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from autograder.core.message import Line, Message, of_first_version
from autograder.core.records import CheckResult, ExerciseResult


def upgraded(record: Any) -> Any:
    """Return decoded JSON with every check's message in the form of version 2."""
    if isinstance(record, list):
        return [upgraded(each) for each in record]
    if not isinstance(record, dict):
        return record
    if {"sentence", "message"} <= set(record) and isinstance(record["message"], str):
        return {**record, "message": asdict(of_first_version(record["message"]))}
    return {key: upgraded(value) for key, value in record.items()}


def exercise_of(record: Mapping[str, Any]) -> ExerciseResult:
    """Return an exercise's result, without pictures, from its JSON.

    Raises:
        KeyError, TypeError, ValueError: the record has another form.
    """
    known = upgraded(record)
    return ExerciseResult(**{**known, "checks": tuple(map(_check_of, known["checks"]))})


def _check_of(record: Mapping[str, Any]) -> CheckResult:
    message, named = record["message"], tuple(record["misconceptions"])
    line = Line(**message["line"]) if message["line"] else None
    return CheckResult(**{**record, "message": Message(**{**message, "line": line}), "misconceptions": named})
