"""How often a wrong answer is named, and how often by a name that is not its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from autograder.author.proof.record import Named
from autograder.author.splice import misconception_source, with_wrong_answer
from autograder.core.records import CheckResult, ExerciseResult
from autograder.course.course import Course
from autograder.course.model import Exercise

Grade = Callable[[Mapping[str, str]], Mapping[str, ExerciseResult]]
"""Grades versions of a chapter, by name."""


class Wrongly(NamedTuple):
    """An answer, the mistake it is named after, and the check that on other inputs tells the two apart."""

    answer: str
    name: str
    check: str


def known_mistakes(course: Course, exercise: Exercise) -> dict[str, str]:
    """The chapter with each known mistake about the exercise in the place of the answer, pairs too."""
    right = course.solution(exercise.chapter).read_text(encoding="utf-8")
    both = (*course.misconceptions(exercise.chapter), *course.pairs(exercise.chapter))
    return {
        wrong.identifier: with_wrong_answer(
            right, misconception_source(course, exercise.chapter, wrong), wrong.exercise
        )
        for wrong in both
        if wrong.exercise == exercise.name
    }


def first_name(result: ExerciseResult, but: str = "") -> str:
    """What the first failed check names it, if `but` and pairs with it were not known; "" for no name."""
    causes = next((check.misconceptions for check in result.checks if check.status != "passed"), ())
    return next((name for name in causes if but not in name.split("+")), "")


def naming(
    names: Mapping[str, str], texts: Mapping[str, str], known: Mapping[str, str], grade: Grade
) -> tuple[Named, list[Wrongly]]:
    """Hold each named answer against the mistake it is named after: on other inputs both must show the same.

    A name with a condition, or of no known mistake, must be the answer's name on other inputs too.

    Args:
        names: for each wrong answer its name, or "".
        texts: the wrong answers.
        known: the known mistakes, as submissions.
        grade: grades with another seed than the one the names are from.
    """
    named = {answer: name for answer, name in names.items() if name}
    answers = grade({answer: texts[answer] for answer in named})
    mistakes = grade({name: known[name] for name in dict.fromkeys(named.values()) if name in known})
    apart = [(answer, name, _told_apart(name, answers[answer], mistakes.get(name))) for answer, name in named.items()]
    wrongly = [Wrongly(*each) for each in apart if each[2]]
    return Named(len(names), len(named), len(wrongly)), wrongly


def _told_apart(name: str, answer: ExerciseResult, mistake: ExerciseResult | None) -> str:
    """The first check that tells an answer from the mistake it is named after; "" for none."""
    if mistake and not _is_conditional(answer, mistake):
        return _unlike(answer, mistake)
    lost = [check for check in answer.checks if check.status != "passed"]
    return "" if any(name in check.misconceptions for check in lost) else lost[0].name if lost else name


def _is_conditional(answer: ExerciseResult, mistake: ExerciseResult) -> bool:
    """Whether the answer's name says where it makes the mistake: "Where ...: " stands before the mistake's sentence."""
    named, known = ([c.message.headline for c in each.checks if c.misconceptions] for each in (answer, mistake))
    first = known[0].partition(". ")[0].lower() if known else ""
    return bool(named) and not named[0].lower().startswith(first) and f": {first}" in named[0].lower()


def _unlike(one: ExerciseResult, other: ExerciseResult) -> str:
    """The first check that two answers do not fail in the same way, to the digits that a message shows; or ""."""
    pairs = zip(one.checks, other.checks, strict=True)
    return next((check.name for check, same in pairs if not _shows_the_same(check, same)), "")


def _shows_the_same(one: CheckResult, other: CheckResult) -> bool:
    if one.status != other.status:
        return False
    return one.status != "failed" or one.message == other.message  # an exception's message has line numbers
