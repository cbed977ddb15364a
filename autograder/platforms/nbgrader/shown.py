"""A pytest plugin that leaves out the checks that only the grader runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from autograder.core.records import CheckResult

if TYPE_CHECKING:
    import pytest

HIDDEN = "edges"
"""The level of checks that an instructor can hide from students."""


def hidden_line(hidden: Sequence[CheckResult]) -> str:
    """Return all that students may read about hidden checks: how many passed."""
    passed = sum(check.status == "passed" for check in hidden)
    return f"hidden checks: {passed} of {len(hidden)} passed"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    from autograder.suite.check import Check

    items[:] = [item for item in items if not (check := Check.of(item)) or check.level != HIDDEN]
