"""A typo, and a folder that is no working copy, are told before torch is loaded."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.core.errors import UsageError
from autograder.course.course import Course
from autograder.student.capstones.capstone_names import require_known
from autograder.student.start import start
from reference.capstones import CAPSTONES
from tests.autograder.forked import python

COURSE = Path(__file__).resolve().parents[2]
WITHOUT_TORCH = """
import sys
sys.modules["torch"] = None
from autograder.__main__ import main
main()
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Course:
    return Course(start(Course(COURSE), tmp_path_factory.mktemp("names") / "mine").root)


@pytest.mark.parametrize("words", ["ask nosuch", "train nosuch", "sample nosuch hello"])
def test_a_typo_is_told_without_torch(copy: Course, words: str) -> None:
    done = python("-c", WITHOUT_TORCH, *words.split(), cwd=copy.root)
    assert (done.returncode, "there is no" in done.stderr, "nosuch" in done.stderr) == (2, True, True), done.stderr


@pytest.mark.parametrize("words", ["ask", "ask softmax", "train", "train reverse", "sample", "sample reverse"])
def test_a_folder_that_is_no_copy_is_told_without_torch(tmp_path: Path, words: str) -> None:
    done = python("-c", WITHOUT_TORCH, *words.split(), cwd=tmp_path)
    assert (done.returncode, "there is no working copy here" in done.stderr) == (2, True), done.stderr


def test_the_names_are_those_of_the_capstones(copy: Course) -> None:
    for each in CAPSTONES:
        require_known(copy, each.name)
        require_known(copy, each.name[:3])
    *names, last = sorted(each.name for each in CAPSTONES)
    with pytest.raises(UsageError, match=f"no capstone 'x'; there is {', '.join(names)} and {last}$"):
        require_known(copy, "x")
