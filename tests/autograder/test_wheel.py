"""What pip installs is enough to begin: the wheel holds the course, and needs no clone."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CHAPTER, EXERCISE = "ch03_attention", "scaled_dot_scores"
MEGABYTES = 2.5
ANSWER = 'raise NotImplementedError("scaled_dot_scores")'


@dataclass(frozen=True)
class Installed:
    """The wheel, the `attend` of an environment that has it and not the clone, and an empty folder."""

    wheel: Path
    command: Path
    folder: Path

    def attend(self, *words: str, status: int | None = 0, within: str = "") -> str:
        """Return what was printed, in one line."""
        place = {**os.environ, "COLUMNS": "160", "PYTHONPATH": ""}
        done = subprocess.run(
            [self.command, *words], cwd=self.folder / within, env=place, capture_output=True, text=True, timeout=300
        )
        said = " ".join((done.stdout + done.stderr).split())
        assert "Traceback" not in said
        assert status in (None, done.returncode), said
        return said


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Build as `python -m build` does: a source archive of the clone, and the wheel from that."""
    place = tmp_path_factory.mktemp("wheel")
    run(["-m", "hatchling", "build", "-t", "sdist", "-d", str(place)], clone(place / "clone"))
    (archive,) = place.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        packed.extractall(place, filter="data")
    run(["-m", "hatchling", "build", "-t", "wheel", "-d", str(place)], place / archive.name.removesuffix(".tar.gz"))
    (wheel,) = place.glob("*.whl")
    (place / "empty").mkdir()
    return Installed(wheel, environment(place / "environment", wheel), place / "empty")


def clone(place: Path) -> Path:
    """Copy what git would have of the clone."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    for name in filter(None, names):
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_file():
            shutil.copy(ROOT / name, place / name)
    return place


def environment(place: Path, wheel: Path) -> Path:
    """Return `attend` of a new environment that has the wheel and the packages of this one, but not its clone."""
    venv.create(place, with_pip=False)
    python = place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    run(["-m", "pip", "--python", str(python), "install", "--quiet", "--no-deps", "--no-index", str(wheel)], place)
    (packages,) = place.glob("Lib/site-packages" if os.name == "nt" else "lib/python*/site-packages")
    (packages / "present.pth").write_text(sysconfig.get_path("purelib"))  # of whose own .pth files nothing is read
    return python.parent / "attend"


def run(words: list[str], folder: Path) -> None:
    done = subprocess.run([sys.executable, *words], cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def copy(installed: Installed) -> Path:
    said = installed.attend("start", "my-attend")
    assert "my-attend is your working copy" in said
    return installed.folder / "my-attend"


def answer(copy: Path, text: str) -> None:
    stub = (ROOT / "exercises" / f"{CHAPTER}.py").read_text(encoding="utf-8")
    assert ANSWER in stub
    (copy / "exercises" / f"{CHAPTER}.py").write_text(stub.replace(ANSWER, text), encoding="utf-8")


def test_from_an_empty_folder_one_command_begins_the_course(installed: Installed, copy: Path) -> None:
    assert {path.name for path in (ROOT / "exercises").glob("ch*")} == {
        path.name for path in (copy / "exercises").glob("ch*")
    }
    assert "next: rnn_step" in installed.attend(within="my-attend")
    listed = json.loads(installed.attend("list", "--json", within="my-attend"))
    assert len(listed) == len(json.loads((ROOT / "exercises" / "hints.json").read_text(encoding="utf-8")))


def test_a_wrong_answer_is_named_and_a_right_one_passes(installed: Installed, copy: Path) -> None:
    answer(copy, "return q @ k.transpose(-2, -1) / q.shape[-1]")
    said = installed.attend("check", EXERCISE, status=1, within="my-attend")
    assert "Your scores are divided by d, not by its square root" in said
    answer(copy, "return q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5")
    assert f"✓ {EXERCISE}" in installed.attend("check", EXERCISE, within="my-attend")
    assert f"def {EXERCISE}" in installed.attend("solution", EXERCISE, within="my-attend")


def test_the_doctor_finds_nothing_wrong_with_it(installed: Installed, copy: Path) -> None:
    assert "is your working copy" in installed.attend("doctor", within=copy.name)


def test_what_needs_a_clone_says_so(installed: Installed) -> None:
    for words in (("build",), ("grade", "in", "--out", "out"), ("release", "out")):
        assert f"`attend {words[0]}` needs a clone of the course" in installed.attend(*words, status=2)


def test_what_is_missing_is_told_with_a_command_that_needs_no_clone(installed: Installed) -> None:
    ask = "from autograder.course.needs import remedy; print(remedy('notebook'))"
    python = [str(installed.command.with_name("python")), "-c", ask]
    said = subprocess.run(python, cwd=installed.folder, check=True, capture_output=True, text=True).stdout
    assert said == 'pip install "jupyterlab>=4" "jupytext>=1.16" "matplotlib>=3.8"\n'


def test_the_wheel_is_small_and_holds_no_trained_model_and_no_test_of_the_engine(installed: Installed) -> None:
    assert installed.wheel.stat().st_size < MEGABYTES * 1e6
    with zipfile.ZipFile(installed.wheel) as packed:
        names = packed.namelist()
    assert not [name for name in names if name.endswith(".safetensors") or "tests/autograder" in name]


def test_the_course_of_the_wheel_has_the_title_of_the_clone() -> None:
    clones, packed = (
        tomllib.loads((ROOT / place / "attend.toml").read_text(encoding="utf-8")) for place in (".", "reference/course")
    )
    assert packed == {"title": clones["title"], "kind": "packed"}
