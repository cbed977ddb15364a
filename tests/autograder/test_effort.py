"""How hard and how long: what its author says of each exercise reaches the map, the list and the table of chapters."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rich.console import Console

from autograder.commands.listing import as_json, as_table
from autograder.course.course import Course
from autograder.course.effort import Effort, duration, efforts, minutes
from autograder.student.map import show_map
from autograder.student.start import start
from tests.autograder.conftest import TOY

COURSE = Course(TOY)


def test_every_exercise_has_an_effort_and_a_copy_takes_it_along(tmp_path: Path):
    assert set(efforts(COURSE)) == {exercise.name for exercise in COURSE.exercises}
    start(COURSE, tmp_path / "copy")
    assert efforts(Course(tmp_path / "copy")) == efforts(COURSE)


def test_a_copy_from_before_there_were_estimates_works_without(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    start(COURSE, tmp_path / "copy")
    copy = Course(tmp_path / "copy")
    show_map(copy, Console(width=80))
    assert "●○○ about 5 min" in capsys.readouterr().out
    (tmp_path / "copy" / ".attend" / "course" / "effort.json").unlink()
    show_map(copy, Console(width=80))
    assert "min" not in capsys.readouterr().out


def test_the_map_counts_the_time_that_is_left(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    start(COURSE, tmp_path / "copy")
    show_map(Course(tmp_path / "copy"), Console(width=80))
    total = minutes(COURSE.exercises, efforts(COURSE))
    assert f"about {duration(total)} to go" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("total", "said"), [(5, "5 min"), (60, "1 h"), (95, "1 h 35 min"), (0, "0 min"), (1435, "23 h 55 min")]
)
def test_durations_read_as_people_say_them(total: int, said: str):
    assert duration(total) == said


def test_the_list_shows_it_to_people_and_to_programs(capsys: pytest.CaptureFixture[str]):
    known = {COURSE.exercises[0].name: Effort(2, 15)}
    Console(width=100).print(as_table(COURSE.exercises, known))
    assert "15 ●●○" in capsys.readouterr().out
    first, second, *_ = json.loads(as_json(COURSE.exercises, known))
    assert (first["difficulty"], first["minutes"]) == (2, 15)
    assert "minutes" not in second


def test_the_list_keeps_whole_names_in_80_columns(capsys: pytest.CaptureFixture[str]):
    course = Course.installed()
    Console(width=80).print(as_table(course.exercises, efforts(course)))
    shown = capsys.readouterr().out
    assert [each.name for each in course.exercises if each.name not in shown] == []
    assert "…" not in shown


def test_a_narrow_list_shortens_the_chapters_alone(capsys: pytest.CaptureFixture[str]):
    course = Course.installed()
    Console(width=60).print(as_table(course.exercises, efforts(course)))
    heading, *lines = capsys.readouterr().out.splitlines()
    assert heading.split() == ["chap…", "exercise", "points", "checks", "minutes"]
    assert [each.name for each in course.exercises if f" {each.name} " not in "\n".join(lines)] == []
    assert "ch03…" in "\n".join(lines)
