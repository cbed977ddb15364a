"""What only the chapters of a course import is installed with what is handed out of it."""

from __future__ import annotations

import tomllib
import zipfile
from pathlib import Path

import pytest
from rich.console import Console

from autograder.author.build import build
from autograder.author.release.bundle import release
from autograder.author.release.packages import further
from autograder.course.course import Course
from autograder.platforms.gradescope.bundle import make
from tests.autograder.conftest import CHAPTER
from tests.autograder.editing import edit

ROOT = Path(__file__).parents[2]
PROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def wonder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed package that Attend does not need, whose module has another name."""
    place = tmp_path / "site"
    info = place / "wonder_pack-1.2+cpu.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: Wonder-Pack\nVersion: 1.2+cpu\n", encoding="utf-8")
    (info / "top_level.txt").write_text("wonder\n", encoding="utf-8")
    (place / "wonder.py").write_text("", encoding="utf-8")
    monkeypatch.syspath_prepend(place)


@pytest.mark.parametrize(
    "text",
    ["import wonder", "import math, wonder.more", "def f():\n    from wonder import x", "from wonder.more import x"],
)
def test_an_imported_package_is_found_wherever_it_is_imported(text: str) -> None:
    assert further([text], PROJECT) == {"Wonder-Pack": "1.2"}


@pytest.mark.parametrize(
    "text",
    ["import torch.nn, math", "from . import wonder", "import reference.blocks", "import nowhere", "x = 'wonder'"],
)
def test_what_is_there_without_it_is_no_further_package(text: str) -> None:
    assert further([text], PROJECT) == {}


def test_the_course_of_the_clone_needs_no_further_package() -> None:
    files = [*ROOT.glob("solutions/*.py"), *ROOT.glob("reference/**/*.py"), *ROOT.glob("tests/exercises/*.py")]
    assert further([path.read_text(encoding="utf-8") for path in files], PROJECT) == {}


def needs(project: str, constraints: str) -> bool:
    listed = "Wonder-Pack" in tomllib.loads(project)["project"]["dependencies"]
    assert listed == constraints.endswith("\nWonder-Pack==1.2\n")
    return listed


@pytest.mark.parametrize("place", ["solutions", "tests/exercises", "reference", ""])
def test_students_install_what_their_chapters_import(toy_copy: Course, tmp_path: Path, place: str) -> None:
    if place:
        name = f"test_{CHAPTER}.py" if "tests" in place else f"{CHAPTER}.py"
        edit(toy_copy.root / place / name, "import torch\n", "import torch\nimport wonder\n")
        build(toy_copy)
    made = release(toy_copy, tmp_path / "out", [], sealed=False, console=Console(quiet=True))
    files = [(made.placed.root / name).read_text(encoding="utf-8") for name in ("pyproject.toml", "constraints.txt")]
    assert needs(*files) is ("students install Wonder-Pack too" in made.text()) is bool(place)
    make(toy_copy, tmp_path / "autograder.zip", [])
    with zipfile.ZipFile(tmp_path / "autograder.zip") as archive:
        assert needs(*(archive.read(name).decode() for name in ("pyproject.toml", "constraints.txt"))) is bool(place)
