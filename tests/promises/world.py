"""What every promise about a chapter is held against: its stub, its solution and all its known mistakes, graded."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import pytest

from autograder.author.proof.drafts import drafts
from autograder.author.release.cut import bound, only
from autograder.author.splice import misconception_source, with_wrong_answer
from autograder.calls.local import LocalTarget
from autograder.calls.records import Call, Observation, Raised
from autograder.core.errors import CheckFailed
from autograder.core.records import CheckResult, SubmissionResult
from autograder.core.submission import Submission, one_chapter
from autograder.course.course import Course
from autograder.course.model import Exercise, Misconception
from autograder.intake.artefacts import of_course
from autograder.judging.judge import judge, warm_up
from autograder.source.parsing import shared_tree

COURSE = Course(Path(__file__).parents[2])
SEEDS = (20, 300)
DRAFTS = {draft.exercise.name for draft in drafts(COURSE)}
PROVEN = [exercise for exercise in COURSE.exercises if exercise.name not in DRAFTS]


class Watched(LocalTarget):
    """Keeps what was raised; once `enough` was seen, every call takes too long, and so no further check is tried."""

    def __init__(self, submission: Submission) -> None:
        super().__init__(submission)
        self.student = submission.student
        self.raised: list[Raised] = []
        self.enough = False

    def observe(self, chapter: str, call: Call) -> Observation:
        if self.enough:
            raise CheckFailed("timeout", "a check before this one has named the mistake")
        seen = super().observe(chapter, call)
        self.raised += [part for part in (seen.result, seen.again, seen.gradients) if isinstance(part, Raised)]
        return seen


class Graded(NamedTuple):
    """What a version of a chapter's file came to, and what it raised on the way."""

    result: SubmissionResult
    raised: list[Raised]


def watch(chapter: str, texts: dict[str, str], seed: int = 1, exercises: Sequence[Exercise] = ()) -> dict[str, Graded]:
    """Grade several versions of a chapter's file in this process, by name; on some exercises only, if given."""
    submissions = [one_chapter(name, chapter, text, of_course(COURSE, chapter)) for name, text in texts.items()]
    return judged(submissions, exercises or COURSE.of(chapter), seed)


def judged(
    submissions: Iterable[Submission],
    exercises: Sequence[Exercise],
    seed: int = 1,
    *,
    whole: bool = True,
    named: bool = True,
) -> dict[str, Graded]:
    """Grade submissions in this process, by name.

    Unless `whole`, each only until a check names what it is called, and without a smallest example. Unless `named`, no
    mistake is named, which changes no score.
    """
    warm_up()
    begun: list[Watched] = []
    results: list[SubmissionResult] = []

    def jobs() -> Iterator[tuple[Submission, Watched]]:
        for submission in submissions:
            begun.append(Watched(submission))
            yield submission, begun[-1]

    def checked(result: CheckResult) -> None:
        named = result.misconceptions == (begun[-1].student,)
        begun[-1].enough |= named and not whole

    with ExitStack() as without:
        if not (whole and named):
            without.enter_context(patch("autograder.suite.play.smallest", lambda *_: None))
        if not named:
            without.enter_context(patch("autograder.compare.evidence.Evidence._causes", lambda *_: []))
        judge(COURSE, exercises, jobs(), seed, results.append, checked)
    return {each.student: Graded(each, target.raised) for each, target in zip(results, begun, strict=True)}


def grade(
    chapter: str, texts: dict[str, str], seed: int = 1, exercises: Sequence[Exercise] = ()
) -> dict[str, SubmissionResult]:
    """What these versions come to."""
    return {name: each.result for name, each in watch(chapter, texts, seed, exercises).items()}


def sample(chapter: str) -> Sequence[Misconception]:
    """Every second known mistake of a chapter; `make prove` grades all."""
    return COURSE.misconceptions(chapter)[::2]


@cache
def wrong_answers(chapter: str, *, whole: bool) -> dict[str, Graded]:
    """Every known mistake, or a sample, and every pair, alone in an otherwise right file, graded on its exercise."""
    known = COURSE.misconceptions(chapter) if whole else sample(chapter)
    graded = (with_mistake(chapter, wrong) for wrong in (*known, *COURSE.pairs(chapter)))
    return judged(graded, COURSE.of(chapter), whole=whole)


def with_mistake(chapter: str, wrong: Misconception) -> Submission:
    """A known mistake in a file that is otherwise right, and has no other exercise than it uses."""
    return with_answer(wrong.identifier, chapter, wrong.exercise, misconception_source(COURSE, chapter, wrong))


def with_answer(student: str, chapter: str, exercise: str, source: str) -> Submission:
    """An answer to an exercise in a file that is otherwise right, and has no other exercise than it uses."""
    used = frozenset({"annotations", exercise, *re.findall(r"\w+", source)} & defined(chapter))
    text = with_wrong_answer(right_part(chapter, used), source, exercise)
    return replace(one_chapter(student, chapter, text, of_course(COURSE, chapter)), only=(exercise,))


@cache
def defined(chapter: str) -> frozenset[str]:
    """The names of the top level of a chapter's solution."""
    tree = shared_tree(COURSE.solution(chapter).read_text(encoding="utf-8"))
    return frozenset(name for node in tree.body for name in bound(node))


@cache
def right_part(chapter: str, names: frozenset[str]) -> str:
    """What a chapter's solution needs to define some names."""
    return only(COURSE.solution(chapter).read_text(encoding="utf-8"), names)


def each_chapter(test: Callable[..., None]) -> Callable[..., None]:
    return pytest.mark.parametrize("chapter", COURSE.chapters)(test)


def each_of(known: Callable[[str], Sequence[Misconception]]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test with each chapter and each of the mistakes that `known` returns for it."""
    rows = [(chapter, wrong) for chapter in COURSE.chapters for wrong in known(chapter)]
    named = [pytest.param(*row, id=f"{row[0]}: {row[1].exercise} {row[1].identifier}") for row in rows]
    return pytest.mark.parametrize(("chapter", "wrong"), named)


__all__ = [
    "COURSE",
    "DRAFTS",
    "PROVEN",
    "SEEDS",
    "Graded",
    "each_chapter",
    "each_of",
    "grade",
    "judged",
    "sample",
    "watch",
    "with_answer",
    "with_mistake",
    "wrong_answers",
]
