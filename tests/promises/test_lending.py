"""One cause costs once: an exercise that calls a wrong one keeps its points, and a wrong exercise stays wrong."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from autograder.author.splice import misconception_source, with_wrong_answer
from autograder.core.records import ExerciseResult, SubmissionResult
from autograder.core.submission import Submission, one_chapter
from autograder.intake.artefacts import of_course
from autograder.source.lend import called
from tests.promises.world import COURSE, judged

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
each_pair = pytest.mark.parametrize(
    ("chapter", "helper", "caller"), [pytest.param(*each, id="{}: {} {}".format(*each)) for each in PAIRS]
)


def handed_in(chapter: str) -> Iterator[Submission]:
    """Right files in which one exercise that others call is still to do, each alone and with a mistake in one of these.

    Only the first and what calls it are graded.
    """
    right = COURSE.solution(chapter).read_text(encoding="utf-8")
    for helper in dict.fromkeys(helper for each, helper, _ in PAIRS if each == chapter):
        callers = [caller for pair in PAIRS for caller in pair[2:] if pair[:2] == (chapter, helper)]
        for wrong in ("", *callers):
            mistake = next((each for each in COURSE.misconceptions(chapter) if each.exercise == wrong), None)
            source = misconception_source(COURSE, chapter, mistake) if mistake else ""
            text = with_wrong_answer(right, source, wrong) if mistake else right
            spoilt = f"{text}\n\n{TO_DO.format(name=helper)}\n"
            made = one_chapter(f"{helper} {wrong}", chapter, spoilt, of_course(COURSE, chapter))
            yield replace(made, only=(helper, wrong) if wrong else (helper, *callers))


@cache
def graded(chapter: str) -> dict[str, SubmissionResult]:
    found = judged(handed_in(chapter), COURSE.of(chapter), named=False)
    return {name: each.result for name, each in found.items()}


def results(chapter: str, helper: str, wrong: str = "") -> dict[str, ExerciseResult]:
    """The results of the file whose `helper` is still to do, and in which `wrong` has a known mistake."""
    return {each.exercise: each for each in graded(chapter)[f"{helper} {wrong}"].exercises}


@each_pair
def test_an_exercise_that_calls_a_wrong_one_keeps_its_points_and_says_why(
    chapter: str, helper: str, caller: str
) -> None:
    result = results(chapter, helper)
    assert result[helper].score == 0
    assert result[caller].status == "passed", [check.message.text for check in result[caller].checks]
    assert set(result[caller].lent) <= {helper}


@each_pair
def test_a_wrong_exercise_stays_wrong_whatever_it_calls(chapter: str, helper: str, caller: str) -> None:
    assert results(chapter, helper, caller)[caller].score < results(chapter, helper)[caller].score


def test_exercises_of_twelve_chapters_call_each_other() -> None:
    assert len({chapter for chapter, _, _ in PAIRS}) == 12
