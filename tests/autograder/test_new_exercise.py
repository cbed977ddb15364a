"""`attend new NAME --in CHAPTER`: five files with an exercise that works once it is built."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from autograder.author.build import build, stale
from autograder.author.new import new
from autograder.author.new_exercise import _known_ids, new_exercise, skeleton
from autograder.author.proof.drafts import drafts
from autograder.author.proof.right_answers import FOLDER, answers
from autograder.author.splice import misconception_source, with_wrong_answer
from autograder.calls.local import LocalTarget
from autograder.core import files
from autograder.core.errors import AttendError, UsageError
from autograder.core.records import SubmissionResult
from autograder.core.submission import one_chapter
from autograder.course.course import Course
from autograder.judging.judge import judge
from tests.autograder.conftest import CHAPTER
from tests.autograder.editing import edit

REAL = Course(Path(__file__).parents[2])
MISTAKES = f"reference/misconceptions/{CHAPTER}"
SUITE = f"tests/exercises/test_{CHAPTER}.py"


def contents(course: Course) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in sorted(course.root.rglob("*")) if path.is_file()}


def grown(course: Course, name: str = "halve", chapter: str = "ch01") -> Course:
    new_exercise(course, name, chapter)
    return Course(course.root)


@pytest.mark.parametrize("folder", [False, True])
def test_a_new_exercise_is_five_files(toy_copy: Course, folder: bool) -> None:
    if folder:
        (toy_copy.root / MISTAKES).mkdir()
        (toy_copy.root / f"{MISTAKES}.py").rename(toy_copy.root / MISTAKES / "all_of_them.py")
    assert [path.relative_to(toy_copy.root).as_posix() for path in new_exercise(toy_copy, "TenFold", "ch01")] == [
        f"solutions/{CHAPTER}.py",
        f"reference/{CHAPTER}.py",
        f"{MISTAKES}/ten_fold.py" if folder else f"{MISTAKES}.py",
        SUITE,
        f"tests/promises/right/{CHAPTER}/ten_fold.py",
    ]


def test_it_stands_below_the_last_exercise_and_above_what_follows(toy_copy: Course) -> None:
    source = toy_copy.solution(CHAPTER)
    end = '\n# %%\nif __name__ == "__main__":\n    print("the end")\n'
    source.write_text(source.read_text(encoding="utf-8") + end, encoding="utf-8")
    build(grown(toy_copy))
    text = toy_copy.stub(CHAPTER).read_text(encoding="utf-8")
    headers = re.findall(r'exercise="(\w+)"', text)
    assert headers == ["double", "mean_and_sum", "Scale", "halve"]
    assert text.index("def halve") < text.index("the end")


def test_it_can_be_built_at_once_and_is_a_draft(toy_copy: Course) -> None:
    course = grown(toy_copy)
    build(course)
    assert stale(course) == []
    assert [(each.name, each.points, each.checks) for each in course.of(CHAPTER)[3:]] == [("halve", 3.0, 3)]
    assert [each.text() for each in drafts(course)] == [
        "draft: halve (1 of 3 right answers, no proof yet: attend prove halve --mutants, attend prove halve --gallery)"
    ]


def test_its_answers_are_right_and_its_two_mistakes_are_caught_and_named(toy_copy: Course) -> None:
    course = grown(toy_copy)
    build(course)
    solution = course.solution(CHAPTER).read_text(encoding="utf-8")
    known = [each for each in course.misconceptions(CHAPTER) if each.exercise == "halve"]
    wrong = {
        each.identifier: with_wrong_answer(solution, misconception_source(course, CHAPTER, each), "halve")
        for each in known
    }
    jobs = [one_chapter(name, CHAPTER, text) for name, text in {"right": solution, **wrong}.items()]
    jobs += [each.submission(course) for each in answers(course, CHAPTER) if each.exercises == ("halve",)]
    results: list[SubmissionResult] = []
    judge(course, [course.one("halve")], [(each, LocalTarget(each)) for each in jobs], 1, results.append)
    assert [(each.student, each.score) for each in results if each.score == 3] == [("right", 3), ("halve-stacked", 3)]
    assert [each.student for each in results[1:3]] == ["halve-squared", "halve-two-more"]
    assert [each.exercises[0].misconceptions for each in results[1:3]] == [("halve-squared",), ("halve-two-more",)]


@pytest.fixture(scope="module")
def read_once() -> Iterator[None]:
    """The names of the known mistakes do not change here, and to read all files takes long."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(f"{skeleton.__module__}._known_ids", cache(_known_ids))
        yield


@pytest.mark.usefixtures("read_once")
@pytest.mark.parametrize("stem", REAL.chapters)
def test_every_chapter_of_the_course_can_be_given_one(stem: str) -> None:
    for path, text in skeleton(REAL, "something_new", stem).items():
        tree = ast.parse(text)
        there = {alias.asname or alias.name for node in tree.body for alias in getattr(node, "names", ())}
        needed = {"Agree", "Draw", "exercise"} if path.name.startswith("test_") else {"torch"}
        assert needed <= there, path


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("two words", "cannot name an exercise; use ASCII letters"),
        ("2fold", "cannot name an exercise"),
        ("grün", "cannot name an exercise"),
        ("../up", "cannot name an exercise"),
        ("", "cannot name an exercise"),
        ("class", "cannot name an exercise"),
        ("x" * 41, "longer than 40 characters; shorten it"),
        ("list", "the name 'list' is Python's own"),
        ("double", "'double' is an exercise of ch01_toy already; choose another name"),
        ("scale", "'Scale' is an exercise of ch01_toy already"),
        ("nn", "solutions/ch01_toy.py has the name 'nn' already; choose another name"),
        ("swapped", "there is a known mistake 'swapped-two-more' already; choose another name"),
        ("of_reference", "reference/ch01_toy.py has the name 'of_reference' already"),
        ("in_suite", "test_ch01_toy.py has the name 'test_in_suite_keeps_zero' already"),
        ("in_right", "in_right.py is there already and is left as it is"),
    ],
)
def test_a_name_that_is_none_or_taken_is_refused_and_nothing_is_written(toy_copy: Course, name: str, says: str) -> None:
    edit(toy_copy.misconception_files(CHAPTER)[0], '"mean-swapped-pair"', '"swapped-two-more"')
    edit(toy_copy.root / "reference" / f"{CHAPTER}.py", "def double", "of_reference = 1\n\n\ndef double")
    edit(toy_copy.suite(CHAPTER), '@exercise("double"', 'test_in_suite_keeps_zero = None\n\n\n@exercise("double"')
    (toy_copy.root / FOLDER / CHAPTER / "in_right.py").write_text("", encoding="utf-8")
    before = contents(toy_copy)
    with pytest.raises(AttendError, match=re.escape(says)):
        new_exercise(toy_copy, name, CHAPTER)
    assert contents(toy_copy) == before


@pytest.mark.parametrize(
    ("chapter", "says"),
    [
        ("ch77", "there is no chapter or exercise 'ch77'"),
        ("double", "'double' is an exercise; name its chapter: --in ch01_toy"),
        ("ch", "could be"),
    ],
)
def test_a_chapter_that_is_none_is_refused(toy_copy: Course, chapter: str, says: str) -> None:
    new(toy_copy, "ch02_more")
    with pytest.raises(UsageError, match=says):
        new_exercise(Course(toy_copy.root), "halve", chapter)


def test_a_chapter_that_does_not_build_gets_no_exercise(toy_copy: Course) -> None:
    edit(toy_copy.solution(CHAPTER), 'hints="double"', 'hints="duoble"')
    before = contents(toy_copy)
    with pytest.raises(AttendError, match="did you mean 'double'"):
        new_exercise(toy_copy, "halve", CHAPTER)
    assert contents(toy_copy) == before


def test_where_the_last_file_cannot_be_written_the_others_are_as_before(
    toy_copy: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, write = contents(toy_copy), files.write

    def full(path: Path, content: str | bytes) -> bool:
        if path.name == "halve.py":
            raise UsageError("the disk is full")
        return write(path, content)

    monkeypatch.setattr(files, "write", full)
    with pytest.raises(UsageError, match="the disk is full"):
        new_exercise(toy_copy, "halve", CHAPTER)
    assert contents(toy_copy) == before


def test_a_working_copy_gets_no_exercise(toy_copy: Course) -> None:
    (toy_copy.root / "attend.toml").write_text('kind = "copy"\n', encoding="utf-8")
    with pytest.raises(UsageError, match="working copy"):
        new_exercise(Course(toy_copy.root), "halve", CHAPTER)
