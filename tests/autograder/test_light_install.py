"""What a student types runs on what a student installs, without the packages that only graders have."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.autograder.forked import attend

COURSE = Path(__file__).resolve().parents[2]
GRADERS = ("jinja2", "nbformat", "jupytext", "nbgrader", "yaml", "distributed")
WITHOUT = f"import sys; sys.modules.update(dict.fromkeys({GRADERS!r}))"  # importing one of them fails
COMMANDS = [(), ("list",), ("list", "--core"), ("check", "softmax"), ("hint", "softmax"), ("show", "softmax")]
COMMANDS += [("doctor",)]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("light") / "mine"
    typed(COURSE, ("start", str(place)))
    return place


@pytest.fixture(scope="module")
def said(copy: Path) -> list[str]:
    return typed(copy, *COMMANDS)


def typed(here: Path, *commands: tuple[str, ...]) -> list[str]:
    said = [*attend(*commands, cwd=here, before=WITHOUT).values()]
    assert "is not installed" not in "".join(said)
    return said


@pytest.mark.parametrize("number", range(len(COMMANDS)), ids=map(" ".join, COMMANDS))
def test_a_student_needs_nothing_that_graders_need(said: list[str], number: int) -> None:
    assert said[number].strip()


def test_neither_does_what_is_shown_after_a_pass(copy: Path) -> None:
    answers = copy / "exercises" / "ch03_attention.py"
    answers.write_text((COURSE / "solutions" / "ch03_attention.py").read_text(encoding="utf-8"), encoding="utf-8")
    checked, explained = typed(copy, ("check", "dot_scores"), ("explain", "dot_scores"))
    assert "points" in checked
    assert "the course's" in explained
