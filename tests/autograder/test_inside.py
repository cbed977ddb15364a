"""Commands write and remove files of the working copy alone, whatever its records and links say."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from autograder.author.release.place import MANIFEST, checked
from autograder.core import files
from autograder.core.errors import UsageError
from autograder.core.files import inside, write
from autograder.course.course import Course
from autograder.report.outputs import prepare_out
from autograder.student import update as module
from autograder.student.answers import reset
from autograder.student.capstones.training_run import Places
from autograder.student.hints import hint
from autograder.student.saved_progress import Progress
from autograder.student.start import start
from autograder.student.update import KEPT, RECORD, undo, update
from tests.autograder.conftest import CHAPTER, TOY, answer
from tests.autograder.run_cli import attend

UP = [
    *("..", "../outside", "exercises/../../outside", "exercises/..", "", "/", "/etc/passwd", "//server/share/x"),
    *(
        "\\outside",
        "..\\outside",
        "exercises\\..\\..\\outside",
        "C:outside",
        "C:/outside",
        "c:\\outside",
        "\\\\?\\C:\\x",
    ),
    *("NUL", "nul.txt", "exercises/aux.py", "COM1", "lpt9.py", "exercises/con.", "CONIN$"),
    *("exercises/x.", "exercises/x ", "exercises/x:stream", "exercises/a\0b", "exercises/\ud800", "exercises/x\n"),
]
NOT_OURS = ("solutions/x.py", ".git/hooks/post-checkout", "reference/x.py", "sitecustomize.py")
"""Files of a folder that no update changes."""
LINKABLE = ("exercises", "docs", "tests", ".attend", ".attend/stubs", ".attend/updates", ".attend/course")
needs_links = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system makes no links for everyone")


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return Course(Path(shutil.copytree(TOY, tmp_path / "toy")))


@pytest.fixture
def copy(course: Course, tmp_path: Path) -> Course:
    return Course(start(course, tmp_path / "mine").root)


def contents_of(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def recorded(copy: Course, rows: dict[str, bool]) -> Path:
    """The folder of an update that changed these files."""
    place = copy.root / KEPT / "2026"
    write(place / RECORD, json.dumps(rows))
    return place


@pytest.mark.parametrize("name", UP)
def test_a_name_that_leads_out_or_means_something_else_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError):
        inside(tmp_path, name)


@pytest.mark.parametrize("name", ["exercises/ch01_toy.py", ".attend/x.json", "README.md", "a..b", "nullable.py", ".x"])
def test_a_name_of_a_file_in_the_folder_is_its_place_there(tmp_path: Path, name: str) -> None:
    assert inside(tmp_path, name) == tmp_path / name


@pytest.mark.parametrize("existed", [True, False])
@pytest.mark.parametrize(
    "name", [*UP, "solutions/x.py", ".git/hooks/post-checkout", "reference/x.py", "sitecustomize.py"]
)
def test_an_update_is_not_taken_back_beyond_what_it_may_change(copy: Course, name: str, existed: bool) -> None:
    outside = copy.root.parent / "outside"
    write(outside, "kept")
    recorded(copy, {"exercises/ch01_toy.py": False, name: existed})
    before = contents_of(copy.root)
    with pytest.raises(UsageError):
        undo(copy)
    assert contents_of(copy.root) == before
    assert outside.read_text(encoding="utf-8") == "kept"


def test_two_names_that_differ_in_case_alone_are_refused(copy: Course) -> None:
    recorded(copy, {"exercises/CH01_toy.py": False, "exercises/ch01_toy.py": True})
    with pytest.raises(UsageError, match="which no update changes; remove"):
        undo(copy)


def test_without_these_refusals_it_would_be(copy: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    outside = copy.root.parent / "outside"
    write(outside, "kept")
    recorded(copy, {"../outside": False})
    monkeypatch.setattr(files, "inside", lambda root, path: root / path)
    monkeypatch.setattr(module, "CHANGED", {".."})
    undo(copy)
    assert not outside.exists()


@needs_links
def test_what_an_update_is_said_to_have_kept_is_not_fetched_from_elsewhere(copy: Course) -> None:
    secret = copy.root.parent / "secret"
    write(secret, "mine alone")
    name = f"exercises/{CHAPTER}.py"
    place = recorded(copy, {name: True})
    (place / "exercises").mkdir()
    (place / name).symlink_to(secret)
    with pytest.raises(UsageError, match="is a link that leads out of"):
        undo(copy)
    assert b"mine alone" not in contents_of(copy.exercises_dir).values()


def _update(copy: Course, course: Course) -> None:
    suite = course.suite(CHAPTER)
    write(suite, suite.read_text(encoding="utf-8") + "# newer\n")
    for path in (course.stub(CHAPTER), course.root / "docs" / "students.md"):
        write(path, "# newer\n")
    update(copy, course)


ACTS: dict[str, Callable[[Course, Course], object]] = {
    "update": _update,
    "undo": lambda copy, _: undo(copy),
    "start": lambda copy, course: start(course, copy.root),
    "reset": lambda copy, _: reset(copy, "double"),
    "sync": lambda copy, _: attend("sync", "--yes", cwd=copy.root),
    "hint": lambda copy, _: hint(copy, "double"),
    "progress": lambda copy, _: Progress.load(copy).keep(),
}


@needs_links
@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("linked", LINKABLE)
def test_a_folder_that_is_a_link_is_neither_written_nor_emptied(
    copy: Course, course: Course, linked: str, act: str
) -> None:
    answer(copy, "def double(x):\n    return 2 * x\n")
    recorded(copy, {"docs/students.md": False, f"exercises/{CHAPTER}.py": False})
    outside = copy.root.parent / "outside"
    outside.mkdir()
    (copy.root / linked).mkdir(exist_ok=True)
    (copy.root / linked).rename(outside / "folder")
    for name in ("hints.json", "debriefs.json", "effort.json", "students.md"):
        write(outside / "folder" / name, "kept")
    (copy.root / linked).symlink_to(outside / "folder", target_is_directory=True)
    before = contents_of(outside)
    _tried(ACTS[act], Course(copy.root), course)
    assert contents_of(outside) == before


@needs_links
@pytest.mark.parametrize(("act", "linked"), [("update", "tests"), ("hint", ".attend"), ("start", "exercises")])
def test_without_the_look_at_links_it_would_be(
    copy: Course, course: Course, linked: str, act: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "inside", lambda root, path: root / path)
    with pytest.raises(AssertionError):
        test_a_folder_that_is_a_link_is_neither_written_nor_emptied(copy, course, linked, act)


PLANTED: dict[str, Callable[[Path, Path], object]] = {
    "a link to a file": lambda part, outside: part.symlink_to(outside / "kept"),
    "a link to nothing": lambda part, outside: part.symlink_to(outside / "nothing"),
    "a pipe": lambda part, _: os.mkfifo(part),
    "a file of another run": lambda part, _: write(part, "half"),
}
"""What may lie where a file is written before it takes its name."""
WRITTEN: dict[str, Callable[[Path], object]] = {
    ".x.json.part": lambda folder: write(folder / "x.json", "new"),
    "results/.probe": prepare_out,
    "feedback/.probe": prepare_out,
    ".grades.csv.part": prepare_out,
    "results/.ada.json.part": prepare_out,
}
"""Names that can be guessed, and what writes or removes them."""


@needs_links
@pytest.mark.parametrize("planted", PLANTED)
@pytest.mark.parametrize("name", WRITTEN)
def test_nothing_is_written_through_what_lies_under_a_name_that_can_be_guessed(
    tmp_path: Path, name: str, planted: str
) -> None:
    outside, part = tmp_path / "outside", tmp_path / "mine" / name
    write(outside / "kept", "kept")
    part.parent.mkdir(parents=True)
    PLANTED[planted](part, outside)
    WRITTEN[name](tmp_path / "mine")
    assert contents_of(outside) == {"kept": b"kept"}
    assert not os.path.lexists(part)


@needs_links
@pytest.mark.parametrize("planted", ["a link to a file", "a link to nothing"])
@pytest.mark.parametrize("name", [".x.json.part", "results/.probe"])
def test_if_it_were_opened_as_it_lies_there_it_would_be(
    tmp_path: Path, name: str, planted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "created", lambda path: path.open("wb"))
    with pytest.raises(AssertionError):
        test_nothing_is_written_through_what_lies_under_a_name_that_can_be_guessed(tmp_path, name, planted)


def test_a_folder_under_such_a_name_is_refused(tmp_path: Path) -> None:
    write(tmp_path / ".x.json.part" / "kept", "kept")
    with pytest.raises(UsageError, match=r"x\.json cannot be written"):
        write(tmp_path / "x.json", "new")


@needs_links
@pytest.mark.parametrize("name", ["results", "feedback"])
def test_a_folder_of_results_that_is_a_link_is_refused(tmp_path: Path, name: str) -> None:
    write(tmp_path / "outside" / ".x.part", "kept")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / name).symlink_to(tmp_path / "outside")
    with pytest.raises(UsageError, match="is a link that leads out of"):
        prepare_out(tmp_path / "out")
    assert contents_of(tmp_path / "outside") == {".x.part": b"kept"}


@needs_links
@pytest.mark.parametrize("linked", ["capstones", "capstones/reverse.html"])
def test_a_training_writes_nothing_through_a_link(copy: Course, linked: str) -> None:
    outside, link = copy.root.parent / "outside", copy.exercises_dir / linked
    link.parent.mkdir(exist_ok=True)
    assert Places.in_copy(copy, "reverse").page == copy.exercises_dir / "capstones" / "reverse.html"
    link.symlink_to(outside)
    with pytest.raises(UsageError, match="is a link that leads out of"):
        _ = Places.in_copy(copy, "reverse").page


@pytest.mark.parametrize("name", [*filter(str.isascii, UP)])  # a manifest with half a character is none
def test_a_release_takes_no_files_from_elsewhere_for_its_own(tmp_path: Path, name: str) -> None:
    write(tmp_path / "out" / MANIFEST, json.dumps({name: []}))
    with pytest.raises(UsageError):
        checked(tmp_path / "out")


def _tried(act: Callable[[Course, Course], object], *courses: Course) -> Sequence[str]:
    """Try something, and return why it is refused, if it is."""
    try:
        act(*courses)
    except UsageError as refused:
        return [str(refused)]
    return []
