"""What every promise about a chapter is held against: its stub, its solution and all its known mistakes, graded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from unittest.mock import patch

import pytest

from autograder.author.proof.drafts import drafts
from autograder.author.proof.trial import Tried, tried, version, with_mistake
from autograder.core.records import SubmissionResult
from autograder.core.submission import Submission
from autograder.course.course import Course
from autograder.course.model import Exercise, Misconception

COURSE = Course(Path(__file__).parents[2])
SEEDS = (20, 300)
DRAFTS = {draft.exercise.name for draft in drafts(COURSE)}
PROVEN = [exercise for exercise in COURSE.exercises if exercise.name not in DRAFTS]


EXAMPLE: Mapping[str, Callable[..., object]] = {"suite.play.smallest": lambda *_: None}
WORDS: Mapping[str, Callable[..., object]] = {
    **EXAMPLE,
    "suite.play.name_the_slip": lambda *_: None,
    "compare.evidence.Evidence._causes": lambda *_: [],
    "judging.judge.repaired": lambda _grading, _check, results: list(results),
}
"""What finds words for a failure, and changes no point; with what it is replaced where points alone count."""


@contextmanager
def without(parts: Mapping[str, Callable[..., object]]) -> Iterator[None]:
    """Replace parts of the engine."""
    with ExitStack() as patched:
        for name, instead in parts.items():
            patched.enter_context(patch(f"autograder.{name}", instead))
        yield


def watch(chapter: str, texts: dict[str, str], seed: int = 1, exercises: Sequence[Exercise] = ()) -> dict[str, Tried]:
    """Grade several versions of a chapter's file in this process, by name; on some exercises only, if given."""
    submissions = [version(COURSE, chapter, name, text) for name, text in texts.items()]
    return judged(submissions, exercises or COURSE.of(chapter), seed)


def judged(
    submissions: Iterable[Submission],
    exercises: Sequence[Exercise],
    seed: int = 1,
    *,
    whole: bool = True,
    named: bool = True,
) -> dict[str, Tried]:
    """Grade submissions in this process, by name.

    Unless `whole`, each only until a check names what it is called, and without a smallest example. Unless `named`, no
    mistake is named and no repair is tried, which changes no score.
    """
    with without(WORDS if not named else {} if whole else EXAMPLE):
        return tried(COURSE, submissions, exercises, seed, whole=whole)


def grade(
    chapter: str, texts: dict[str, str], seed: int = 1, exercises: Sequence[Exercise] = ()
) -> dict[str, SubmissionResult]:
    """What these versions come to."""
    return {name: each.result for name, each in watch(chapter, texts, seed, exercises).items()}


def sample(chapter: str) -> Sequence[Misconception]:
    """Every second known mistake of a chapter; `make prove` grades all."""
    return COURSE.misconceptions(chapter)[::2]


@cache
def wrong_answers(chapter: str, *, whole: bool) -> dict[str, Tried]:
    """Every known mistake, or a sample, and every pair, alone in an otherwise right file, graded on its exercise."""
    known = COURSE.misconceptions(chapter) if whole else sample(chapter)
    graded = (with_mistake(COURSE, chapter, wrong) for wrong in (*known, *COURSE.pairs(chapter)))
    return judged(graded, COURSE.of(chapter), whole=whole)


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
    "WORDS",
    "Tried",
    "each_chapter",
    "each_of",
    "grade",
    "judged",
    "sample",
    "watch",
    "without",
    "wrong_answers",
]
