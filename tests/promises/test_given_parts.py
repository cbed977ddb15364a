"""What students are given to build on is no answer, however it is dressed up."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest
from rich.console import Console

from autograder.author.release.audit import audit
from autograder.author.release.uses import given_files
from autograder.course.course import Course
from tests.promises.world import COURSE


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no sandbox on this system")
@pytest.mark.parametrize(
    ("chapters", "more_than"),
    [
        pytest.param(("ch05_multihead",), 3, id="ch05"),
        pytest.param(tuple(COURSE.chapters), 50, marks=pytest.mark.exhaustive, id="all"),
    ],
)
def test_no_given_part_and_no_suite_earns_a_point_as_an_answer(
    tmp_path: Path, chapters: tuple[str, ...], more_than: int
) -> None:
    course = Course(COURSE.root, only=chapters)
    suites = [course.suite(chapter) for chapter in chapters]
    with zipfile.ZipFile(tmp_path / "out.zip", "w") as archive:
        for path in (*given_files(course), *suites):
            archive.write(path, Path("out", path.relative_to(course.root)))
    found = audit(course, tmp_path / "out.zip", Console(quiet=True))
    assert found.copies > more_than
    assert not found.earned, found.text()
