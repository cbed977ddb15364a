"""`attend doctor`: what is wrong with a student's installation, and how to fix it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from autograder.course.course import MARKER, Course
from autograder.course.needs import clone_remedy
from autograder.student import install
from autograder.student.install import SetupRow, rows
from autograder.student.start import start

TOY = Path(__file__).parent / "toy"


@pytest.fixture(autouse=True)
def a_quick_torch(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Torch takes seconds to load, and only one claim is about that."""
    if "torch" not in request.node.name.split("[")[0]:
        monkeypatch.setattr(install, "LOAD", "print('2')")


@pytest.fixture
def copy(tmp_path: Path) -> Course:
    course = Course(Path(shutil.copytree(TOY, tmp_path / "toy")))
    return Course(start(course, tmp_path / "mine").root)


def found(course: Course, here: Path | None = None) -> dict[str, SetupRow]:
    return {row.name: row for row in rows(course, here or course.root)}


def test_nothing_is_wrong_with_a_fresh_working_copy(copy: Course) -> None:
    said = found(copy)
    assert [name for name, row in said.items() if row.ok is False] == []
    assert said["folder"].ok


@pytest.mark.parametrize("name", ["random.py", "torch.py", "numpy/__init__.py"])
def test_a_file_that_hides_a_module_is_named(copy: Course, name: str) -> None:
    path = copy.exercises_dir / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("", encoding="utf-8")
    row = found(copy)["files"]
    assert row.ok is False
    assert str(path.parent if path.stem == "__init__" else path) in row.value
    assert "rename it" in row.value


def test_a_torch_that_does_not_load_is_told_by_its_own_last_words(
    copy: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(install, "LOAD", "raise OSError('a library is damaged')")
    row = found(copy)["torch"]
    assert row.ok is False
    assert "a library is damaged" in row.value


def test_torch_is_the_installed_one_whatever_the_folder_holds(copy: Course) -> None:
    (copy.root / "torch.py").write_text("raise OSError('run')", encoding="utf-8")
    said = found(copy)
    assert said["torch"].ok
    assert "torch.py: hides a module" in said["files"].value
    (copy.root / "random.py").write_text("", encoding="utf-8")
    assert "hide modules of the same names; rename them" in found(copy)["files"].value


def test_the_course_itself_is_no_place_to_work_in(toy: Course) -> None:
    row = found(toy)["folder"]
    assert row.ok is None
    assert "attend start DIR" in row.value


@pytest.mark.parametrize("wrong", ["version", "chapter"])
def test_an_old_or_incomplete_copy_is_told_how_to_get_what_it_lacks(copy: Course, wrong: str) -> None:
    if wrong == "version":
        marker = copy.root / MARKER
        marker.write_text(
            marker.read_text(encoding="utf-8").replace('version = "', 'version = "0.0.'), encoding="utf-8"
        )
    else:
        for path in copy.exercises_dir.glob("ch01_toy.*"):
            path.unlink()
    row = found(Course(copy.root))["folder"]
    assert row.ok is False
    assert ("attend update" if wrong == "version" else ".attend/stubs") in row.value


def test_one_form_of_a_chapter_is_enough(copy: Course) -> None:
    (copy.exercises_dir / "ch01_toy.py").unlink()
    assert found(copy)["folder"].ok


def test_what_is_not_installed_is_named(copy: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(install, "_version", lambda name: None if name in ("rich", "jupyterlab") else "1")
    said = found(copy)
    assert "rich" in said["packages"].value
    assert said["packages"].ok is False
    assert said["notebooks"].ok is None  # nobody needs them


@pytest.mark.parametrize(
    ("settings", "active", "says"),
    [
        ("home = /usr/bin\nversion = 3.11.7\n", True, "pip install -c"),
        ("home = /usr/bin\nuv = 0.13.9\nversion_info = 3.11.7\n", True, "uv pip install -c"),
        ("home = /usr/bin\nuv = 0.13.9\nversion_info = 3.11.7\n", False, 'uv pip install --python "{prefix}" -c'),
        (None, True, "pip install -c"),
    ],
    ids=["venv", "uv", "uv, not active", "none"],
)
def test_what_is_missing_is_installed_with_what_made_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: str | None, active: bool, says: str
) -> None:
    if settings:
        (tmp_path / "pyvenv.cfg").write_text(settings, encoding="utf-8")
    monkeypatch.setattr("sys.prefix", str(tmp_path))
    monkeypatch.setenv("VIRTUAL_ENV", str(tmp_path) if active else "")
    assert clone_remedy().startswith(says.format(prefix=tmp_path))
