"""The marker of a graded check."""

from __future__ import annotations

import pytest

from autograder.course.marks import Level


def exercise(name: str, *, points: float, level: Level) -> pytest.MarkDecorator:
    """Mark a test as a check of exercise `name` worth `points`; its docstring is what students read."""
    return pytest.mark.exercise(name, points=points, level=level)
