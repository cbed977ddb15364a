"""The wall that right answers are graded behind."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from autograder.judging.wall import Wall
from tests.promises.world import COURSE


@pytest.fixture(scope="session")
def wall() -> Iterator[Wall]:
    with Wall(COURSE, "auto") as ready:
        yield ready
