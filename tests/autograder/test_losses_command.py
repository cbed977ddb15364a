"""`attend grade` when it is killed, when the disk is full, when its own files are damaged or a check is broken."""

from __future__ import annotations

import csv
import os
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from autograder.__main__ import main
from autograder.core.errors import SandboxError, UsageError
from autograder.core.submission import Submission
from autograder.course.course import Course
from autograder.grading import run as command
from autograder.grading.store import Store
from autograder.judging.coordinator import Coordinator
from tests.autograder.conftest import CHAPTER, TOY, in_place_of_the_real
from tests.autograder.interrupted_class import RIGHT, WRONG, Class, NoWall, known, results, times
from tests.autograder.processes import soon
from tests.autograder.run_cli import attend, begin

pytestmark = [
    pytest.mark.usefixtures("warm"),
    pytest.mark.skipif(not hasattr(os, "fork"), reason="grading needs a system with fork"),
]


@pytest.fixture
def three(toy_copy: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Class:
    """Three students, one of them wrong."""
    monkeypatch.setattr(command, "Wall", NoWall)
    made = Class(toy_copy, tmp_path / "in", tmp_path / "out")
    for name, text in (("ann", RIGHT), ("ben", WRONG), ("cem", RIGHT)):
        made.hand_in(name, text)
    return made


def test_a_damaged_result_is_written_again_and_no_other(three: Class) -> None:
    three.grade()
    whole, before = three.results(), times(three.out)
    path = three.out / "results" / "ben.json"
    path.write_bytes(path.read_bytes()[:-200])
    assert "3 of 3 are graded already" in three.grade(None)
    assert (three.status, three.results()) == (0, whole)
    assert {name for name, changed in times(three.out).items() if changed != before[name]} == {"ben"}


@pytest.mark.parametrize("damage", [b"no database" * 100, b"SQLite format 3\0" + b"x" * 5000])
def test_a_damaged_store_lets_all_be_graded_again_and_says_so(three: Class, damage: bytes) -> None:
    three.grade()
    whole = three.results()
    (three.out / "store.sqlite").write_bytes(damage)
    said = three.grade()
    assert "so earlier results cannot be used: all are graded again" in said
    assert "graded already" not in said
    assert (three.status, three.results()) == (0, whole)


def test_equal_files_are_graded_once_and_who_handed_them_in_has_a_result_of_their_own(
    three: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    grade, parts = Coordinator.grade, list[str]()

    def noted(coordinator: Coordinator, submissions: Sequence[Submission], jobs: int) -> None:
        parts.extend(each.chapters[CHAPTER].text for each in submissions)
        grade(coordinator, submissions, jobs)

    monkeypatch.setattr(Coordinator, "grade", noted)
    three.grade()
    assert sorted(parts) == sorted([RIGHT, WRONG])  # ann's and cem's are equal
    assert {name: each["score"] for name, each in three.results().items()} == {"ann": 13, "ben": 10, "cem": 13}
    three.hand_in("cem", WRONG)
    three.grade()
    assert len(parts) == 2
    assert three.results()["cem"]["score"] == 10


def test_two_gradings_into_one_folder_do_not_disturb_each_other(three: Class) -> None:
    three.grade()
    with closing(Store(three.out / "store.sqlite")) as held:
        assert held.seed == 7
        with pytest.raises(UsageError, match=r"another run is grading into .*; wait until it has ended"):
            three.grade()
    assert "3 of 3 are graded already" in three.grade()


def stop_at_once(*_: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("change", ["submission", "suite", "seed"])
def test_a_run_that_was_stopped_leaves_no_result_of_before_the_change(
    three: Class, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    three.grade()
    if change == "submission":
        three.hand_in("ben", RIGHT + "\n# mended\n")
    elif change == "suite":
        suite = three.course.suite(CHAPTER)
        suite.write_text(suite.read_text(encoding="utf-8").replace("points=2", "points=4"), encoding="utf-8")
    with monkeypatch.context() as patch:
        patch.setattr(Coordinator, "grade", stop_at_once)
        three.grade(8 if change == "seed" else None)
    outdated = {"ben"} if change == "submission" else {"ann", "ben", "cem"}
    assert three.status == (1 if change == "submission" else 130)
    assert set(three.results()) == {"ann", "ben", "cem"} - outdated
    with in_place_of_the_real(three.course):  # the suite is read anew
        three.grade(None)
    (three.out.parent / "fresh").mkdir()
    fresh = Class(three.course, three.folder, three.out.parent / "fresh")
    fresh.grade(8 if change == "seed" else 7)
    seeds = {name: result["seed"] for name, result in three.results().items()}
    assert seeds == {"ann": 7, "ben": seeds["ben"], "cem": 7} or change != "submission"
    assert (seeds["ben"] == 7) is (change == "suite")
    assert three.results() == {name: {**row, "seed": seeds[name]} for name, row in fresh.results().items()}


def test_a_wall_that_is_refused_leaves_earlier_results_as_they_were(
    three: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    three.grade()
    before = times(three.out)

    def refused(course: Course, *_: object) -> None:
        raise SandboxError("no full wall")

    monkeypatch.setattr(command, "Wall", refused)
    with pytest.raises(SandboxError):
        three.grade(8, "required")
    assert times(three.out) == before


def test_a_broken_check_is_told_first_everywhere_and_costs_nobody_a_point(three: Class) -> None:
    suite = three.course.suite(CHAPTER)
    text = suite.read_text(encoding="utf-8")
    suite.write_text(text.replace("bool((result == 0).all())", "1 / 0", 1), encoding="utf-8")
    three.hand_in("dee", "x = 1\n")
    said = three.grade()
    assert three.status == 1
    assert "the grader failed on ann, ben and cem, which costs them nothing: the check itself failed in tests/" in said
    assert f"exercises/test_{CHAPTER}.py:" in said
    assert "run the same command again; if it fails again, first fix what the message names" in said
    assert "12+?/13 ? grader_error: double" in said
    assert said.index("grader_error") < said.index("dee")
    rows = list(csv.DictReader((three.out / "grades.csv").read_text(encoding="utf-8").splitlines()))
    assert [row["student"] for row in rows] == ["ann", "ben", "cem", "dee"]
    assert [rows[0][name] for name in ("score", "max_score", "percent", "ch01_toy.double")] == [""] * 4
    assert rows[0]["ch01_toy.mean_and_sum"] == "4"
    assert rows[3]["score"] == "0"
    assert three.results()["ann"]["final"] is False
    assert three.results()["dee"]["final"] is True
    page = (three.out / "feedback" / "ann.html").read_text(encoding="utf-8")
    assert "12 of 13 points so far" in page
    assert "This is no grade yet" in page
    suite.write_text(text, encoding="utf-8")
    said = three.grade(None)
    assert (three.status, three.results()["ann"]["score"], three.results()["ann"]["final"]) == (0, 13, True)


@pytest.mark.parametrize("name", ["notes.txt", "alice"])
def test_a_folder_that_holds_something_else_is_refused(three: Class, name: str) -> None:
    (three.out / name).mkdir(parents=True)
    with pytest.raises(UsageError, match=f"holds {name}, and no results; choose a new or empty folder"):
        three.grade()
    assert [path.name for path in three.out.iterdir()] == [name]


def test_a_folder_of_results_may_hold_notes_and_an_empty_one_may_hide_something(three: Class) -> None:
    three.out.mkdir()
    (three.out / ".DS_Store").touch()
    three.grade()
    (three.out / "notes.txt").touch()
    three.grade()
    assert three.status == 0


@pytest.fixture
def little_room(tmp_path: Path) -> Iterator[tuple[Path, Callable[[str], None]]]:
    """A folder on a disk of its own with room for two or three results, and how to give it more."""
    place = tmp_path / "disk"
    place.mkdir()

    def mount(options: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            ["mount", "-t", "tmpfs", "-o", options, "attend", str(place)], capture_output=True, check=False
        )

    if not shutil.which("mount") or mount("size=320k").returncode:
        pytest.skip("a small disk can be made by root on Linux only")
    yield place / "out", lambda size: mount(f"remount,size={size}").check_returncode()
    subprocess.run(["umount", "--lazy", str(place)], check=True)


def test_a_full_disk_stops_with_a_sentence_and_the_same_command_goes_on_when_there_is_room(
    three: Class, little_room: tuple[Path, Callable[[str], None]]
) -> None:
    undisturbed = Class(three.course, three.folder, three.out)
    for number in range(9):
        three.hand_in(f"s{number}", WRONG + f"# {number}\n")
    undisturbed.grade()
    three.out, give_room = little_room
    said = three.grade()
    assert three.status == 1
    assert f"stopped: the disk of {three.out} is full; free some space, and the same command goes on" in said
    kept = times(three.out)
    whole = {name: undisturbed.results()[name] for name in kept}
    assert (0 < len(kept) < 12, three.results()) == (True, whole)
    again = three.grade()
    assert (three.status, times(three.out)) == (1, kept)
    assert len(kept) <= known(again) < 12
    give_room("4m")
    three.grade()
    assert (three.status, three.results()) == (0, undisturbed.results())
    assert {name: changed for name, changed in times(three.out).items() if name in kept} == kept
    assert not list(three.out.rglob(".*"))
    assert (three.out / "report.html").is_file()


def test_a_run_that_is_killed_at_any_moment_comes_to_the_same_results_and_grades_nothing_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "Wall", NoWall)  # so that the code sees who may go on
    folder, out = tmp_path / "in", tmp_path / "out"
    made = Class(Course(TOY), folder, out)
    doors = [tmp_path / f"door{number}" for number in range(6)]
    for number, door in enumerate(doors):
        until = f"while not pathlib.Path({str(door)!r}).exists(): time.sleep(0.01)"
        waits = f"\n\nclass Loaded:\n    import pathlib, time\n    {until}\n"
        made.hand_in(f"s{number}", (RIGHT if number % 2 else WRONG) + waits)
        door.touch()
    attend("grade", folder, "--out", tmp_path / "calm", "--seed", 7, cwd=TOY)
    for door in doors:
        door.unlink()
    moments, kept = random.Random(4), dict[str, int]()
    for least in (1, 3):
        with open(os.devnull, "w") as nowhere:
            words = ("attend", "grade", folder, "--out", out, "--seed", 7, "--jobs", len(doors))
            run = begin(main, *words, cwd=TOY, streams=(nowhere, nowhere))
        for door in doors[:least]:
            door.touch()
        assert soon(lambda least=least: len(times(out)) >= least)
        doors[least].touch()
        time.sleep(moments.uniform(0, 0.5))  # to write one more result, or a part of it
        run.kill()
        run.join()
        assert run.exitcode == -signal.SIGKILL
        assert kept.items() <= times(out).items()
        kept = times(out)
        assert least <= len(kept) <= least + 1
    for door in doors:
        door.touch()
    last = attend("grade", folder, "--out", out, cwd=TOY)
    assert last.returncode == 0, last.stdout + last.stderr
    assert known(last.stdout) >= len(kept)
    assert kept.items() <= times(out).items()
    assert results(out) == results(tmp_path / "calm")
