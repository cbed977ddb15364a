"""A pytest plugin that leaves out the checks that only the grader runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

HIDDEN = "edges"
"""The level of checks that an instructor can hide from students."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    from autograder.suite.check import Check

    items[:] = [item for item in items if not (check := Check.of(item)) or check.level != HIDDEN]
