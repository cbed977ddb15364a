"""What students are given to build on is no answer, however it is dressed up."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest
from rich.console import Console

from autograder.author.release.audit import audit
from autograder.author.release.uses import given_files
from tests.promises.world import COURSE


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no sandbox on this system")
def test_no_given_part_and_no_suite_earns_a_point_as_an_answer(tmp_path: Path) -> None:
    suites = [COURSE.suite(chapter) for chapter in COURSE.chapters]
    with zipfile.ZipFile(tmp_path / "out.zip", "w") as archive:
        for path in (*given_files(COURSE), *suites):
            archive.write(path, Path("out", path.relative_to(COURSE.root)))
    found = audit(COURSE, tmp_path / "out.zip", Console(quiet=True))
    assert found.copies > 50
    assert not found.earned, found.text()
