"""`attend release`: a folder and an archive that a student needs nothing else for, and that hold no answers."""

from __future__ import annotations

import json
import os
import shutil
import tomllib
import zipfile
from pathlib import Path, PurePosixPath

import pytest
from rich.console import Console

from autograder.author.release import engine
from autograder.author.release.bundle import project, release, with_own_parts
from autograder.author.release.uses import reference_files
from autograder.core.errors import UsageError
from autograder.course.course import Course
from tests.autograder.forked import python

TOY = Path(__file__).parent / "toy"
REAL = Course(Path(__file__).parents[2])
SQUARED = "def double(x):\n    return x * x\n"
FILES = {
    *(f".attend/course/{name}.json" for name in ("checks", "debriefs", "effort", "hints")),
    ".attend/course/lent/ch01_toy.bin",
    *(".attend/release.json", ".attend/stubs/ch01_toy.ipynb", ".attend/stubs/ch01_toy.py", ".gitignore", "LICENSE"),
    *("README.md", "attend.toml", "conftest.py", "constraints.txt", "pyproject.toml", "pytest.ini"),
    *("exercises/ch01_toy.ipynb", "exercises/ch01_toy.py", "tests/exercises/test_ch01_toy.py"),
    *("reference/__init__.py", "reference/ch01_toy.py"),
    *("reference/misconceptions/__init__.py", "reference/misconceptions/ch01_toy.py"),
}

OF_STUDENTS = {"asking", "calls", "compare", "core", "course", "internals", "source", "student", "suite"}
"""Packages that students and graders share as a whole, or that students alone use."""
SHARED = {
    f"autograder/{package}/{name}.py"
    for package, names in {
        "sandbox": "__init__ frames nodes pack pack_records tape wire",
        "platforms": "__init__ github/workflow nbgrader/__init__ nbgrader/hidden_checks nbgrader/kernel",
        "judging": "__init__ form_costs judge lending repairing",
        "classroom": "__init__ lost_files",
        "intake": "__init__ archive artefacts chapter_source contents guess_file misnamed own_modules submissions "
        "unusual",
        "commands": "__init__ cli common listing student",
        "commands/resident": "__init__ forward server start_stop",
    }.items()
    for name in names.split()
}
"""What students get of the packages that grade."""


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return Course(Path(shutil.copytree(TOY, tmp_path / "toy", ignore=shutil.ignore_patterns("__pycache__"))))


WATCHED = """
import pathlib
from autograder.student import watch
place = pathlib.Path("exercises/ch01_toy.py")
def saves(*_):
    place.write_text(place.read_text().replace("x * x", "x + x + x"))
    yield [place]
    raise SystemExit
watch.Saves = saves
run(["watch", "double"])
"""
NOTEBOOK = """
import autograder.student.lab, autograder.platforms.github.workflow
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_line_magic("load_ext", "autograder")
shell.run_line_magic("check", "mean")
shell.run_line_magic("hint", "mean")
shell.run_line_magic("show", "mean")
"""
NBGRADER = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_cell("def double(x):\\n    return x * x", store_history=True)
shell.run_cell("from autograder.platforms.nbgrader import points\\npoints('double')", store_history=True)
"""


def released(course: Course, directory: Path, *names: str, hints: int | None = None) -> Path:
    return release(course, directory, names, sealed=False, console=Console(quiet=True), hints=hints).placed.root


def contents(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def attend(root: Path, *commands: str, then: str = "") -> str:
    """What commands, and `then` Python, print in an unpacked release: its own engine runs them, in one process."""
    lines = "\n".join(f"run({command.split()!r})" for command in commands)
    script = f"""\
import autograder
from autograder.commands.cli import app
from autograder.core.errors import AttendError
print("engine", autograder.__file__)
def run(words):
    try:
        app(words)
    except AttendError as error:
        print(error)
    except SystemExit:
        pass
{lines}
{then}
"""
    done = python("-c", script, cwd=root)
    assert done.returncode == 0, done.stderr
    assert f"engine {root / 'autograder'}" in done.stdout
    return " ".join(done.stdout.split())


def test_a_release_holds_what_a_student_needs_and_answers_only_packed(course: Course, tmp_path: Path) -> None:
    made = contents(released(course, tmp_path / "out"))
    own = {name for name in made if not name.startswith(("autograder/", "exercises/"))}
    assert own | {name for name in made if name.startswith("exercises/ch01")} == FILES
    assert "autograder/commands/cli.py" in made
    assert "autograder/suite/suites.ini" in made
    assert [name for name in made if "__pycache__" in name or "solutions" in name.split("/")[0]] == []
    assert b"BEGIN SOLUTION" not in made["exercises/ch01_toy.py"]


def test_the_archive_has_the_same_files_in_one_folder(course: Course, tmp_path: Path) -> None:
    root = released(course, tmp_path / "out")
    with zipfile.ZipFile(tmp_path / "out.zip") as archive:
        packed = {name: archive.read(name) for name in archive.namelist()}
    assert packed == {f"out/{name}": data for name, data in contents(root).items() if name != ".attend/release.json"}


def test_it_says_what_to_do_next_and_names_the_chapters_that_were_chosen(course: Course, tmp_path: Path) -> None:
    for names, options in (([], ""), (["toy"], " --only ch01_toy")):
        said = release(course, tmp_path / f"out{len(names)}", names, sealed=False, console=Console(quiet=True)).text()
        assert f"next: hand out the zip; what comes back: attend grade DOWNLOAD --out GRADES{options}" in said


def test_the_same_course_gives_the_same_bytes(course: Course, tmp_path: Path) -> None:
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        released(course, tmp_path / name / "out")
    one, other = ((tmp_path / name / "out.zip").read_bytes() for name in ("one", "other"))
    assert one == other
    suite = course.suite("ch01_toy")
    suite.write_text(suite.read_text(encoding="utf-8") + "# more\n", encoding="utf-8")
    released(course, tmp_path / "one" / "out")
    assert (tmp_path / "one" / "out.zip").read_bytes() != other


def test_an_unpacked_release_checks_names_hints_and_explains(course: Course, tmp_path: Path) -> None:
    released(course, tmp_path / "out")
    with zipfile.ZipFile(tmp_path / "out.zip") as archive:
        archive.extractall(tmp_path / "unpacked")
    root = tmp_path / "unpacked" / "out"
    (root / "exercises" / "ch01_toy.py").write_text(SQUARED, encoding="utf-8")
    asked = ("check double", "hint double", "explain double-squared", "show double", "list", "solution double")
    said = attend(root, *asked)
    assert "You squared the numbers." in said
    assert "double, hint 1 of" in said
    assert "Doubling multiplies by two" in said
    assert "The smallest example of it that was found, with your answer" in said
    assert "mean_and_sum" in said
    assert "this course was given out without its solutions; ask your instructor" in said
    (root / "exercises" / "ch01_toy.py").write_text("def double(x):\n    return 2 * x\n", encoding="utf-8")
    assert "Read: any book on linear algebra" in attend(root, "check double", "explain double")


def test_what_students_type_runs_on_the_files_that_they_are_given(course: Course, tmp_path: Path) -> None:
    root = released(course, tmp_path / "out")
    (root / "exercises" / "ch01_toy.py").write_text(SQUARED, encoding="utf-8")
    typed = ("", "check", "hint double", "explain double", "show double", "list", "sync --from py --yes", "doctor")
    said = attend(root, *typed, "grade x", "new ch09_more", "--help", then=WATCHED)
    assert "You squared the numbers." in said
    assert "watching" in said
    assert "all entries differ" in said.split("watching")[1]
    for name in ("grade", "new"):
        assert f"`attend {name}` is for your instructor" in said
    assert "Grade a class" not in said
    assert "skeleton files" not in said
    assert "mean_and_sum, hint 1 of 3" in attend(root, "reset double", then=NOTEBOOK)
    assert SQUARED not in (root / "exercises" / "ch01_toy.py").read_text(encoding="utf-8")


def test_a_test_cell_of_nbgrader_runs_on_the_files_that_students_are_given(course: Course, tmp_path: Path) -> None:
    said = attend(released(course, tmp_path / "out"), then=NBGRADER)
    assert "You squared the numbers." in said
    assert "Error" not in said


def test_what_grades_a_class_or_makes_a_course_stays_with_those_who_do(course: Course, tmp_path: Path) -> None:
    files = {name for name in contents(released(course, tmp_path / "out")) if name.startswith("autograder/")}
    packages = {name.split("/")[1] for name in files if name.count("/") > 1}
    assert packages == OF_STUDENTS | {name.split("/")[1] for name in SHARED}
    assert {name for name in files if name.split("/")[1] not in OF_STUDENTS and name.count("/") > 1} == SHARED


@pytest.mark.parametrize("names", ["ROOTS", "APART"])
def test_a_module_with_a_new_name_is_not_left_out_in_silence(monkeypatch: pytest.MonkeyPatch, names: str) -> None:
    monkeypatch.setattr(engine, names, (*getattr(engine, names), "autograder.student.renamed"))
    with pytest.raises(LookupError, match=r"the engine has no autograder\.student\.renamed"):
        engine.engine_files.__wrapped__(REAL.root / "autograder")


@pytest.mark.parametrize(
    ("count", "said"), [(0, "the hints are with"), (1, "the last 2 hints are"), (2, "last hint is")]
)
def test_hints_that_are_held_back_are_said_to_be(course: Course, tmp_path: Path, count: int, said: str) -> None:
    root = released(course, tmp_path / "out", hints=count)
    every = json.loads((course.root / "exercises" / "hints.json").read_text(encoding="utf-8"))
    text = (root / ".attend" / "course" / "hints.json").read_text(encoding="utf-8")
    assert [[json.dumps(hint)[1:-1] in text for hint in hints] for hints in every.values()] == [
        [number < count for number in range(3)] for _ in every
    ]
    told = attend(root, *["hint double"] * max(count, 1), "hint double 3")
    assert told.count(f"{said} with your instructor; ask there" if count else said) == 2


def test_only_given_parts_that_a_chapter_names_are_handed_out() -> None:
    for chapter, names in (("ch05_multihead", set()), ("ch08_decoder", {"EncoderBlock", "ScriptedModel"})):
        own = {
            PurePosixPath("exercises", "x.py"): REAL.stub(chapter),
            PurePosixPath("tests", "x.py"): REAL.suite(chapter),
        }
        made = with_own_parts(REAL, {place: path.read_bytes() for place, path in own.items()})
        text = "".join(data.decode() for place, data in made.items() if place.parts[0] == "reference")
        assert {
            name for name in ("EncoderBlock", "ScriptedModel", "PatchEmbedding", "Namesakes") if name in text
        } == names


def test_a_second_release_brings_the_folder_up_to_date(course: Course, tmp_path: Path) -> None:
    root = released(course, tmp_path / "out")
    (root / ".git").mkdir()
    (root / ".git" / "HEAD").write_text("mine")
    suite = course.suite("ch01_toy")
    suite.write_text(suite.read_text(encoding="utf-8") + "# more\n", encoding="utf-8")
    (course.root / "reference" / "scenes.py").write_text("SCENES = {}\n")
    again = release(course, root, [], sealed=False, console=Console(quiet=True)).placed
    assert (again.written, again.removed) == (2, 0)
    (course.root / "reference" / "scenes.py").unlink()
    again = release(course, root, [], sealed=False, console=Console(quiet=True)).placed
    assert (again.written, again.removed) == (0, 1)
    assert not (root / "reference" / "scenes.py").exists()
    assert (root / ".git" / "HEAD").read_text() == "mine"


@pytest.mark.parametrize(("name", "words"), [("out/notes.txt", "was not made by"), ("out.zip", "choose another name")])
def test_what_it_did_not_make_is_left_alone(course: Course, tmp_path: Path, name: str, words: str) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("mine")
    with pytest.raises(UsageError, match=words):
        released(course, tmp_path / "out")
    assert (tmp_path / name).read_text() == "mine"
    (tmp_path / name).unlink()
    released(course, tmp_path / "out")


def test_a_release_that_was_worked_in_is_left_alone(course: Course, tmp_path: Path) -> None:
    root = released(course, tmp_path / "out")
    (root / "exercises" / "ch01_toy.py").write_text(SQUARED)
    with pytest.raises(UsageError, match="was changed since it was released"):
        released(course, root)
    assert (root / "exercises" / "ch01_toy.py").read_text() == SQUARED


@pytest.mark.parametrize("inside", ["", "exercises", "docs/out"])
def test_a_release_does_not_go_into_the_course(course: Course, inside: str) -> None:
    with pytest.raises(UsageError):
        released(course, course.root / inside)


def test_a_working_copy_cannot_be_released(course: Course, tmp_path: Path) -> None:
    root = released(course, tmp_path / "out")
    with pytest.raises(UsageError, match="releases are made from the course"):
        released(Course(root), tmp_path / "other")


def test_an_interruption_leaves_the_old_archive_whole(
    course: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = released(course, tmp_path / "out")
    before = (tmp_path / "out.zip").read_bytes()
    suite = course.suite("ch01_toy")
    suite.write_text(suite.read_text(encoding="utf-8") + "# more\n", encoding="utf-8")

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", stopped)
        with pytest.raises(KeyboardInterrupt):
            released(course, root)
    assert (tmp_path / "out.zip").read_bytes() == before
    assert list(tmp_path.rglob("*.part")) == []
    released(course, root)
    assert (tmp_path / "out.zip").read_bytes() != before


def test_chapters_that_others_need_come_along_as_reference_only() -> None:
    multihead = {path.stem for path in reference_files(REAL, ["ch05_multihead"])}
    assert {"ch05_multihead", "ch04_masking", "layers", "scenes"} <= multihead
    assert not {"ch03_attention", "ch06_encoder"} & multihead
    hunt = {path.relative_to(REAL.root / "reference").as_posix() for path in reference_files(REAL, ["ch14_bug_hunt"])}
    assert {"ch03_attention.py", "misconceptions/ch03_attention/softmax.py"} <= hunt


def test_only_chosen_chapters_are_handed_out(tmp_path: Path) -> None:
    root = released(REAL, tmp_path / "out", "ch05")
    assert Course(root).chapters == ("ch05_multihead",)
    assert {path.stem for path in (root / "exercises").glob("ch*")} == {"ch05_multihead"}
    hints = json.loads((root / ".attend" / "course" / "hints.json").read_text(encoding="utf-8"))
    assert {*hints} == {exercise.name for exercise in REAL.of("ch05_multihead")}
    with pytest.raises(UsageError, match="whole chapters"):
        released(REAL, tmp_path / "other", "split_heads")


def test_a_release_can_be_installed_by_its_own_project_file() -> None:
    text = (REAL.root / "pyproject.toml").read_text(encoding="utf-8")
    whole, made = tomllib.loads(text), tomllib.loads(project(text, 'The "toy" course'))
    assert made["build-system"] == whole["build-system"]
    assert made["project"]["description"] == 'The "toy" course'
    assert made["project"]["scripts"] == whole["project"]["scripts"]
    assert "hooks" not in made["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert {*made["tool"]} == {"hatch"}
    assert made["project"]["dependencies"] == whole["project"]["dependencies"]


def test_a_wheel_of_a_release_has_the_engine_that_lies_in_it(course: Course, tmp_path: Path) -> None:
    root = released(course, tmp_path / "out")
    done = python("-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path / "wheel", cwd=root)
    assert done.returncode == 0, done.stderr
    (wheel,) = (tmp_path / "wheel").iterdir()
    with zipfile.ZipFile(wheel) as packed:
        held = {name for name in packed.namelist() if name.startswith("autograder/")}
    assert held == {name for name in contents(root) if name.startswith("autograder/")}
