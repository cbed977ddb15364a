"""Count how often a wrong answer is named, and how often the name is wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from autograder.author.proof.proof_record import Named
from autograder.author.splice import misconception_source, with_wrong_answer
from autograder.core.records import CheckResult, ExerciseResult
from autograder.course.course import Course
from autograder.course.model import Exercise

Grade = Callable[[Mapping[str, str]], Mapping[str, ExerciseResult]]
"""A function that grades versions of a chapter and returns their results by name."""


class Wrongly(NamedTuple):
    """An answer, the mistake it is wrongly named after, and the check that distinguishes the two on other inputs."""

    answer: str
    name: str
    check: str


def known_mistakes(course: Course, exercise: Exercise) -> dict[str, str]:
    """Return the chapter with each known mistake or pair of the exercise in place of the answer, by id."""
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
    """Return the name that the first failed check would give if `but` and pairs with it were unknown; "" if none."""
    causes = next((check.misconceptions for check in result.checks if check.status != "passed"), ())
    return next((name for name in causes if but not in name.split("+")), "")


def naming(
    names: Mapping[str, str], texts: Mapping[str, str], known: Mapping[str, str], grade: Grade
) -> tuple[Named, list[Wrongly]]:
    """Compare each named answer with the mistake it is named after: both must show the same on other inputs.

    If a name has a condition, or is not that of a known mistake, the answer must get it on other inputs too.

    Args:
        names: the name of each wrong answer, or "".
        texts: the wrong answers.
        known: the known mistakes, as versions of the chapter.
        grade: grades with a different seed from the one that gave the names.

    Returns:
        The counts, and the answers that are wrongly named.
    """
    named = {answer: name for answer, name in names.items() if name}
    answers = grade({answer: texts[answer] for answer in named})
    mistakes = grade({name: known[name] for name in dict.fromkeys(named.values()) if name in known})
    found = [
        (answer, name, _distinguishing_check(name, answers[answer], mistakes.get(name)))
        for answer, name in named.items()
    ]
    wrongly = [Wrongly(*each) for each in found if each[2]]
    return Named(len(names), len(named), len(wrongly)), wrongly


def _distinguishing_check(name: str, answer: ExerciseResult, mistake: ExerciseResult | None) -> str:
    """Return the first check that distinguishes an answer from the mistake it is named after; "" if none does."""
    if mistake and not _is_conditional(answer, mistake):
        return _unlike(answer, mistake)
    lost = [check for check in answer.checks if check.status != "passed"]
    return "" if any(name in check.misconceptions for check in lost) else lost[0].name if lost else name


def _is_conditional(answer: ExerciseResult, mistake: ExerciseResult) -> bool:
    """Return whether the answer's name comes with a condition: "Where ...: " before the mistake's sentence."""
    named, known = ([c.message.headline for c in each.checks if c.misconceptions] for each in (answer, mistake))
    first = known[0].partition(". ")[0].lower() if known else ""
    return bool(named) and not named[0].lower().startswith(first) and f": {first}" in named[0].lower()


def _unlike(one: ExerciseResult, other: ExerciseResult) -> str:
    """Return the first check on which two answers differ, to the digits that a message shows; "" if there is none."""
    pairs = zip(one.checks, other.checks, strict=True)
    return next((check.name for check, same in pairs if not _shows_the_same(check, same)), "")


def _shows_the_same(one: CheckResult, other: CheckResult) -> bool:
    if one.status != other.status:
        return False
    return one.status != "failed" or one.message == other.message  # messages of exceptions differ in line numbers
