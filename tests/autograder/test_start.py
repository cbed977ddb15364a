"""`attend start`: a working copy is made once, brought up to date later, never written over."""

import json
import os
import shutil
from pathlib import Path

import pytest

from autograder import __version__
from autograder.author.build import build
from autograder.author.new import new
from autograder.core.errors import UsageError
from autograder.course.course import Course
from autograder.course.debriefs import debriefs
from autograder.course.effort import efforts
from autograder.student.hints import hint
from autograder.student.start import commands, start
from autograder.student.update import update
from tests.autograder.forked import python

TOY = Path(__file__).parent / "toy"
OWN = ["exercises/ch01_toy.ipynb", "exercises/ch01_toy.py"]
FILES = [
    ".attend/course/checks.json",
    ".attend/course/debriefs.json",
    ".attend/course/effort.json",
    ".attend/course/hints.json",
    ".attend/stubs/ch01_toy.ipynb",
    ".attend/stubs/ch01_toy.py",
    ".gitignore",
    "README.md",
    "attend.toml",
    "conftest.py",
    *OWN,
    "pytest.ini",
    "tests/exercises/test_ch01_toy.py",
]


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return Course(Path(shutil.copytree(TOY, tmp_path / "toy")))


def contents(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def names(paths: tuple[Path, ...]) -> list[str]:
    return sorted(path.as_posix() for path in paths)


def test_a_copy_holds_all_a_student_needs_and_nothing_else(course: Course, tmp_path: Path) -> None:
    started = start(course, tmp_path / "mine")
    assert started.root == tmp_path / "mine"
    assert names(started.added) == FILES == sorted(contents(started.root))
    assert (started.refreshed, started.kept) == ((), ())
    for name in (*OWN, "tests/exercises/test_ch01_toy.py"):
        assert (started.root / name).read_bytes() == (course.root / name).read_bytes()
    hints = course.exercises_dir / "hints.json"
    assert (started.root / ".attend" / "course" / "hints.json").read_bytes() == hints.read_bytes()


def test_a_copy_is_a_course_of_the_same_exercises(course: Course, tmp_path: Path) -> None:
    copy = Course.find(start(course, tmp_path / "mine").root / "exercises")
    assert copy.root == tmp_path / "mine"
    assert copy.is_copy
    assert copy.exercises == course.exercises
    own = {"title": "Toy course", "kind": "copy", "version": __version__}
    assert copy.settings == {**own, "course": str(course.root)}


def test_a_title_with_quotes_survives(course: Course, tmp_path: Path) -> None:
    title = 'The "toy" \\ course · √d'
    (course.root / "attend.toml").write_text(f"title = '{title}'\n", encoding="utf-8")
    assert Course(start(Course(course.root), tmp_path / "mine").root).settings["title"] == title


@pytest.mark.parametrize("folder", [".", "tests/exercises"])
def test_plain_pytest_finds_the_plugin_from_any_folder(course: Course, tmp_path: Path, folder: str) -> None:
    root = start(course, tmp_path / "mine").root
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    shown = python("-m", "pytest", "--markers", "-p", "no:cacheprovider", cwd=root / folder, env=environment)
    assert "@pytest.mark.exercise(" in shown.stdout


def test_the_readme_tells_how_to_check_and_get_hints(course: Course, tmp_path: Path) -> None:
    text = (start(course, tmp_path / "mine").root / "README.md").read_text(encoding="utf-8")
    for wanted in ("Toy course", "exercises/ch01_toy.py", "attend check ch01", "attend hint", "pytest tests/exercises"):
        assert wanted in text


def test_the_readme_lists_what_asks_and_trains() -> None:
    listed = commands(Course(Path(__file__).parents[2]))
    for name in ("ask NAME", "train", "sample NAME PROMPT"):
        assert f"\nattend {name} " in listed
    toy = commands(Course(TOY))
    assert "attend ask" in toy
    assert "attend sample" not in toy


def old(course: Course, place: Path) -> Course:
    """Make a copy as copies once were: with the tables among the answers."""
    root = start(course, place).root
    (root / ".attend" / "course" / "checks.json").unlink()
    for path in (root / ".attend" / "course").iterdir():
        path.rename(root / "exercises" / path.name)
    return Course(root)


def test_the_folder_of_answers_holds_nothing_else(course: Course, tmp_path: Path) -> None:
    assert sorted(path.suffix for path in start(course, tmp_path / "mine").root.glob("exercises/*")) == [
        ".ipynb",
        ".py",
    ]


def test_an_old_copy_works_as_it_is_and_a_start_tidies_it(course: Course, tmp_path: Path) -> None:
    copy = old(course, tmp_path / "mine")
    assert (hint(copy, "double").level, efforts(copy), debriefs(copy)) == (1, efforts(course), debriefs(course))
    start(course, copy.root)
    assert contents(copy.root).keys() == contents(start(course, tmp_path / "other").root).keys() | {
        ".attend/hints.json"
    }


def test_an_update_tidies_an_old_copy_too(course: Course, tmp_path: Path) -> None:
    copy = old(course, tmp_path / "mine")
    update(copy, course)
    assert not list(copy.exercises_dir.glob("*.json"))
    assert (copy.root / ".attend" / "course" / "hints.json").is_file()


def test_a_second_start_changes_nothing(course: Course, tmp_path: Path) -> None:
    root = start(course, tmp_path / "mine").root
    before = contents(root)
    again = start(course, root)
    assert contents(root) == before
    assert (again.added, again.refreshed) == ((), ())
    assert names(again.kept) == [".gitignore", "README.md", *OWN]


def test_a_students_work_is_never_overwritten(course: Course, tmp_path: Path) -> None:
    root = start(course, tmp_path / "mine").root
    for name in (*OWN, "README.md", ".gitignore", "exercises/notes.txt"):
        (root / name).write_text("my own")
    stub = course.stub("ch01_toy")
    stub.write_text(stub.read_text(encoding="utf-8") + "# newer\n", encoding="utf-8")
    started = start(course, root)
    assert {(root / name).read_text() for name in (*OWN, "README.md", ".gitignore", "exercises/notes.txt")} == {
        "my own"
    }
    assert set(OWN) <= set(names(started.kept))


def test_suites_hints_and_settings_are_refreshed(course: Course, tmp_path: Path) -> None:
    root = start(course, tmp_path / "mine").root
    before = contents(root)
    refreshed = [
        ".attend/course/checks.json",
        ".attend/course/debriefs.json",
        ".attend/course/effort.json",
        ".attend/course/hints.json",
        "attend.toml",
        "conftest.py",
        "pytest.ini",
        "tests/exercises/test_ch01_toy.py",
    ]
    for name in refreshed:
        (root / name).write_text('kind = "copy"  # old\n')
    assert names(start(course, root).refreshed) == refreshed
    assert contents(root) == before


def test_a_new_chapter_is_added(course: Course, tmp_path: Path) -> None:
    root = start(course, tmp_path / "mine").root
    (root / OWN[1]).write_text("my own")
    new(course, "ch02_more")
    grown = Course(course.root)
    build(grown)
    started = start(grown, root)
    parts = [f"{folder}/ch02_more.{form}" for folder in (".attend/stubs", "exercises") for form in ("ipynb", "py")]
    assert names(started.added) == [*parts, "tests/exercises/test_ch02_more.py"]
    assert names(started.refreshed) == [
        ".attend/course/checks.json",
        ".attend/course/debriefs.json",
        ".attend/course/effort.json",
        ".attend/course/hints.json",
    ]
    assert (root / OWN[1]).read_text() == "my own"


@pytest.mark.parametrize("survived", range(len(FILES) + 1))
def test_a_run_that_was_interrupted_is_completed_by_the_next(
    course: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, survived: int
) -> None:
    replace, moves = os.replace, iter(range(survived))

    def until_interrupted(source: Path, target: Path) -> None:
        if next(moves, None) is None:
            raise KeyboardInterrupt
        replace(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", until_interrupted)
        if survived < len(FILES):
            with pytest.raises(KeyboardInterrupt):
                start(course, tmp_path / "mine")
        else:
            start(course, tmp_path / "mine")
    whole = contents(start(course, tmp_path / "other").root)
    for name, data in contents(tmp_path / "mine").items():
        assert name.endswith(".part") or data == whole[name]
    assert contents(start(course, tmp_path / "mine").root) == whole


def test_an_empty_folder_and_one_with_hidden_files_will_do(course: Course, tmp_path: Path) -> None:
    (tmp_path / "mine" / ".git").mkdir(parents=True)
    assert len(start(course, tmp_path / "mine").added) == len(FILES)


def test_a_folder_with_other_files_is_refused(course: Course, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("")
    with pytest.raises(UsageError, match=r"holds other files \(thesis.tex\); choose a new or an empty folder"):
        start(course, tmp_path / "mine")
    assert list(contents(tmp_path / "mine")) == ["thesis.tex"]


def test_a_file_is_refused(course: Course, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("")
    with pytest.raises(UsageError, match="is a file; choose a folder"):
        start(course, tmp_path / "mine")


def test_a_missing_parent_is_named(course: Course, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=f"there is no folder {tmp_path / 'a'}; make it first"):
        start(course, tmp_path / "a" / "mine")


def test_a_place_that_cannot_be_written_to_is_refused(
    course: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    for blocked in (os, "replace"), (Path, "mkdir"):
        with monkeypatch.context() as patch:
            patch.setattr(*blocked, refuse)
            with pytest.raises(UsageError, match=r"\(Permission denied\); choose a folder you may write to"):
                start(course, tmp_path / f"mine-{blocked[1]}")


@pytest.mark.parametrize("inside", ["", "exercises", "exercises/mine", "tests/exercises", "solutions", "docs/mine"])
def test_no_copy_is_made_inside_the_courses_own_parts(course: Course, inside: str) -> None:
    (course.root / "docs").mkdir(exist_ok=True)
    before = contents(course.root)
    with pytest.raises(UsageError, match=r"(belongs to the course .+|is the course itself); choose another folder"):
        start(course, course.root / inside)
    assert contents(course.root) == before


def test_a_copy_beside_the_courses_parts_is_fine(course: Course) -> None:
    started = start(course, course.root / "my-attend")
    assert Course.find(started.root).is_copy
    assert start(course, course.root / "my-attend").added == ()


def test_no_copy_is_made_inside_a_copy(course: Course, tmp_path: Path) -> None:
    root = start(course, tmp_path / "mine").root
    with pytest.raises(UsageError, match="belongs to the working copy"):
        start(course, root / "again")
    with pytest.raises(UsageError, match="is a working copy itself"):
        start(Course(root), tmp_path / "second")


def test_a_course_that_was_not_built_is_named_and_nothing_is_made(course: Course, tmp_path: Path) -> None:
    course.stub("ch01_toy").unlink()
    with pytest.raises(UsageError, match=r"the course has no exercises/ch01_toy.py; run `attend build`"):
        start(course, tmp_path / "mine")
    assert not (tmp_path / "mine").exists()


def test_a_report_counts_what_was_done(course: Course, tmp_path: Path) -> None:
    first = start(course, tmp_path / "mine").text()
    assert f"{tmp_path / 'mine'} is your working copy: {len(FILES)} files" in first
    assert first.endswith(f"next: cd {tmp_path / 'mine'}, then `attend`")
    (tmp_path / "mine" / ".attend" / "course" / "hints.json").write_text("{}")
    (tmp_path / "mine" / OWN[0]).unlink()
    assert "1 file added, 1 file refreshed, 3 files of yours left" in start(course, tmp_path / "mine").text()
    assert json.loads((tmp_path / "mine" / ".attend" / "course" / "hints.json").read_text(encoding="utf-8"))
