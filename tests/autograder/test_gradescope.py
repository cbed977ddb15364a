"""The course as an autograder of Gradescope: what the zip holds, and what results.json says of a submission."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from typer.testing import CliRunner

from autograder.commands.cli import app
from autograder.core.errors import UsageError
from autograder.core.records import SubmissionResult
from autograder.course.course import Course
from autograder.platforms.gradescope import results
from autograder.platforms.gradescope.bundle import make
from autograder.report.outputs import read_result
from autograder.student.start import start
from tests.autograder import arriving
from tests.autograder.conftest import CHAPTER, TOY
from tests.autograder.forked import python
from tests.autograder.graded_class import FAULT, RIGHT, SAYS, WRONG, result
from tests.autograder.held_class import NEEDS_NEWER, NOT_COMPILED, NOT_DONE, STOPS, chapter
from tests.autograder.held_class import RIGHT as RIGHT_AWAY
from tests.autograder.run_cli import attend

SOLUTION = (TOY / "solutions" / f"{CHAPTER}.py").read_text(encoding="utf-8")
SQUARED = SOLUTION + "\n\ndef double(x):\n    return x ** 2\n"
TEXT, POINTS = {"type": "string"}, {"type": "number", "minimum": 0}
VISIBLE = {"enum": ["hidden", "after_due_date", "after_published", "visible"]}
SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "score": POINTS,
        "execution_time": {"type": "number"},
        "output": TEXT,
        "output_format": {"enum": ["text", "html", "simple_format", "md", "ansi"]},
        "visibility": VISIBLE,
        "stdout_visibility": VISIBLE,
        "extra_data": {"type": "object"},
        "tests": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["score", "max_score", "name", "status", "visibility"],
                "properties": {
                    "score": POINTS,
                    "max_score": POINTS,
                    "name": TEXT,
                    "number": {"type": "string", "pattern": r"^\d+\.\d+$"},
                    "status": {"enum": ["passed", "failed"]},
                    "output": TEXT,
                    "output_format": {"const": "text"},
                    "tags": {"type": "array", "items": TEXT},
                    "visibility": {"const": "visible"},
                },
            },
        },
    },
}
"""What Gradescope documents of results.json, as far as it is used."""

pytestmark = pytest.mark.usefixtures("warm")
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="grading needs a system with fork")


def of(*exercises: Any) -> dict[str, Any]:
    found = results.of(result("ada", *exercises))
    jsonschema.validate(found, SCHEMA)
    return json.loads(json.dumps(found))


def test_the_schema_can_fail() -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"score": "8"}, SCHEMA)


def test_each_check_is_a_test_with_its_points() -> None:
    found = of(*WRONG)
    assert found["score"] == sum(test["score"] for test in found["tests"]) == 5.5
    assert [(test["number"], test["score"], test["max_score"], test["status"]) for test in found["tests"]] == [
        ("1.1", 1.5, 4, "failed"),
        ("2.1", 4, 4, "passed"),
    ]
    assert found["tests"][0]["output"] == f"{SAYS}\n  got       4"


def test_the_named_mistake_stands_on_top_and_is_a_tag() -> None:
    found = of(*WRONG)
    assert found["output"].splitlines() == [
        "5.5 of 8 points",
        f"double: {SAYS} (attend explain double-squared)",
        "note: a note",
    ]
    assert found["tests"][0]["tags"] == ["ch01_toy", "double-squared"]


def test_what_the_grader_failed_on_is_no_score_and_no_test() -> None:
    found = of(*FAULT)
    assert "score" not in found
    assert "tests" not in found
    assert found["output"].startswith(results.SORRY)
    assert "double: a judge ended unexpectedly" in found["output"]


def test_a_file_that_does_not_load_stands_on_top_with_what_to_do() -> None:
    found = of(*chapter(("error", STOPS), ("error", STOPS), NOT_DONE))
    assert found["output"].splitlines()[:3] == [f"No grade yet: {STOPS}", results.FIX, "0 of 6 points so far"]
    assert of(*chapter(("syntax", NOT_COMPILED)))["output"].startswith("0 of 2 points")
    newer = of(*chapter(RIGHT_AWAY, ("syntax", NEEDS_NEWER)))
    assert newer["output"].startswith(f"No grade yet: {NEEDS_NEWER}")
    assert newer["score"] == 2


def test_the_zip_has_what_grading_needs_and_nothing_of_the_machine(tmp_path: Path) -> None:
    make(Course(TOY), tmp_path / "a.zip", [])
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        names = archive.namelist()
        runnable = {each.filename for each in archive.infolist() if each.external_attr >> 16 & 0o111}
    assert {"setup.sh", "run_autograder", "attend.toml", "pyproject.toml", "constraints.txt"} <= set(names)
    assert {f"tests/exercises/test_{CHAPTER}.py", f"exercises/{CHAPTER}.py", f"reference/{CHAPTER}.py"} <= set(names)
    assert f"solutions/{CHAPTER}.py" in names, "which is lent to exercises that call wrong ones"
    assert {"autograder/suite/suites.ini", "autograder/report/templates/feedback.html"} <= set(names)
    assert runnable == {"setup.sh", "run_autograder"}
    assert not [name for name in names if "__pycache__" in name]


def test_the_zip_can_be_installed_in_place_as_setup_sh_does(tmp_path: Path) -> None:
    make(Course(TOY), tmp_path / "a.zip", [])
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        archive.extractall(tmp_path / "source")
    done = python("-m", "hatchling", "build", "-t", "wheel:editable", "-d", tmp_path / "wheel", cwd=tmp_path / "source")
    assert done.returncode == 0, done.stderr


def test_the_same_course_gives_the_same_zip(tmp_path: Path) -> None:
    for name in ("one.zip", "two.zip"):
        make(Course(TOY), tmp_path / name, ["double"])
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()


def test_the_command_says_the_points_that_the_assignment_has(tmp_path: Path) -> None:
    assert "13 points" in make(Course(TOY), tmp_path / "a.zip", [])
    assert "5 points" in make(Course(TOY), tmp_path / "a.zip", ["double"])


def test_attend_gradescope_makes_the_zip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(TOY)
    said = CliRunner().invoke(app, ["gradescope", str(tmp_path / "a.zip"), "double"])
    assert (said.exit_code, "5 points" in said.output) == (0, True)
    assert zipfile.is_zipfile(tmp_path / "a.zip")


def test_a_place_that_is_no_zip_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is no name of a zip"):
        make(Course(TOY), tmp_path / "ch01", [])


def test_a_zip_of_something_else_is_never_written_over(tmp_path: Path) -> None:
    make(Course(TOY), tmp_path / "a.zip", [])
    make(Course(TOY), tmp_path / "a.zip", ["double"])
    arriving.zipped(tmp_path / "submissions", arriving.plain())
    with pytest.raises(UsageError, match=r"submissions\.zip is there already, and not from `attend gradescope`"):
        make(Course(TOY), tmp_path / "submissions.zip", [])


def test_a_name_that_means_nothing_a_copy_and_a_bad_place_are_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no chapter or exercise 'nothing'"):
        make(Course(TOY), tmp_path / "a.zip", ["nothing"])
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="choose a folder you may write to"):
        make(Course(TOY), tmp_path / "file" / "a.zip", [])
    copy = start(Course(TOY), tmp_path / "copy").root
    with pytest.raises(UsageError, match="is a working copy"):
        make(Course(copy), tmp_path / "a.zip", [])


@pytest.mark.parametrize("script", ["setup.sh", "run_autograder"])
def test_the_scripts_are_valid_bash(script: str) -> None:
    path = Path(results.__file__).parent / "templates" / script
    assert subprocess.run(["bash", "-n", str(path)], check=False).returncode == 0


def image(place: Path, names: tuple[str, ...] = ()) -> Path:
    """The folders of Gradescope's container after setup.sh, with this environment in place of the one it makes."""
    make(Course(TOY), place / "a.zip", names)
    with zipfile.ZipFile(place / "a.zip") as archive:
        archive.extractall(place / "source")
    (place / "source" / ".venv").symlink_to(sys.prefix)
    shutil.copy(place / "source" / "run_autograder", place / "run_autograder")
    (place / "results").mkdir()
    return place


def hand_in(place: Path, text: str) -> tuple[dict[str, Any], subprocess.CompletedProcess[str]]:
    """What Gradescope gets of a submission with this chapter, and what the script printed."""
    (place / "submission").mkdir()
    (place / "submission" / f"{CHAPTER}.py").write_text(text, encoding="utf-8")
    done = subprocess.run(
        ["bash", str(place / "run_autograder")], cwd=place, capture_output=True, text=True, timeout=600, check=False
    )
    found = json.loads((place / "results" / "results.json").read_text(encoding="utf-8"))
    jsonschema.validate(found, SCHEMA)
    return found, done


@needs_fork
def test_a_submission_gets_what_attend_grade_gives_and_cannot_write_its_own_result(tmp_path: Path) -> None:
    place = image(tmp_path, ("double", "Scale"))
    forged = f"open({str(place / 'results' / 'results.json')!r}, 'w').write('{{\"score\": 13}}')"
    text = f"{SQUARED}\n\ndef Scale(width):\n    {forged}\n"
    found, done = hand_in(place, text)
    (tmp_path / "class" / "ada").mkdir(parents=True)
    (tmp_path / "class" / "ada" / f"{CHAPTER}.py").write_text(text, encoding="utf-8")
    graded = attend_grade(tmp_path, "--only", "double", "--only", "Scale", "--seed", str(found["extra_data"]["seed"]))
    assert done.returncode == 0, done.stdout + done.stderr
    assert found["score"] == graded.score
    assert "double-squared" in found["output"]
    assert [(test["name"], test["score"]) for test in found["tests"]] == [
        (f"{exercise.exercise}: {check.sentence}", check.points)
        for exercise in graded.exercises
        for check in exercise.checks
    ]
    assert {test["status"] for test in found["tests"] if test["name"].startswith("Scale")} == {"failed"}
    assert found["extra_data"]["sandbox"] == graded.sandbox


def attend_grade(place: Path, *options: str) -> SubmissionResult:
    """What `attend grade` gives the one student of the class there."""
    attend("grade", place / "class", "--out", place / "grades", "--layout", "{name}", *options, cwd=TOY)
    return read_result(place / "grades" / "results" / "ada.json")


@needs_fork
def test_where_the_grader_fails_there_is_a_sentence_and_no_score(tmp_path: Path) -> None:
    place = image(tmp_path)
    suite = place / "source" / "tests" / "exercises" / f"test_{CHAPTER}.py"
    suite.write_text(suite.read_text(encoding="utf-8") + "\nraise RuntimeError('broken suite')\n", encoding="utf-8")
    found, done = hand_in(place, SOLUTION)
    assert done.returncode == 1
    assert "score" not in found
    assert "tests" not in found
    assert found["output"].startswith(results.SORRY)


def test_a_run_that_is_killed_leaves_a_sentence_and_no_score() -> None:
    started = results.failure(results.STARTED)
    jsonschema.validate(started, SCHEMA)
    assert "score" not in started
    assert "stopped before" in started["output"]


def test_the_right_answer_has_all_points() -> None:
    assert of(*RIGHT)["score"] == 8
