"""What a student types runs on what a student installs, without the packages that only graders have."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.autograder.forked import python

COURSE = Path(__file__).resolve().parents[2]
GRADERS = ("msgspec", "jinja2", "nbformat", "jupytext", "nbgrader", "landlock", "pyseccomp", "yaml", "distributed")
RUN = f"""
import sys
sys.modules.update(dict.fromkeys({GRADERS!r}))  # importing one of them fails
from autograder.__main__ import main
sys.argv[0] = "attend"
main()
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("light") / "mine"
    attend(COURSE, "start", str(place))
    return place


def attend(here: Path, *words: str) -> str:
    done = python("-c", RUN, *words, cwd=here)
    assert "Traceback" not in done.stderr
    assert "is not installed" not in done.stdout + done.stderr
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "words",
    [(), ("list",), ("list", "--core"), ("check", "softmax"), ("hint", "softmax"), ("show", "softmax"), ("doctor",)],
)
def test_a_student_needs_nothing_that_graders_need(copy: Path, words: tuple[str, ...]) -> None:
    assert attend(copy, *words).strip()


def test_neither_does_what_is_shown_after_a_pass(copy: Path) -> None:
    answers = copy / "exercises" / "ch03_attention.py"
    answers.write_text((COURSE / "solutions" / "ch03_attention.py").read_text(encoding="utf-8"), encoding="utf-8")
    assert "points" in attend(copy, "check", "dot_scores")
    assert "the course's" in attend(copy, "explain", "dot_scores")
