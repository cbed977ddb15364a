"""The class that `make bench` makes up, as files and as nbgrader's notebooks."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from nbformat.v4 import new_output

from autograder.calls.local import LocalTarget
from autograder.core.records import SubmissionResult
from autograder.course.course import Course
from autograder.intake.submissions import find_submissions, read_submission
from autograder.judging.judge import judge
from benchmarks.made_class import chapter_text, spoilt, write_class, write_empty_class, wrong_text
from benchmarks.nbgrader import CHECKS, NAME_ONLY, earned, notebook

COURSE = Course(Path(__file__).parents[2])
CHAPTER = COURSE.chapters[2]


def test_no_two_files_of_a_made_up_class_are_equal(tmp_path: Path) -> None:
    folders = write_class(COURSE, tmp_path, 40, 20, [CHAPTER])
    texts = [(folder / f"{CHAPTER}.py").read_text(encoding="utf-8") for folder in folders]
    assert len({ast.dump(ast.parse(text)) for text in texts}) == len(texts) == 40
    assert len({re.sub(r"\nSTUDENT = .*", "", text) for text in texts}) < 40  # without their number some would be


def test_a_class_follows_from_its_seed() -> None:
    def drawn(seed: int) -> list[str]:
        return [chapter_text(COURSE, CHAPTER, student, seed) for student in range(20)]

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)


def test_about_a_third_of_the_files_have_a_spoilt_exercise() -> None:
    texts = [chapter_text(COURSE, chapter, student, 20) for student in range(20) for chapter in COURSE.chapters]
    wrong = sum("(*_, **__):" in text for text in texts)
    assert 0.25 < wrong / len(texts) < 0.42


def test_about_two_exercises_of_three_have_a_known_mistake_where_most_are_wrong() -> None:
    solution = COURSE.solution(CHAPTER).read_text(encoding="utf-8")
    right = {node.name: ast.dump(node) for node in ast.parse(solution).body if isinstance(node, ast.FunctionDef)}
    texts = [wrong_text(COURSE, CHAPTER, student, 20) for student in range(40)]
    made = [node for text in texts for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    wrong = [ast.dump(node) != right[node.name] for node in made if node.name in right]
    assert 0.55 < sum(wrong) / len(wrong) < 0.78


def test_a_spoilt_exercise_stands_in_place_of_the_right_one() -> None:
    module: dict[str, Callable[..., float]] = {}
    exec("def softmax(scores, dim):\n    return 1.0\n\n" + spoilt("softmax"), module)
    assert module["softmax"]([1.0], dim=0) == 0.0


def test_attend_finds_a_made_up_class(tmp_path: Path) -> None:
    write_class(COURSE, tmp_path / "class", 2, 20, [CHAPTER])
    submissions = [read_submission(entry, COURSE) for entry in find_submissions(tmp_path / "class", COURSE)]
    assert [list(each.chapters) for each in submissions] == [[CHAPTER]] * 2


def test_a_class_without_answers_is_graded_but_earns_nothing(tmp_path: Path) -> None:
    empty = find_submissions(write_empty_class(tmp_path, 2, CHAPTER), COURSE)
    submissions = [read_submission(entry, COURSE) for entry in empty]
    assert len({each.chapters[CHAPTER].text for each in submissions}) == 2
    results: list[SubmissionResult] = []
    judge(COURSE, COURSE.of(CHAPTER)[:1], [(each, LocalTarget(each)) for each in submissions], 1, results.append)
    assert [[exercise.status for exercise in result.exercises] for result in results] == [["missing"]] * 2


@pytest.mark.parametrize("test_cell", [NAME_ONLY, CHECKS])
def test_a_notebook_has_a_test_cell_worth_its_points_for_every_exercise(test_cell: str) -> None:
    exercises = COURSE.of(CHAPTER)
    answers, *tests = notebook("x = 1", exercises, test_cell).cells
    assert answers.source == "x = 1"
    assert answers.metadata.nbgrader.solution
    assert [cell.metadata.nbgrader.points for cell in tests] == [exercise.points for exercise in exercises]
    assert all(
        ast.parse(cell.source) and exercise.name in cell.source for cell, exercise in zip(tests, exercises, strict=True)
    )


def test_points_in_a_notebook_are_counted_as_nbgrader_counts_them() -> None:
    first, second, third, *_ = graded = notebook("", COURSE.of(CHAPTER), CHECKS).cells[1:]
    for cell in graded:
        cell.outputs = [new_output("error", ename="E", evalue="", traceback=[])]
    first.outputs = [new_output("execute_result", data={"text/plain": "2.5"})]
    second.outputs = []
    third.outputs.append(new_output("execute_result", data={"text/plain": "3.0"}))
    book = notebook("", (), CHECKS)
    book.cells += graded
    assert earned(book) == 2.5 + second.metadata.nbgrader.points
