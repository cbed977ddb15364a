"""`attend grade` and `attend demo` as commands, on the toy course: a class in, grades out, nothing lost."""

from __future__ import annotations

import csv
import json
import os
import shutil
import signal
import subprocess
import zipfile
from pathlib import Path

import pytest

from autograder.__main__ import main
from autograder.core.submission import ChapterSource
from autograder.sandbox import messages, target
from tests.autograder.conftest import CHAPTER, TOY
from tests.autograder.forked import python
from tests.autograder.processes import PATIENCE, soon
from tests.autograder.run_cli import attend, begin
from tests.autograder.short_timeouts import Slow, with_short_timeouts

RIGHT = (TOY / "solutions" / f"{CHAPTER}.py").read_text(encoding="utf-8")
ENDLESS = RIGHT + "\n\nclass Loaded:\n    import time\n    time.sleep(1e6)\n"
WRONG = RIGHT + "\n\ndef double(x):\n    return x ** 2\n"

pytestmark = [
    pytest.mark.usefixtures("warm"),
    pytest.mark.skipif(not hasattr(os, "fork"), reason="grading needs a system with fork"),
]


def hand_in(folder: Path, name: str, text: str) -> None:
    (folder / name).mkdir(parents=True)
    (folder / name / f"{CHAPTER}.py").write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, subprocess.CompletedProcess[str]]:
    root = tmp_path_factory.mktemp("class")
    folder, out = root / "in", root / "out"
    hand_in(folder, "ann", RIGHT)
    hand_in(folder, "=ben", WRONG)
    (folder / "empty").mkdir()
    (folder / "damaged.zip").write_bytes(b"PK\x03\x04 not a zip after all")
    with zipfile.ZipFile(folder / "cleo.zip", "w") as archive:
        archive.writestr(f"homework/{CHAPTER}.py", RIGHT)
    return folder, out, python("-m", "autograder", "grade", folder, "--out", out, "--seed", 5, cwd=TOY)


def results(out: Path) -> dict[str, dict]:  # type: ignore[type-arg]
    read = [json.loads(path.read_text(encoding="utf-8")) for path in (out / "results").glob("*.json")]
    return {result["student"]: result for result in read}


def test_every_submission_has_a_result_a_page_and_a_row(graded) -> None:  # type: ignore[no-untyped-def]
    _, out, run = graded
    assert run.returncode == 0, run.stdout + run.stderr
    everybody = {"ann", "=ben", "empty", "damaged", "cleo"}
    assert set(results(out)) == everybody
    assert len(list((out / "feedback").glob("*.html"))) == len(everybody)
    rows = list(csv.DictReader((out / "grades.csv").read_text(encoding="utf-8-sig").splitlines()))
    assert {row["student"].removeprefix("'") for row in rows} == everybody
    assert (out / "report.html").is_file()


def test_right_and_wrong_and_unreadable_get_what_they_deserve(graded) -> None:  # type: ignore[no-untyped-def]
    found = results(graded[1])
    assert found["ann"]["score"] == found["cleo"]["score"] == found["ann"]["max_score"] == 13
    assert found["=ben"]["score"] == 10
    assert found["=ben"]["exercises"][0]["checks"][1]["misconceptions"] == ["double-squared"]
    assert found["empty"]["score"] == found["damaged"]["score"] == 0
    assert {exercise["status"] for exercise in found["damaged"]["exercises"]} == {"missing"}


def test_the_result_says_how_it_was_made(graded) -> None:  # type: ignore[no-untyped-def]
    result = results(graded[1])["ann"]
    assert (result["version"], result["seed"]) == (2, 5)
    assert result["sandbox"] in ("full", "partial")
    assert set(result["versions"]) == {"attend", "python", "torch", "numpy"}


def test_grading_again_keeps_what_did_not_change_and_grades_what_did(graded, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    shutil.copytree(graded[0].parent, tmp_path, dirs_exist_ok=True)
    folder, out = tmp_path / "in", tmp_path / "out"
    before = {path.name: path.stat().st_mtime_ns for path in (out / "results").glob("*.json")}
    (folder / "empty" / f"{CHAPTER}.py").write_text(RIGHT + "\n# at last\n", encoding="utf-8")
    run = attend("grade", folder, "--out", out, cwd=TOY)
    assert "4 of 5 are graded already" in run.stdout
    after = {path.name: path.stat().st_mtime_ns for path in (out / "results").glob("*.json")}
    assert [name for name in before if after[name] != before[name]] == ["empty.json"]
    assert results(out)["empty"]["score"] == 13


def test_an_interrupted_run_keeps_what_is_finished_and_a_rerun_goes_on(tmp_path: Path) -> None:
    folder, out = tmp_path / "in", tmp_path / "out"
    hand_in(folder, "s0", RIGHT)
    for number in range(1, 4):
        hand_in(folder, f"s{number}", ENDLESS + f"# {number}\n")
    command = ("attend", "grade", folder, "--out", out, "--jobs", "1")
    with (tmp_path / "said").open("w+", encoding="utf-8") as stream:
        run = begin(main, *command, cwd=TOY, streams=(stream, stream))
        assert soon(lambda: bool(list(out.glob("results/*.json"))))
        os.kill(run.pid or 0, signal.SIGINT)
        run.join(PATIENCE)
        said = (tmp_path / "said").read_text(encoding="utf-8")
    assert (run.exitcode, list(results(out))) == (1, ["s0"]), said
    assert "stopped: 1 of 4 are graded" in said
    for number in range(1, 4):
        (folder / f"s{number}" / f"{CHAPTER}.py").write_text(f"{RIGHT}# {number}\n", encoding="utf-8")
    again = attend("grade", folder, "--out", out, cwd=TOY)
    assert again.returncode == 0
    assert "1 of 4 are graded already" in again.stdout
    assert {result["score"] for result in results(out).values()} == {13}
    assert len(results(out)) == 4


def test_a_class_that_is_hardly_there_is_graded_and_asked_about(tmp_path: Path) -> None:
    folder, out = tmp_path / "in", tmp_path / "out"
    for name in ("ann", "ben"):
        hand_in(folder, name, RIGHT)
    (tmp_path / "roster.csv").write_text("name\nann\ncem\ndan\neve\n")
    run = attend("grade", folder, "--out", out, "--roster", tmp_path / "roster.csv", cwd=TOY)
    assert run.returncode == 1
    assert "is this the right class? 3 of 4 people on the roster handed in nothing" in run.stdout
    assert {result["score"] for result in results(out).values()} == {13}


def test_a_layout_is_understood_and_missed_when_it_is_left_out(tmp_path: Path) -> None:
    folder, out = tmp_path / "in", tmp_path / "out"
    hand_in(folder, "ann", RIGHT)
    asked = attend("grade", folder, "--out", out, cwd=TOY)
    assert (asked.returncode, "add --layout '{name}'" in asked.stderr) == (2, True)
    assert attend("grade", folder, "--out", out, "--layout", "{name}", cwd=TOY).returncode == 0
    assert results(out)["ann"]["score"] == 13


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("grade", "nowhere", "--out", "o"), "nowhere is not there; give the folder or zip"),
        (("grade", "{empty}", "--out", "{out}"), "there are no submissions in"),
        (("grade", "{class}", "--out", "{file}/below"), "choose another folder with --out"),
        (("grade", "{class}", "--out", "{out}", "--only", "dobule"), "did you mean double?"),
        (("grade", "{class}", "--out", "{out}", "--sandbox", "maybe"), "--sandbox takes auto, required or off"),
        (("check", "dobule", "--target", "{class}/ann"), "did you mean double?"),
        (("check", "--target", "nowhere"), "nowhere is no folder"),
        (("hint", "ch01"), "there is no working copy here"),
        (("new", "chapter one"), "ch"),
    ],
)
def test_wrong_use_is_one_sentence_and_exit_status_2(tmp_path: Path, args: tuple[str, ...], says: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("", encoding="utf-8")
    for name in ("ann", "ben"):
        hand_in(tmp_path / "class", name, RIGHT)
    places = {name: tmp_path / name for name in ("empty", "file", "class", "out")}
    run = attend(*(arg.format(**places) for arg in args), cwd=TOY)
    assert run.returncode == 2, run.stdout + run.stderr
    assert says in run.stderr
    assert "Traceback" not in run.stderr + run.stdout


def endless(source: ChapterSource) -> Slow | None:
    return messages.too_slow if source.chapter == CHAPTER and "while True:" in source.text else None


def test_the_demo_class_comes_to_what_it_was_made_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(target, "SandboxTarget", with_short_timeouts(endless))
    run = attend("demo", tmp_path / "demo", cwd=TOY)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "every sample got the verdict it was made for" in run.stdout


def test_checking_tells_by_its_exit_status_whether_everything_passed() -> None:
    assert attend("check", "--target", "solutions", cwd=TOY).returncode == 0
    stubs = attend("check", "--target", "exercises", cwd=TOY)
    assert stubs.returncode == 1
    assert "double        0/5  still to do" in stubs.stdout
    assert "attend hint" not in stubs.stdout, "its author needs none"
