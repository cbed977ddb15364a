"""`attend new`: four skeletons that are a working chapter once they are built."""

import ast
import shutil
from pathlib import Path

import pytest

from autograder.author.build import build, stale
from autograder.author.new import new
from autograder.author.splice import misconception_source, with_wrong_answer
from autograder.calls.local import LocalTarget
from autograder.core.errors import UsageError
from autograder.core.records import SubmissionResult
from autograder.core.submission import one_chapter
from autograder.course.course import Course
from autograder.judging.judge import judge

TOY = Path(__file__).parent / "toy"


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return Course(Path(shutil.copytree(TOY, tmp_path / "toy")))


def test_a_new_chapter_is_four_files(course: Course) -> None:
    assert [path.relative_to(course.root).as_posix() for path in new(course, "ch02_more_of_it")] == [
        "solutions/ch02_more_of_it.py",
        "reference/ch02_more_of_it.py",
        "reference/misconceptions/ch02_more_of_it.py",
        "tests/exercises/test_ch02_more_of_it.py",
    ]


def test_a_new_chapter_can_be_built_at_once(course: Course) -> None:
    new(course, "ch02_more")
    grown = Course(course.root)
    written = {path.name for path in build(grown)}
    assert written == {
        "ch02_more.py",
        "ch02_more.ipynb",
        "hints.json",
        "debriefs.json",
        "checks.json",
        "effort.json",
        "README.md",
        "coverage.md",
    }
    assert stale(grown) == []
    assert [(e.name, e.points, e.checks) for e in grown.of("ch02_more")] == [("example_more", 3.0, 3)]


def test_its_solution_is_right_and_its_two_mistakes_are_caught_and_named(toy_copy: Course) -> None:
    solution = new(toy_copy, "ch02_more")[0].read_text(encoding="utf-8")
    course = Course(toy_copy.root)
    build(course)
    known = course.misconceptions("ch02_more")
    wrong = {
        each.identifier: with_wrong_answer(solution, misconception_source(course, "ch02_more", each), each.exercise)
        for each in known
    }
    jobs = [one_chapter(name, "ch02_more", text) for name, text in {"right": solution, **wrong}.items()]
    results: list[SubmissionResult] = []
    judge(course, course.of("ch02_more"), [(each, LocalTarget(each)) for each in jobs], 1, results.append)
    right, *others = results
    assert right.score == right.max_score == 3
    assert [other.student for other in others] == ["example-more-squared", "example-more-two-more"]
    for other in others:
        (graded,) = other.exercises
        assert graded.misconceptions == (other.student,)


def test_its_suite_has_a_check_of_each_level(course: Course) -> None:
    *_, suite = new(course, "ch02_more")
    text = suite.read_text()
    ast.parse(text)
    assert [text.count(f'level="{level}"') for level in ("property", "values", "edges")] == [1, 1, 1]


@pytest.mark.parametrize(
    "name", ["capstones", "ch2_more", "ch02-more", "ch02_More", "ch02_", "ch02_more.py", "", "../ch02_more"]
)
def test_a_name_that_is_none_of_a_chapter_is_refused_with_the_pattern(course: Course, name: str) -> None:
    with pytest.raises(UsageError, match="write chNN_name: two digits, then lower-case"):
        new(course, name)


@pytest.mark.parametrize("taken", [0, 1, 2, 3])
def test_a_file_that_is_there_is_never_overwritten(course: Course, taken: int) -> None:
    paths = new(course, "ch02_more")
    mine = paths[taken]
    for path in paths:
        path.unlink()
    mine.write_text("mine")
    with pytest.raises(UsageError, match=f"{mine.name} is there already"):
        new(Course(course.root), "ch02_more")
    assert [path for path in paths if path.exists()] == [mine]
    assert mine.read_text() == "mine"


def test_a_number_that_is_taken_is_refused(course: Course) -> None:
    with pytest.raises(UsageError, match="ch01 is ch01_toy already; choose a number that is free"):
        new(course, "ch01_other")


def test_a_working_copy_gets_no_chapter(course: Course) -> None:
    (course.root / "attend.toml").write_text('kind = "copy"\n')
    with pytest.raises(UsageError, match="working copy"):
        new(Course(course.root), "ch02_more")
