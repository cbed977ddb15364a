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
from autograder.platforms.github.workflow import HEAD, PLACE, put, total, workflow
from autograder.student.start import start
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
    assert f"::notice title=Points::{score:g} of 13" in last.stdout
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


def test_a_chapter_whose_step_left_nothing_is_left_out_of_the_sum(capsys: pytest.CaptureFixture[str]) -> None:
    assert total({"ch01_toy": {"outputs": {}}}) == 0
    assert "0 of 0" in capsys.readouterr().out


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
