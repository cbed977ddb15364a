"""What students may see of the checks that only the grader runs."""

from __future__ import annotations

from collections.abc import Sequence

from autograder.core.records import CheckResult

HIDDEN = "edges"
"""The level of checks that an instructor can hide from students."""


def hidden_line(hidden: Sequence[CheckResult]) -> str:
    """Return all that students may read about hidden checks: how many passed."""
    passed = sum(check.status == "passed" for check in hidden)
    return f"hidden checks: {passed} of {len(hidden)} passed"
