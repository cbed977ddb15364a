"""`attend update`: a newer course comes into a working copy, the answers stay, and it can be taken back."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from autograder.author.build import build
from autograder.author.new import new
from autograder.core.errors import UsageError
from autograder.course.course import Course
from autograder.student.start import start
from autograder.student.update import undo, update
from tests.autograder.conftest import CHAPTER, TOY, in_place_of_the_real

MODULE, NOTEBOOK = f"exercises/{CHAPTER}.py", f"exercises/{CHAPTER}.ipynb"
SUITE = f"tests/exercises/test_{CHAPTER}.py"
OTHER = "ch01_other"


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return Course(Path(shutil.copytree(TOY, tmp_path / "toy")))


@pytest.fixture
def copy(course: Course, tmp_path: Path) -> Course:
    return Course(start(course, tmp_path / "mine").root)


def contents(copy: Course) -> dict[str, bytes]:
    found = {path.relative_to(copy.root).as_posix(): path for path in copy.root.rglob("*") if path.is_file()}
    return {name: path.read_bytes() for name, path in found.items() if not name.startswith(".attend/updates")}


def add(path: Path, text: str) -> None:
    path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")


def newer(course: Course) -> None:
    """Change the course's checks, and its stub in both forms."""
    add(course.suite(CHAPTER), "# newer\n")
    add(course.stub(CHAPTER), "# newer\n")


def test_answers_stay_checks_come_and_what_changed_is_listed(course: Course, copy: Course) -> None:
    add(copy.root / MODULE, "mine = 1\n")
    answers = (copy.root / MODULE).read_bytes()
    newer(course)
    said = update(copy, course).text()
    assert (copy.root / MODULE).read_bytes() == answers
    assert (copy.root / SUITE).read_bytes() == course.suite(CHAPTER).read_bytes()
    assert "2 files changed" in said
    assert f"checks: {CHAPTER}" in said
    assert "1 other file of the course" in said  # the stub that `attend reset` puts back
    assert "attend update --undo" in said


def test_a_stub_that_was_not_touched_is_replaced(course: Course, copy: Course) -> None:
    newer(course)
    assert f"exercise files that you had not touched: {CHAPTER}" in update(copy, course).text()
    assert (copy.root / MODULE).read_bytes() == course.stub(CHAPTER).read_bytes()


def test_an_exercise_that_changed_in_a_file_that_stays_is_named(course: Course, copy: Course) -> None:
    add(copy.root / MODULE, "mine = 1\n")
    stub = course.stub(CHAPTER)
    stub.write_text(stub.read_text(encoding="utf-8").replace("def double(x", "def double(y"), encoding="utf-8")
    said = update(copy, course).text()
    assert f"your {CHAPTER} stays; double changed in the course: compare yours with .attend/stubs/{CHAPTER}.py" in said


def test_a_second_update_has_nothing_to_do(course: Course, copy: Course) -> None:
    newer(course)
    update(copy, course)
    before = contents(copy)
    assert "has the installed course already" in update(copy, course).text()
    assert contents(copy) == before


def test_an_update_can_be_taken_back_and_what_was_written_since_is_kept(course: Course, copy: Course) -> None:
    before = contents(copy)
    newer(course)
    update(copy, course)
    add(copy.root / MODULE, "mine = 1\n")
    said = undo(copy)
    assert contents(copy) == before
    (kept,) = (copy.root / ".attend" / "updates").rglob(f"taken-back/{MODULE}")
    assert kept.read_text(encoding="utf-8").endswith("# newer\nmine = 1\n")
    assert "taken-back" in said
    with pytest.raises(UsageError, match=r"no update of .* to take back"):
        undo(copy)


def test_a_new_chapter_comes_and_goes_again(course: Course, copy: Course) -> None:
    before = contents(copy)
    new(course, "ch02_more")
    grown = Course(course.root)
    build(grown)
    assert "ch02_more" in update(copy, grown).text()
    assert (copy.exercises_dir / "ch02_more.ipynb").is_file()
    undo(Course(copy.root))
    assert contents(copy) == before


def rename(course: Course) -> None:
    for path in [*course.root.rglob(f"*{CHAPTER}*")]:
        path.rename(path.with_name(path.name.replace(CHAPTER, OTHER)))


def test_a_copy_with_a_chapter_that_is_gone_is_left_to_an_update(course: Course, copy: Course) -> None:
    before = contents(copy)
    rename(course)
    with pytest.raises(UsageError, match=rf"mine has {CHAPTER}, which the course has no more; run `attend update`"):
        start(Course(course.root), copy.root)
    assert contents(copy) == before
    says = rf"no reference/{CHAPTER}.py; `attend update` brings in what it has now"
    with in_place_of_the_real(copy), pytest.raises(UsageError, match=says):
        copy.reference(CHAPTER)


def test_the_answers_of_a_renamed_chapter_get_its_new_name(course: Course, copy: Course) -> None:
    add(copy.root / MODULE, "mine = 1\n")
    before = contents(copy)
    rename(course)
    update(copy, Course(course.root))
    now = contents(copy)
    assert now[f"exercises/{OTHER}.py"] == before[MODULE]
    assert not [name for name in now if CHAPTER in name]
    assert Course(copy.root).chapters == (OTHER,)
    undo(Course(copy.root))
    assert contents(copy) == before


def test_only_a_working_copy_of_another_course_is_updated(course: Course, copy: Course) -> None:
    with pytest.raises(UsageError, match="there is no working copy here"):
        update(course, course)
    with pytest.raises(UsageError, match="your instructor hands out a newer one"):
        update(copy, copy)


def test_a_chapter_that_was_deleted_comes_back(course: Course, copy: Course) -> None:
    for name in (MODULE, NOTEBOOK):
        (copy.root / name).unlink()
    update(copy, course)
    assert (copy.root / MODULE).read_bytes() == course.stub(CHAPTER).read_bytes()
    assert (copy.root / NOTEBOOK).is_file()
