"""What `make mutants` and `make gallery` proved still holds, and is about the course as it is."""

from __future__ import annotations

from functools import cache

import pytest

from autograder.author.proof import answers, record
from autograder.author.proof.equivalents import ANY, Equivalent, equivalents
from autograder.author.proof.mutate import mutate
from autograder.core.records import SubmissionResult
from autograder.course.model import Exercise
from tests.promises.world import COURSE, PROVEN, grade

RECORD = record.read(COURSE)
LISTED = [each for chapter in COURSE.chapters for each in equivalents(COURSE, chapter)]
SINGLE = [each for each in LISTED if each.was != ANY]
# A mutant may be such that Python warns of it.
pytestmark = pytest.mark.filterwarnings("ignore")
each_proven = pytest.mark.parametrize("exercise", PROVEN, ids=lambda exercise: exercise.name)


@cache
def graded(exercise: Exercise) -> dict[str, SubmissionResult]:
    """The listed changes of one exercise's solution, graded."""
    right = COURSE.solution(exercise.chapter).read_text(encoding="utf-8")
    own = [each for each in SINGLE if each.exercise == exercise.name]
    texts = {repr(each): mutate(right, each.exercise, each.was, each.now, each.nth) for each in own}
    return grade(exercise.chapter, texts, exercises=[exercise])


@pytest.mark.parametrize("change", [pytest.param(each, id=f"{each.exercise}: {n}") for n, each in enumerate(SINGLE)])
def test_a_change_that_is_listed_as_right_earns_everything(change: Equivalent) -> None:
    result = graded(COURSE.one(change.exercise))[repr(change)]
    assert result.score == result.max_score > 0, f"{change.now.strip()} is killed now: take it off the list"
    assert len(change.why) > 20


def test_only_probes_of_which_many_are_right_are_listed_as_a_whole() -> None:
    whole = [COURSE.one(each.exercise) for each in LISTED if each.was == ANY]
    assert {exercise.chapter for exercise in whole} == {"ch14_bug_hunt"}


@each_proven
def test_no_mutant_survives_and_every_check_can_fail(exercise: Exercise) -> None:
    proof = RECORD.exercises[exercise.name]
    assert proof.of == record.digest(COURSE, exercise), f"run `make mutants NAMES={exercise.name}`"
    assert proof.killed > 0
    assert proof.survived == 0
    assert proof.idle == ()


@pytest.mark.parametrize("name", RECORD.galleries)
def test_no_right_answer_loses_a_check_with_many_seeds(name: str) -> None:
    found = RECORD.galleries[name]
    chapter = name if name in COURSE.chapters else COURSE.one(name).chapter
    assert found.of == record.gallery_digest(COURSE, chapter, found.exercises), f"run `make gallery NAMES={name}`"
    assert found.answers >= answers.ENOUGH
    assert found.seeds >= 50
    assert found.lost == 0
