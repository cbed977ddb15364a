"""The workflow for students' repositories: valid YAML, whose steps give the right points when they are run here."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from autograder.commands.cli import app
from autograder.core.errors import UsageError
from autograder.course.course import Course
from autograder.platforms.github.workflow import HEAD, PLACE, UNFINISHED, check, points, put, total, workflow
from autograder.student.start import start
from tests.autograder import held_class
from tests.autograder.conftest import CHAPTER, TOY
from tests.autograder.forked import python

ROOT = Path(__file__).parents[2]
SOLUTION = (TOY / "solutions" / f"{CHAPTER}.py").read_text(encoding="utf-8")
HALF = SOLUTION + "\n\ndef double(x):\n    return x ** 2\n"
STUB = (TOY / "exercises" / f"{CHAPTER}.py").read_text(encoding="utf-8")


def steps(course: Course | None = None) -> list[dict[str, Any]]:
    course = course or Course(TOY)
    read = yaml.safe_load(workflow(course, course.chapters))
    (job,) = read["jobs"].values()
    return list(job["steps"])


def released(tmp_path: Path) -> Path:
    """A copy with what `attend release` puts beside it, as far as the workflow looks at it."""
    copy = start(Course(TOY), tmp_path / "copy").root
    (copy / "pyproject.toml").write_text("[project]\n", encoding="utf-8")
    return copy


def test_the_workflow_is_yaml_that_checks_every_push() -> None:
    read = yaml.safe_load(workflow(Course(TOY), [CHAPTER]))
    assert read[True] == ["push", "workflow_dispatch"], "yaml 1.1 reads the key `on` as true"
    assert read["permissions"] == {"contents": "read"}
    assert workflow(Course(TOY), [CHAPTER]).startswith(HEAD)


def test_every_chapter_is_a_step_with_its_points_and_runs_though_another_fails() -> None:
    real = Course(ROOT)
    found = {step["id"]: step for step in steps(real) if "id" in step and step["id"] != "install"}
    assert tuple(found) == real.chapters
    for chapter, step in found.items():
        points = sum(exercise.points for exercise in real.of(chapter))
        assert step["name"] == f"{chapter} ({points:g} points)"
        assert "!cancelled()" in step["if"]


def test_the_file_says_that_it_is_not_the_grade() -> None:
    text = workflow(Course(TOY), [CHAPTER])
    assert "not for the grade" in text
    assert "`attend grade`" in text


@pytest.mark.parametrize(("text", "score", "status"), [(SOLUTION, 13, 0), (HALF, 10, 1), (STUB, 0, 1)])
def test_a_step_gives_the_points_of_the_copy_it_runs_in(text: str, score: float, status: int, tmp_path: Path) -> None:
    copy = start(Course(TOY), tmp_path / "copy").root
    (copy / "exercises" / f"{CHAPTER}.py").write_text(text, encoding="utf-8")
    ran = {step["id"]: run(copy, step["run"], tmp_path) for step in steps() if step.get("id") == CHAPTER}
    (done,) = ran.values()
    outputs = dict(line.split("=", 1) for line in (tmp_path / "output").read_text(encoding="utf-8").splitlines())
    found = json.loads(outputs["result"])
    assert (done.returncode, found["score"], found["max_score"]) == (status, score, 13), done.stdout + done.stderr
    assert sum(each["score"] for each in found["exercises"]) == score
    record = {CHAPTER: {"outputs": outputs, "outcome": "failure"}, "install": {"outputs": {}, "outcome": "success"}}
    last = run(copy, steps()[-1]["run"], tmp_path, STEPS=json.dumps(record))
    assert f"::notice title=Autograding complete::Points {score:g}/13\n" in last.stdout
    assert f"| {CHAPTER} | {score:g} | 13 |" in (tmp_path / "summary").read_text(encoding="utf-8")


def run(copy: Path, command: str, tmp_path: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a step's command in a copy, as GitHub would."""
    program, *arguments = shlex.split(command)
    assert program == "python"
    files = {"GITHUB_OUTPUT": str(tmp_path / "output"), "GITHUB_STEP_SUMMARY": str(tmp_path / "summary")}
    environment = {**os.environ, **files, **more, "PYTHONPATH": os.pathsep.join([str(TOY), str(ROOT)])}
    return python(*arguments, cwd=copy, env=environment)


def test_a_file_that_does_not_load_stands_above_the_points_and_as_an_error_of_the_run(tmp_path: Path) -> None:
    copy = start(Course(TOY), tmp_path / "copy").root
    (copy / "exercises" / f"{CHAPTER}.py").write_bytes(b"%PDF-1.4 100%")
    (step,) = [step for step in steps() if step.get("id") == CHAPTER]
    done = run(copy, step["run"], tmp_path)
    says = f"{CHAPTER}.py is a PDF, not Python; hand in the file itself"
    assert f"::error title={CHAPTER} could not be graded::" in done.stdout
    assert says in done.stdout
    outputs = dict(line.split("=", 1) for line in (tmp_path / "output").read_text(encoding="utf-8").splitlines())
    run(copy, steps()[-1]["run"], tmp_path, STEPS=json.dumps({CHAPTER: {"outputs": outputs}}))
    summary = (tmp_path / "summary").read_text(encoding="utf-8")
    assert summary.startswith(f"**No grade yet for {CHAPTER}:** ")
    assert says in summary.partition("| chapter |")[0]


def step(chapter: str, score: float, most: float, *says: str, remarks: tuple[str, ...] = ()) -> dict[str, Any]:
    """GitHub's record of a chapter's step."""
    own = {"chapter": chapter, "score": score, "max_score": most, "not_graded": says, "remarks": remarks}
    return {chapter: {"outputs": {"result": json.dumps(own)}, "outcome": "success"}}


INSTALLED = {"install": {"outputs": {}, "outcome": "success"}}


@pytest.mark.parametrize(
    ("score", "says", "report"),
    [
        (29, "Points 29/33", '{"totalPoints":29,"maxPoints":33}'),
        (0.1 + 0.2, "Points 0.3/33", '{"totalPoints":0.3,"maxPoints":33}'),
        (33.0, "Points 33/33", '{"totalPoints":33,"maxPoints":33}'),
    ],
)
def test_github_classroom_reads_the_points_as_its_own_reporter_writes_them(
    score: float, says: str, report: str, capsys: pytest.CaptureFixture[str]
) -> None:
    total(INSTALLED | step("ch01_toy", score, 20.0) | step("ch02_more", 0, 13))
    assert capsys.readouterr().out.splitlines()[-2:] == [
        f"::notice title=Autograding complete::{says}",
        f"::notice title=Autograding report::{report}",
    ]


NO_POINTS = "::warning title=No points for GitHub Classroom::there is no grade yet for ch02_more"


@pytest.mark.parametrize(
    ("other", "why"),
    [
        (step("ch02_more", 0, 13, "it stops", "100% odd"), "it stops; 100% odd"),
        ({"ch02_more": {"outputs": {}, "outcome": "failure"}}, UNFINISHED),
    ],
)
def test_where_a_chapter_has_no_grade_yet_github_classroom_gets_none_and_the_page_says_why(
    other: dict[str, Any], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    total(INSTALLED | step("ch01_toy", 20, 20) | other)
    said = capsys.readouterr().out
    assert "title=Autograding" not in said
    assert said.splitlines()[-1] == NO_POINTS
    assert said.startswith(f"**No grade yet for ch02_more:** {why}\n")


def test_where_nothing_is_worth_a_point_there_is_no_annotation(capsys: pytest.CaptureFixture[str]) -> None:
    assert total({}) == 0
    assert "::" not in capsys.readouterr().out


def test_what_only_the_instructor_checks_stands_below_the_table_once(capsys: pytest.CaptureFixture[str]) -> None:
    total(step("ch01_toy", 1, 2, remarks=("more",)) | step("ch02_more", 1, 2, remarks=("more", "other")))
    assert "| **all** | **2** | **4** |\n\nmore\n\nother\n" in capsys.readouterr().out


def test_an_interrupted_check_leaves_no_points(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autograder.student.check.check", lambda *_, **__: None)
    monkeypatch.setenv("GITHUB_OUTPUT", str(tmp_path / "output"))
    assert check(Course(TOY), CHAPTER) == 1
    assert not (tmp_path / "output").exists()


def test_what_the_checks_themselves_failed_on_has_no_grade() -> None:
    found = held_class.chapter(("grader_error", "no judge"), ("passed", ""))
    assert points(CHAPTER, found)["not_graded"] == ["the checks themselves failed on double"]


def test_a_percent_sign_in_a_message_is_shown_as_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lost = held_class.chapter(("error", f"{held_class.STOPS} 100%"))
    monkeypatch.setattr("autograder.student.check.check", lambda *_, **__: lost)
    monkeypatch.setenv("GITHUB_OUTPUT", str(tmp_path / "output"))
    check(Course(TOY), CHAPTER)
    assert capsys.readouterr().out.rstrip().endswith("100%25")


def test_the_command_writes_the_workflow_into_a_released_course_again_and_again(tmp_path: Path) -> None:
    copy = released(tmp_path)
    for _ in range(2):
        assert "1 chapter, checked" in put(copy)
        assert (copy / PLACE).read_text(encoding="utf-8") == workflow(Course(TOY), [CHAPTER])


def test_attend_github_says_what_it_wrote(tmp_path: Path) -> None:
    said = CliRunner().invoke(app, ["github", str(released(tmp_path))])
    assert (said.exit_code, PLACE.name in said.output) == (0, True)


def test_a_workflow_of_somebody_else_stays(tmp_path: Path) -> None:
    copy = released(tmp_path)
    (copy / PLACE).parent.mkdir(parents=True)
    (copy / PLACE).write_text("name: mine\n", encoding="utf-8")
    with pytest.raises(UsageError, match="not from `attend github`"):
        put(copy)
    assert (copy / PLACE).read_text(encoding="utf-8") == "name: mine\n"


def test_a_folder_without_the_engine_is_refused(tmp_path: Path) -> None:
    copy = start(Course(TOY), tmp_path / "copy").root
    for folder in (copy, tmp_path / "nowhere"):
        with pytest.raises(UsageError, match="attend release"):
            put(folder)
