"""The core path: which exercise is proposed next, and how much of it is done."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from autograder.author.build import build
from autograder.commands import cli
from autograder.commands.listing import core_of, total
from autograder.core.errors import AttendError, UsageError
from autograder.core.records import ExerciseResult
from autograder.course.course import Course
from autograder.course.effort import Effort, efforts
from autograder.course.model import Exercise
from autograder.student.core_path import ahead, core_line
from autograder.student.map import show_map
from autograder.student.saved_progress import Progress, Remembered, current
from autograder.student.start import start
from tests.autograder.editing import edit, toy_in

# Core exercises have capitals.
WORLD = tuple(Exercise("ch01_one", name, 1, 1) for name in ("A", "b", "C", "d", "E"))
KNOWN = {each.name: Effort(1, 10, each.name.isupper()) for each in WORLD}


@pytest.mark.parametrize(
    ("passed", "proposed"),
    [
        ("", "A"),
        ("A", "b"),  # nothing was left out yet
        ("Ab", "C"),
        ("AC", "E"),  # b was left out for a core exercise
        ("AbC", "d"),
        ("ACd", "b"),  # and this is off the path again
        ("ACE", "b"),  # the path is done
        ("AbCdE", None),
    ],
)
def test_the_next_one_is_a_core_exercise_for_a_learner_on_the_core_path(passed: str, proposed: str | None) -> None:
    found = ahead(WORLD, set(passed), KNOWN)
    assert (found and found.name) == proposed


def test_the_last_exercises_of_the_core_path_are_proposed_after_those_of_later_chapters() -> None:
    later = tuple(Exercise("ch02_two", name, 1, 1) for name in ("F", "g", "H"))
    known = (
        KNOWN | {each.name: Effort(1, 10, each.name.isupper()) for each in later} | {"E": Effort(1, 5, True, last=True)}
    )
    for passed, proposed in (("AC", "F"), ("ACF", "H"), ("ACFH", "E"), ("AbCd", "E"), ("", "A")):
        found = ahead((*WORLD, *later), set(passed), known)
        assert found
        assert found.name == proposed


def test_a_learner_who_took_a_later_chapter_first_and_whole_is_not_on_the_core_path() -> None:
    earlier = tuple(Exercise("ch00_one", name, 1, 1) for name in ("X", "y", "Z"))
    known = KNOWN | {each.name: Effort(1, 10, each.name.isupper()) for each in earlier}
    for passed, proposed in (("AbCdE", "X"), ("AbCdEX", "y"), ("ACEX", "Z")):
        found = ahead((*earlier, *WORLD), set(passed), known)
        assert found
        assert found.name == proposed


@pytest.mark.parametrize(
    ("passed", "line"),
    [
        ("", "core path: 0 of 3 exercises, about 30 min to go"),
        ("A", "core path: 1 of 3 exercises, about 20 min to go"),
        ("AC", "core path: 2 of 3 exercises, about 10 min to go"),
        ("ACE", "core path: all 3 exercises done"),
    ],
)
def test_the_line_counts_and_leaves_it_to_the_map_to_say_what_is_next(passed: str, line: str) -> None:
    assert core_line(WORLD, set(passed), KNOWN) == line


def test_a_course_without_a_core_path_says_nothing_of_one_and_goes_in_order() -> None:
    plain = {each.name: Effort(1, 10) for each in WORLD}
    assert core_line(WORLD, set(), plain) == core_line(WORLD, set(), {}) == ""
    found = ahead(WORLD, {"A", "C"}, plain)
    assert found
    assert found.name == "b"
    with pytest.raises(UsageError, match="none of these exercises is on a core path"):
        core_of(WORLD, plain)


def test_what_only_the_instructor_checks_is_neither_proposed_nor_counted() -> None:
    world = (*WORLD[:2], Exercise("ch01_one", "C", 1, 0), *WORLD[3:])
    assert core_line(world, {"A"}, KNOWN).startswith("core path: 1 of 2 exercises")
    found = ahead(world, {"A"}, KNOWN)
    assert found
    assert found.name == "b"


@pytest.fixture
def course(tmp_path: Path) -> Course:
    """A toy course with two of its three exercises on the core path."""
    made = toy_in(tmp_path)
    for name, effort in (("double", "difficulty=1 minutes=5"), ("Scale", "difficulty=2 minutes=10")):
        header = f'hints="{name}" {effort}'
        edit(made.solution("ch01_toy"), header, f"{header} core=true")
    build(made)
    return made


def test_a_header_puts_an_exercise_on_the_core_path(course: Course) -> None:
    assert {name for name, each in efforts(course).items() if each.core} == {"double", "Scale"}
    rows = json.loads((course.exercises_dir / "effort.json").read_text(encoding="utf-8"))
    assert rows["mean_and_sum"] == {"difficulty": 1, "minutes": 5}
    readme = (course.exercises_dir / "README.md").read_text(encoding="utf-8")
    assert "The core path is 2 exercises, about 15 min," in readme


def test_a_header_puts_an_exercise_at_the_end_of_the_core_path(course: Course) -> None:
    edit(course.solution("ch01_toy"), "minutes=5 core=true", 'minutes=5 core="last"')
    build(course)
    assert {name: (each.core, each.last) for name, each in efforts(course).items()} == {
        "double": (True, True),
        "mean_and_sum": (False, False),
        "Scale": (True, False),
    }


@pytest.mark.parametrize("value", ['"true"', "1", "yes"])
def test_a_mark_that_is_neither_true_nor_false_is_refused(course: Course, value: str) -> None:
    edit(course.solution("ch01_toy"), "minutes=10 core=true", f"minutes=10 core={value}")
    with pytest.raises(AttendError, match=r"ch01_toy.py:\d+: "):
        build(course)


def test_the_list_shows_the_core_path_alone_with_its_total(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(course.root)
    said = CliRunner().invoke(cli.app, ["list", "--core"]).output
    assert "double" in said
    assert "mean_and_sum" not in said
    assert said.endswith("together 2 exercises, 9 points, about 15 min\n")
    rows = json.loads(CliRunner().invoke(cli.app, ["list", "--core", "--json"]).output)
    assert [(row["name"], row["core"]) for row in rows] == [("double", True), ("Scale", True)]
    assert total(core_of(course.exercises, efforts(course)), efforts(course)) in said


def test_the_map_counts_the_core_path_and_proposes_along_it(course: Course, tmp_path: Path) -> None:
    copy = Course(start(course, tmp_path / "mine").root)
    assert "core path: 0 of 2 exercises, about 15 min to go\n" in _map(copy)
    _pass(copy, "double")
    assert "core path: 1 of 2 exercises, about 10 min to go\n" in _map(copy)
    assert "next: mean_and_sum" in _map(copy)
    assert current(copy).name == "mean_and_sum"
    _pass(copy, "double", "Scale")
    assert "core path: all 2 exercises done" in _map(copy)


def test_an_exercise_that_waits_for_a_training_says_how_to_train(course: Course, tmp_path: Path) -> None:
    edit(course.suite("ch01_toy"), "\n\n\n", '\n\nARTEFACTS = {"double": "line"}\n\n')
    copy = Course(start(course, tmp_path / "mine").root)
    assert "train  attend train line\n      check  attend check double\n" in _map(copy)
    (copy.exercises_dir / "capstones").mkdir()
    (copy.exercises_dir / "capstones" / "line.safetensors").write_bytes(b"trained")
    assert "attend check double" in _map(copy)
    assert "attend train" not in _map(copy)
    _pass(copy, "double")
    assert "attend train" not in _map(copy)


def _map(copy: Course) -> str:
    screen = Console(file=io.StringIO(), width=80, color_system=None)
    show_map(copy, screen)
    assert isinstance(screen.file, io.StringIO)
    return screen.file.getvalue()


def _pass(copy: Course, *names: str) -> None:
    """Let the copy remember that these passed."""
    progress = Progress(copy)
    for name in names:
        progress.last[name] = Remembered(ExerciseResult("ch01_toy", name, 1, 1, "passed", ()), "", "", 1)
    progress.keep()
