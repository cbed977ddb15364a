"""What docs/own-course.md tells an author to type works, from nothing to a graded class."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.author.new_course import new_course
from autograder.course.course import Course
from autograder.report.outputs import read_result, result_path
from tests.autograder.run_cli import attend

PAGE = Path(__file__).parents[2] / "docs" / "own-course.md"
UNFINISHED = {"attend check", "attend prove ch01"}
"""Commands that end with status 1 there, as nothing is answered yet, or too few right answers are written."""


def commands() -> Iterator[str]:
    for block in re.findall(r"^```\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE):
        yield from block.splitlines()


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """By command of the page what it printed, after all were typed in their order, at first in a clone."""
    here, told = tmp_path_factory.mktemp("page") / "clone", dict[str, str]()
    new_course(here)
    for command in commands():
        words = shlex.split(command)
        if words[0] == "cd":
            here = (here / words[1]).resolve()
            continue
        done = (
            attend(*words[1:], cwd=here)
            if words[0] == "attend"
            else subprocess.run(words, cwd=here, capture_output=True, text=True)
        )
        assert done.returncode == (command in UNFINISHED), f"{command}: {done.stdout}{done.stderr}"
        told[command] = " ".join(done.stdout.split())
    told["here"] = str(here)
    return told


def test_every_command_of_the_page_works_in_its_order(said: dict[str, str]) -> None:
    assert [*said] == [*dict.fromkeys(each for each in commands() if not each.startswith("cd ")), "here"]
    assert "14 of 14 points" in said["attend check --target solutions"]


def test_the_promise_that_the_new_exercise_breaks_is_the_one_that_the_page_names(said: dict[str, str]) -> None:
    assert "`median_of` has 1 of 3 right answers" in " ".join(PAGE.read_text(encoding="utf-8").split())
    assert "median_of has 1 of 3 right answers" in said["attend prove ch01"]
    assert "1 promise broken" in said["attend prove ch01"]


def test_a_mistake_is_put_into_the_copy_and_not_into_the_course() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page.index("cd ../my-copy") < page.index("Put a known mistake") < page.index("cd ../small-statistics")


def test_what_students_hand_in_is_not_kept_in_git(said: dict[str, str]) -> None:
    git = ("git", "-C", said["here"])
    subprocess.run([*git, "init", "--quiet"], check=True)
    listed = subprocess.run([*git, "status", "--porcelain"], check=True, capture_output=True, text=True).stdout
    assert "?? solutions/" in listed
    assert not {"class", "grades", "handout", "handout.zip"} & {line[3:].rstrip("/") for line in listed.splitlines()}


def test_the_hand_out_has_the_licence_and_the_dependencies_that_the_page_says(said: dict[str, str]) -> None:
    handout, clone = Path(said["here"], "handout"), PAGE.parents[1]
    assert (handout / "LICENSE").read_bytes() == (clone / "LICENSE").read_bytes()
    project = (handout / "pyproject.toml").read_text(encoding="utf-8")
    assert all(f'"{each}' in project for each in ("attend-course", "MIT", "The Attend authors", "torch", "einops"))


def test_the_class_at_its_end_is_graded(said: dict[str, str]) -> None:
    course = Course(Path(said["here"]))
    scores = {name: read_result(result_path(course.root / "grades", name)).score for name in ("ada", "ben")}
    assert scores == {"ada": 11, "ben": 0}  # as the exercises that were begun are answered too
    assert (course.root / "grades" / "report.html").is_file()
    assert (course.root / "handout.zip").is_file()


def test_the_language_of_suites_and_this_page_come_with_the_wheel() -> None:
    project = (PAGE.parents[1] / "pyproject.toml").read_text(encoding="utf-8")
    assert all(f'"docs/{name}.md"' in project for name in ("suites", "own-course"))
