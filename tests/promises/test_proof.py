"""What `make mutants` and `make gallery` proved still holds, and is about the course as it is."""

from __future__ import annotations

from functools import cache

import pytest

from autograder.author.proof import proof_record, right_answers
from autograder.author.proof.drafts import outdated
from autograder.author.proof.mutants import ANY, Equivalent, equivalents
from autograder.author.proof.mutate import mutate
from autograder.author.proof.spoilers import spoiled
from autograder.core.records import SubmissionResult
from autograder.course.model import Exercise
from tests.promises.world import COURSE, PROVEN, grade

RECORD = proof_record.read(COURSE)
LISTED = [each for chapter in COURSE.chapters for each in equivalents(COURSE, chapter)]
SINGLE = [each for each in LISTED if each.was != ANY]
SAMPLE = {COURSE.one(each.exercise).chapter: each.exercise for each in reversed(SINGLE)}.values()
"""The first exercise of each chapter that has listed changes; `make prove` tries the others."""
# A mutant may be such that Python warns of it.
pytestmark = pytest.mark.filterwarnings("ignore")


@cache
def graded(exercise: Exercise) -> dict[str, SubmissionResult]:
    """The listed changes of one exercise's solution, graded."""
    texts = {repr(each): changed(each) for each in SINGLE if each.exercise == exercise.name}
    return grade(exercise.chapter, texts, exercises=[exercise])


def changed(change: Equivalent) -> str:
    """The solution with a listed change."""
    right = COURSE.solution(COURSE.one(change.exercise).chapter).read_text(encoding="utf-8")
    if not change.was:
        return spoiled(right, change.exercise, change.now)
    return mutate(right, change.exercise, change.was, change.now, change.nth)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(each, id=f"{each.exercise}: {n}", marks=() if each.exercise in SAMPLE else pytest.mark.exhaustive)
        for n, each in enumerate(SINGLE)
    ],
)
def test_a_change_that_is_listed_as_right_earns_everything(change: Equivalent) -> None:
    result = graded(COURSE.one(change.exercise))[repr(change)]
    assert result.score == result.max_score > 0, f"{change.now.strip()} is killed now: take it off the list"


def test_a_change_is_listed_with_a_reason_and_is_one_of_the_solution_as_it_is() -> None:
    assert [each for each in SINGLE if len(each.why) <= 20] == []
    assert [each for each in SINGLE if not changed(each)] == []


def test_only_probes_of_which_many_are_right_are_listed_as_a_whole() -> None:
    whole = [COURSE.one(each.exercise) for each in LISTED if each.was == ANY]
    assert {exercise.chapter for exercise in whole} == {"ch14_bug_hunt"}


def test_no_mutant_survives_and_every_check_can_fail() -> None:
    proofs = {exercise.name: RECORD.exercises[exercise.name] for exercise in PROVEN}
    assert [*outdated(COURSE, COURSE.exercises)] == []
    assert [name for name, proof in proofs.items() if not proof.killed] == []
    assert {name: (each.survived, each.idle) for name, each in RECORD.exercises.items() if each.failed} == {}


def test_no_right_answer_loses_a_check_with_many_seeds() -> None:
    assert {name: each.answers for name, each in RECORD.galleries.items() if each.answers < right_answers.ENOUGH} == {}
    assert {name: each.seeds for name, each in RECORD.galleries.items() if each.seeds < 50} == {}
    assert {name: each.lost for name, each in RECORD.galleries.items() if each.lost} == {}
