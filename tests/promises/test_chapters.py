"""What every chapter promises. The next chapter is held to it without a word here."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

from autograder.author.build import stale
from autograder.course import Exercise, Misconception
from tests.promises.world import ALL_WRONG, COURSE, SEEDS, each_chapter, each_misconception, grade, wrong_answers

SCREEN = 24  # lines of 80 columns


@each_chapter
def test_the_untouched_stub_earns_nothing_and_is_called_missing(chapter: str) -> None:
    stub = COURSE.stub(chapter).read_text(encoding="utf-8")
    result = grade(chapter, {"stub": stub})["stub"]
    assert result.score == 0
    assert {check.status for exercise in result.exercises for check in exercise.checks} == {"missing"}
    assert all("attend hint" in check.message for exercise in result.exercises for check in exercise.checks)


@each_chapter
@pytest.mark.parametrize("seed", SEEDS)
def test_the_solution_earns_everything(chapter: str, seed: int) -> None:
    solution = COURSE.solution(chapter).read_text(encoding="utf-8")
    result = grade(chapter, {"solution": solution}, seed)["solution"]
    lost = [check.message for exercise in result.exercises for check in exercise.checks if check.status != "passed"]
    assert not lost, "\n".join(lost)
    assert result.score == result.max_score > 0


@each_misconception
def test_a_known_mistake_loses_points_and_is_named_first(exercise: Exercise, wrong: Misconception) -> None:
    (graded,) = wrong_answers(exercise)[wrong.identifier].exercises
    failed = [check for check in graded.checks if check.status != "passed"]
    assert failed, "no check notices this mistake"
    assert graded.score < graded.max_score
    assert failed[0].misconceptions[:1] == (wrong.identifier,), failed[0].message
    assert failed[0].message.startswith(wrong.says)
    assert graded.misconceptions[0] == wrong.identifier
    assert "grader_error" not in {check.status for check in failed}


@each_misconception
def test_a_known_mistake_says_what_it_is_and_what_to_do(exercise: Exercise, wrong: Misconception) -> None:
    assert wrong.says.endswith(".")
    assert len(wrong.says) <= 160
    assert wrong.advice.endswith((".", "`", "?"))


@each_misconception
def test_what_is_said_of_it_fits_a_screen_and_shows_nothing_of_the_engine(
    exercise: Exercise, wrong: Misconception
) -> None:
    (graded,) = wrong_answers(exercise)[wrong.identifier].exercises
    for check in graded.checks:
        assert screen_lines(check.message) <= SCREEN, check.message
        assert "autograder" not in check.message
        assert "Traceback" not in check.message


def screen_lines(message: str, width: int = 80) -> int:
    return sum(max(1, -(-len(line) // width)) for line in message.split("\n"))


def test_a_message_longer_than_a_screen_would_be_noticed() -> None:
    assert screen_lines("one\n" * SCREEN) > SCREEN
    assert screen_lines("x" * 81) == 2


def test_every_known_mistake_has_a_name_of_its_own() -> None:
    names = Counter(wrong.identifier for _, wrong in ALL_WRONG)
    assert [name for name, count in names.items() if count > 1] == []


@each_chapter
def test_every_exercise_has_three_levels_and_known_mistakes(chapter: str) -> None:
    stub = COURSE.stub(chapter).read_text(encoding="utf-8")
    result = grade(chapter, {"stub": stub})["stub"]
    known = Counter(wrong.exercise for wrong in COURSE.misconceptions(chapter))
    for exercise in result.exercises:
        assert {check.level for check in exercise.checks} == {"property", "values", "edges"}, exercise.exercise
        assert known[exercise.exercise] >= 2, exercise.exercise
    assert set(known) <= {exercise.exercise for exercise in result.exercises}


def definitions(path: Path) -> list[ast.FunctionDef | ast.ClassDef]:
    body = ast.parse(path.read_text(encoding="utf-8")).body
    return [node for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)]


def twice(path: Path) -> list[str]:
    """Names that a file defines more than once, so that the first is lost."""
    return [name for name, count in Counter(node.name for node in definitions(path)).items() if count > 1]


@each_chapter
def test_no_check_and_no_mistake_is_lost_to_another_of_its_name(chapter: str) -> None:
    for path in (COURSE.suite(chapter), *COURSE.misconception_files(chapter)):
        assert twice(path) == [], path


def test_a_name_that_is_given_twice_would_be_noticed(tmp_path: Path) -> None:
    (tmp_path / "suite.py").write_text("def test_a(): ...\ndef test_b(): ...\ndef test_a(): ...\n")
    assert twice(tmp_path / "suite.py") == ["test_a"]


@each_chapter
def test_every_check_has_a_sentence_for_the_student_and_is_worth_something(chapter: str) -> None:
    graded = grade(chapter, {"stub": COURSE.stub(chapter).read_text(encoding="utf-8")})["stub"]
    written = {node.name: ast.get_docstring(node) for node in definitions(COURSE.suite(chapter))}
    for check in (check for exercise in graded.exercises for check in exercise.checks):
        assert written[check.name], f"{check.name} has no docstring"
        assert check.max_points > 0, check.name


def test_the_readme_counts_the_chapters_and_exercises_that_there_are() -> None:
    readme = (COURSE.root / "README.md").read_text(encoding="utf-8")
    assert f"the {len(COURSE.exercises)} exercises" in readme
    assert f"{len(COURSE.chapters)} chapters" in readme


def test_the_table_of_coverage_has_a_row_for_each_exercise_and_no_empty_cell() -> None:
    lines = (COURSE.root / "docs" / "coverage.md").read_text(encoding="utf-8").splitlines()
    rows = [line.strip("| ").split(" | ") for line in lines if line.startswith("| `")]
    assert [row[0].strip("`") for row in rows] == [exercise.name for exercise in COURSE.exercises]
    assert [row[0] for row in rows if "0" in row[2:6]] == []  # the last column counts mutants that are right too


def test_stubs_notebooks_and_hints_are_those_of_the_solutions() -> None:
    assert [f"{path.name}: {reason}" for path, reason in stale(COURSE)] == []
