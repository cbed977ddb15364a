"""What pip installs is enough for students: the wheel holds the course and their commands, and needs no clone."""

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

from autograder.author.release.engine import engine_files

ROOT = Path(__file__).parents[2]
CHAPTER, EXERCISE = "ch03_attention", "scaled_dot_scores"
MEGABYTES = 2.6
PLACE = {**os.environ, "COLUMNS": "160", "PYTHONPATH": ""}
HATCHLING = "import runpy; runpy.run_module('hatchling', run_name='__main__')"
ANSWER = 'raise NotImplementedError("scaled_dot_scores")'


@dataclass(frozen=True)
class Installed:
    """The wheel, the clone it is of, the `attend` of an environment that has only the wheel, and an empty folder."""

    wheel: Path
    clone: Path
    command: Path
    folder: Path

    def attend(self, *words: str, status: int | None = 0, within: str = "") -> str:
        """Return what was printed, in one line."""
        done = subprocess.run(
            [self.command, *words], cwd=self.folder / within, env=PLACE, capture_output=True, text=True, timeout=300
        )
        said = " ".join((done.stdout + done.stderr).split())
        assert "Traceback" not in said
        assert status in (None, done.returncode), said
        return said


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Build as `python -m build` does, a source archive of the clone and the wheel from that, with hatchling alone."""
    place = tmp_path_factory.mktemp("wheel")
    hatchling = [
        "-c",
        f"import sys; sys.modules.update(dict.fromkeys({needed()})); {HATCHLING}",
        "build",
        "-d",
        str(place),
    ]
    run([*hatchling, "-t", "sdist"], clone(place / "clone"))
    (archive,) = place.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        packed.extractall(place, filter="data")
    run([*hatchling, "-t", "wheel"], place / archive.name.removesuffix(".tar.gz"))
    (wheel,) = place.glob("*.whl")
    (place / "empty").mkdir()
    return Installed(wheel, place / "clone", environment(place / "environment", str(wheel)), place / "empty")


def needed() -> list[str]:
    """Return the packages that students need, none of which building a wheel may load."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return [name.partition(">")[0] for name in settings["project"]["dependencies"]]


def clone(place: Path) -> Path:
    """Copy what git would have of the clone."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    for name in filter(None, names):
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_file():
            shutil.copy(ROOT / name, place / name)
    return place


def environment(place: Path, *what: str) -> Path:
    """Return `attend` of a new environment: what pip is told to install, and this one's packages without its clone."""
    venv.create(place, with_pip=False)
    python = place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    (packages,) = place.glob("Lib/site-packages" if os.name == "nt" else "lib/python*/site-packages")
    (packages / "present.pth").write_text(sysconfig.get_path("purelib"))  # of whose own .pth files nothing is read
    offline = ["--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    run(["-m", "pip", "--python", str(python), "install", *offline, *what], place)
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
    assert {path.name for path in (ROOT / "exercises").glob("ch[0-9]*")} == {
        path.name for path in (copy / "exercises").glob("ch[0-9]*")
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


def test_hints_are_given_and_the_first_file_is_watched(installed: Installed, copy: Path) -> None:
    assert f"{EXERCISE}, hint 1 of 3" in installed.attend("hint", EXERCISE, within=copy.name)
    command = [installed.command, "watch", CHAPTER]
    with subprocess.Popen(command, cwd=copy, env=PLACE, stdout=subprocess.PIPE, text=True) as watching:
        assert watching.stdout is not None
        assert "watching" in watching.stdout.readline()
        watching.terminate()


def test_a_test_cell_of_nbgrader_finds_what_it_calls(installed: Installed) -> None:
    asked = "import sys, autograder.platforms.nbgrader as found; print(found.points.__name__, found.__file__)"
    python = [installed.command.with_name("python"), "-c", asked]
    said = subprocess.run(python, cwd=installed.folder, env=PLACE, check=True, capture_output=True, text=True).stdout
    assert said.startswith(f"points {installed.command.parents[1]}")


def test_what_needs_a_clone_says_so_and_how_that_is_installed(installed: Installed, copy: Path) -> None:
    for words in (("build",), ("grade", "in", "--out", "out"), ("release", "out"), ("export", "a", "b")):
        for within in ("", copy.name):
            said = installed.attend(*words, status=2, within=within)
            assert f"`attend {words[0]}` needs a clone of the course (pip brought what students need)" in said
            assert 'pip install -c constraints.txt -e ".[instructor]" in the course\'s folder' in said


def test_a_clone_that_is_installed_in_place_has_every_command(installed: Installed, tmp_path: Path) -> None:
    command = environment(tmp_path / "environment", "-e", str(installed.clone))
    whole = Installed(installed.wheel, installed.clone, command, tmp_path)
    assert "Grade a class" in whole.attend("--help")
    assert "is not there; give the folder or zip" in whole.attend("grade", "in", "--out", "out", status=2)
    assert "skeleton files" not in installed.attend("--help")


def test_what_is_missing_is_told_with_a_command_that_needs_no_clone(installed: Installed) -> None:
    ask = "from autograder.course.needs import remedy; print(remedy('notebook'))"
    python = [str(installed.command.with_name("python")), "-c", ask]
    said = subprocess.run(python, cwd=installed.folder, check=True, capture_output=True, text=True).stdout
    assert said == 'pip install "jupyterlab>=4.0.2" "jupytext>=1.16" "matplotlib>=3.8"\n'


def test_the_wheel_is_small_and_holds_no_trained_model_and_no_test_of_the_engine(installed: Installed) -> None:
    assert installed.wheel.stat().st_size < MEGABYTES * 1e6
    assert not [name for name in names(installed) if name.endswith(".safetensors") or "tests/autograder" in name]


def test_make_wheel_installs_hatchling_and_nothing_else() -> None:
    def installs(target: str) -> list[str]:
        tried = ["make", "--dry-run", "--always-make", target]
        commands = subprocess.run(tried, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
        return [line.partition("constraints.txt ")[2] for line in commands if "pip install" in line]

    assert installs("wheel") == ["hatchling"]
    assert installs("build") == ["-e '.[instructor,notebook,nbgrader,dev]'"]


def test_of_the_engine_it_holds_what_a_release_holds(installed: Installed) -> None:
    needed = {path.relative_to(ROOT).as_posix() for path in engine_files(ROOT / "autograder")}
    assert {name for name in names(installed) if name.startswith("autograder/")} == needed


def names(installed: Installed) -> list[str]:
    with zipfile.ZipFile(installed.wheel) as packed:
        return packed.namelist()


def test_the_course_of_the_wheel_has_the_title_of_the_clone() -> None:
    clones, packed = (
        tomllib.loads((ROOT / place / "attend.toml").read_text(encoding="utf-8")) for place in (".", "reference/course")
    )
    assert packed == {"title": clones["title"], "kind": "packed"}
