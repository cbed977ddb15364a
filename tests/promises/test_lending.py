"""One cause costs once: an exercise that calls a wrong one keeps its points, and a wrong exercise stays wrong."""

from __future__ import annotations

import ast
from functools import cache

import pytest

from autograder.author.splice import misconception_source, with_wrong_answer
from autograder.core.records import ExerciseResult
from autograder.source.lend import called
from tests.promises.world import COURSE, grade

TO_DO = "def {name}(*_, **__):\n    raise NotImplementedError"


def pairs() -> list[tuple[str, str, str]]:
    """Every exercise that the solution of another one calls: the chapter, the one that is called, and the other."""
    found = []
    for chapter in COURSE.chapters:
        text = COURSE.solution(chapter).read_text(encoding="utf-8")
        direct = {node.name: node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        names = [exercise.name for exercise in COURSE.of(chapter)]
        for name in names:
            inner = {node.id for node in ast.walk(direct[name]) if isinstance(node, ast.Name)}
            found += [(chapter, helper, name) for helper in called(text, name, names) if helper in inner]
    return found


PAIRS = pairs()
each_pair = pytest.mark.parametrize(("chapter", "helper", "caller"), PAIRS)


@cache
def graded(chapter: str, helper: str, wrong: str = "") -> dict[str, ExerciseResult]:
    """The results of a right file whose `helper` is still to do, and in which `wrong` has a known mistake.

    Only the helper and what calls it are graded.
    """
    text = COURSE.solution(chapter).read_text(encoding="utf-8")
    mistake = next((each for each in COURSE.misconceptions(chapter) if each.exercise == wrong), None)
    if mistake:
        text = with_wrong_answer(text, misconception_source(COURSE, chapter, mistake), wrong)
    spoilt = f"{text}\n\n{TO_DO.format(name=helper)}\n"
    meant = [each for each in COURSE.of(chapter) if each.name == helper or (chapter, helper, each.name) in PAIRS]
    return {each.exercise: each for each in grade(chapter, {"ada": spoilt}, exercises=meant)["ada"].exercises}


@each_pair
def test_an_exercise_that_calls_a_wrong_one_keeps_its_points_and_says_why(
    chapter: str, helper: str, caller: str
) -> None:
    result = graded(chapter, helper)
    assert result[helper].score == 0
    assert result[caller].status == "passed", [check.message.text for check in result[caller].checks]
    assert set(result[caller].lent) <= {helper}


@each_pair
def test_a_wrong_exercise_stays_wrong_whatever_it_calls(chapter: str, helper: str, caller: str) -> None:
    assert graded(chapter, helper, caller)[caller].score < graded(chapter, helper)[caller].score


def test_exercises_of_eleven_chapters_call_each_other() -> None:
    assert len({chapter for chapter, _, _ in PAIRS}) == 11
