"""The command line itself: what an option does from end to end, and what is said to someone in the wrong place."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from autograder.author.proof.drafts import outdated
from autograder.commands import cli
from autograder.course.course import Course
from tests.autograder import run_cli
from tests.autograder.conftest import CHAPTER, TOY, answer

pytestmark = pytest.mark.usefixtures("warm")

RIGHT = (TOY / "solutions" / f"{CHAPTER}.py").read_text(encoding="utf-8")
Attend = Callable[..., tuple[object, str, str]]


@pytest.fixture
def attend(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Attend:
    """The command, typed in a folder: exit status, what was printed, and what was printed of errors."""

    def run(folder: Path, *words: str | Path) -> tuple[object, str, str]:
        monkeypatch.chdir(folder)
        monkeypatch.setattr(sys, "argv", ["attend", *map(str, words)])
        with pytest.raises(SystemExit) as end:
            cli.main()
        seen = capsys.readouterr()
        return end.value.code, " ".join(seen.out.split()), " ".join(seen.err.split())

    return run


@pytest.mark.skipif(not hasattr(os, "fork"), reason="grading needs a system with fork")
def test_grade_lists_who_is_on_the_roster_and_handed_in_nothing(
    attend: Attend, toy_copy: Course, tmp_path: Path
) -> None:
    (tmp_path / "in" / "ann").mkdir(parents=True)
    (tmp_path / "in" / "ann" / f"{CHAPTER}.py").write_text(RIGHT, encoding="utf-8")
    (tmp_path / "roster.csv").write_text("name,login\nAnn Able,ann\nCleo Cole,cleo\n", encoding="utf-8")
    given = ("--roster", tmp_path / "roster.csv", "--out", tmp_path / "out", "--jobs", "1", "--sandbox", "off")
    status, said, _ = attend(toy_copy.root, "grade", tmp_path / "in", *given, "--layout", "{login}")
    assert status == 0, said
    with (tmp_path / "out" / "grades.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["student"]: row["score"] for row in csv.DictReader(file)}
    assert rows == {"Ann Able": "13", "Cleo Cole": "0"}
    assert "Cleo Cole" in (tmp_path / "out" / "students.html").read_text(encoding="utf-8")


def test_a_download_of_something_else_is_wrong_use_and_grades_nobody(
    attend: Attend, toy_copy: Course, tmp_path: Path
) -> None:
    for name in ("ann", "ben"):
        (tmp_path / "in" / name).mkdir(parents=True)
        (tmp_path / "in" / name / "essay.py").write_text("x = 1\n", encoding="utf-8")
    status, _, error = attend(toy_copy.root, "grade", tmp_path / "in", "--out", tmp_path / "out")
    assert status == 2
    assert CHAPTER in error
    assert not (tmp_path / "out" / "grades.csv").exists()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="grading needs a system with fork")
def test_the_old_name_of_drop_departed_still_works_and_says_the_new_one(
    attend: Attend, toy_copy: Course, tmp_path: Path
) -> None:
    for name in ("ann", "ben", "cem"):
        (tmp_path / "in" / name).mkdir(parents=True)
        (tmp_path / "in" / name / f"{CHAPTER}.py").write_text("x = 1\n", encoding="utf-8")
    given = ("grade", tmp_path / "in", "--out", tmp_path / "out", "--jobs", "1", "--sandbox", "off")
    assert attend(toy_copy.root, *given)[0] == 0
    shutil.rmtree(tmp_path / "in" / "ben")
    status, _, error = attend(toy_copy.root, *given)
    assert status == 2
    assert "--drop-departed" in error
    status, said, _ = attend(toy_copy.root, *given, "--left")
    assert status == 0, said
    assert "--left is called --drop-departed now" in said
    assert "their results were removed: ben" in said


@pytest.mark.parametrize(
    ("package", "extra"), [("torch", "."), ("jinja2", '".[instructor]"'), ("jupytext", '".[notebook]"')]
)
def test_a_package_that_is_missing_is_told_with_the_command_that_installs_it(
    attend: Attend, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, package: str, extra: str
) -> None:
    def fail(**_: object) -> None:
        raise ModuleNotFoundError(f"No module named '{package}'", name=package)

    monkeypatch.setattr(cli, "_app_for", lambda _: fail)
    status, _, error = attend(tmp_path, "check")
    assert status == 2
    assert error == (
        f"attend: this command needs {package}: pip install -c constraints.txt -e {extra} in the course's folder"
    )


def test_a_module_of_ours_that_is_missing_is_no_installation_to_mend(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**_: object) -> None:
        raise ModuleNotFoundError("No module named 'autograder.x'", name="autograder.x")

    monkeypatch.setattr(cli, "_app_for", lambda _: fail)
    with pytest.raises(ModuleNotFoundError):
        cli.main()


@pytest.mark.parametrize(
    "words",
    [
        *("check", "check nonsense", "watch", "show double", "hint", "hint double", "explain", "explain double"),
        *("solution double", "solution double --anyway", "reset double", "sync", "train", "sample", "update"),
    ],
)
def test_what_is_about_your_answers_needs_a_working_copy(attend: Attend, toy_copy: Course, words: str) -> None:
    status, said, error = attend(toy_copy.root, *words.split())
    assert (status, said) == (2, "")
    assert error.startswith("attend: there is no working copy here: go into the folder that `attend start` made")
    assert error.endswith("attend start my-attend")


def test_a_known_mistake_is_explained_anywhere(attend: Attend, toy_copy: Course) -> None:
    _, said, error = attend(toy_copy.root, "explain", "double-squared")
    assert (said.startswith("double: double-squared You squared the numbers."), error) == (True, "")


def test_what_goes_into_a_file_has_no_padding(mine: Course) -> None:
    for words in ((), ("list",), ("hint", "double"), ("--help",)):
        said = run_cli.attend(*words, cwd=mine.root).stdout
        assert said.strip()
        assert [line for line in said.split("\n") if line != line.rstrip()] == []


def test_the_list_shows_what_is_done(attend: Attend, mine: Course) -> None:
    answer(mine, RIGHT.replace("return 2 * x", "return x"))
    attend(mine.root, "check", "double", "mean")
    _, said, _ = attend(mine.root, "list")
    assert "ch01_toy ✗ double" in said
    assert "✓ mean_and_sum" in said
    assert " Scale" in said
    assert "✓ Scale" not in said
    assert "1 of 3 exercises passed" in said
    rows = json.loads(attend(mine.root, "list", "--json")[1])
    assert [row["status"] for row in rows] == ["failed", "passed", None]


def test_without_a_copy_three_lines_say_how_to_make_one(tmp_path: Path) -> None:
    said = run_cli.attend(cwd=tmp_path).stdout.splitlines()
    assert said[0].startswith("There is no working copy here: go into the folder that `attend start` made, or make one")
    assert said[1:] == ["  attend start my-attend", "`attend --help` lists what you can do here"]


@pytest.mark.parametrize("words", ["help {}", "{} -h", "{} --help"])
@pytest.mark.parametrize(("command", "says"), [("", "COMMAND [ARGS]... Attend: an"), ("lab", "Open JupyterLab")])
def test_help_is_found_by_any_of_its_names(attend: Attend, mine: Course, words: str, command: str, says: str) -> None:
    status, said, _ = attend(mine.root, *words.format(command).split())
    assert (status, said.startswith("Usage: "), says in said) == (0, True, True)


def test_start_without_a_folder_gives_an_example(attend: Attend, tmp_path: Path) -> None:
    status, _, error = attend(tmp_path, "start")
    assert (status, error.partition("such as ")[2]) == (2, "`attend start my-attend`")


def test_a_working_copy_is_of_the_course_that_one_stands_in(attend: Attend, tmp_path: Path) -> None:
    status, said, _ = attend(TOY, "start", tmp_path / "mine")
    assert status == 0, said
    assert sorted(path.name for path in (tmp_path / "mine" / "exercises").glob("ch*.py")) == [f"{CHAPTER}.py"]


def test_the_doctor_stands_where_students_look_for_it(attend: Attend, mine: Course) -> None:
    _, said, _ = attend(mine.root, "--help")
    assert said.index("Students and instructors") < said.index("doctor") < said.index(" Instructors ")


@pytest.mark.parametrize(
    ("words", "says"), [(("foo",), "no chapter or exercise 'foo'"), (("--from", "word"), "--from takes py or notebook")]
)
def test_wrong_use_of_sync_is_told_before_a_package_is_missed(
    attend: Attend, mine: Course, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], says: str
) -> None:
    for name in ("autograder.student.chapter_forms", "autograder.student.sync"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "jupytext", None)
    status, _, error = attend(mine.root, "sync", *words)
    assert status == 2
    assert says in error
    _, _, error = attend(mine.root, "sync")
    assert "needs jupytext" in error


@pytest.mark.parametrize(
    ("encoding", "shown"), [("utf-8", "✗ double …"), ("cp1252", "x double …"), ("ascii", "x double ...")]
)
def test_what_a_terminal_or_a_file_cannot_show_is_shown_in_its_letters(
    attend: Attend, mine: Course, monkeypatch: pytest.MonkeyPatch, encoding: str, shown: str
) -> None:
    answer(mine, RIGHT.replace("return 2 * x", 'print("printed √李")\n    raise ValueError("✗ double …")'))
    written = io.BytesIO()
    with io.TextIOWrapper(written, encoding=encoding, write_through=True) as stream, monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", stream)
        status, _, _ = attend(mine.root, "check", "double")
        said = written.getvalue().decode(encoding)
    assert status == 1
    assert f"ValueError: {shown}" in said
    assert ("printed √李" if encoding == "utf-8" else "printed sqrt ?") in said


def test_a_hint_needs_no_name(attend: Attend, mine: Course) -> None:
    status, said, _ = attend(mine.root, "hint")
    assert status == 0
    assert said.startswith("double, hint 1 of 3")


def test_a_hint_is_asked_for_in_a_terminal_as_in_a_notebook(attend: Attend, mine: Course) -> None:
    for words, said in (("hint double 2", "hint 2 of 3"), ("hint 3", "hint 3 of 3"), ("hint double", "hint 3 of 3")):
        assert attend(mine.root, *words.split())[1].startswith(f"double, {said}")
    status, _, error = attend(mine.root, "hint", "double", "Scale")
    assert (status, "one exercise at a time: attend hint NAME, or attend hint NAME 2" in error) == (2, True)


def test_build_names_what_is_left_over_and_deletes_nothing(attend: Attend, toy_copy: Course) -> None:
    (toy_copy.exercises_dir / "ch09_gone.py").write_text("", encoding="utf-8")
    told = "exercises/ch09_gone.py: belongs to no chapter: delete it"
    assert attend(toy_copy.root, "build") == (0, f"everything is up to date {told}", "")
    status, said, _ = attend(toy_copy.root, "build", "--check")
    old = " ".join(outdated(toy_copy, toy_copy.exercises))
    assert (status, said) == (1, f"{told} {old} `attend build` writes nothing: do what these lines say")
    assert (toy_copy.exercises_dir / "ch09_gone.py").exists()
    toy_copy.stub(CHAPTER).unlink()
    status, said, _ = attend(toy_copy.root, "build", "--check")
    assert (status, said.endswith("run `attend build` and commit what it writes")) == (1, True)


def test_new_says_how_to_go_on_with_the_chapter(attend: Attend, toy_copy: Course) -> None:
    status, said, _ = attend(toy_copy.root, "new", "ch02_more")
    assert status == 0
    assert said.endswith(
        "next: 1. fill in these files 2. attend build 3. attend check ch02 --target solutions "
        "4. three right answers to each exercise, in tests/promises/right/ch02_more "
        "5. attend prove ch02 --promises --mutants --gallery"
    )


def test_new_names_the_promises_of_a_course_s_own(attend: Attend, toy_copy: Course) -> None:
    (toy_copy.root / "tests" / "promises" / "test_own.py").write_text("", encoding="utf-8")
    own = '6. README.md: count it 7. pytest tests/promises -k "ch02 or example_more or readme"'
    assert attend(toy_copy.root, "new", "ch02_more")[1].endswith(own)


def test_new_says_how_to_go_on_with_the_exercise(attend: Attend, toy_copy: Course) -> None:
    status, said, _ = attend(toy_copy.root, "new", "Half", "--in", "toy")
    assert status == 0
    assert said.endswith(
        "wrote tests/promises/right/ch01_toy/half.py next: 1. fill in these files 2. attend build "
        "3. attend check Half --target solutions 4. 3 right answers, a cell each, in "
        "tests/promises/right/ch01_toy/half.py 5. attend prove Half --promises --mutants --gallery"
    )
