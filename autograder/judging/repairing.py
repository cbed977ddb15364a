"""What is wrong with an answer, shown by a repair: with one change of its own text, the failed calls come out right.

The changed text runs where the student's does, behind the same wall, and is never shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TypeAlias

from autograder.calls.records import Call, Observation, identical
from autograder.calls.target import Target, Variable
from autograder.compare.compare import difference
from autograder.compare.evidence import Evidence
from autograder.compare.failure import Failure, Seen
from autograder.compare.weight import guessed
from autograder.core.errors import CheckFailed
from autograder.core.message import Line
from autograder.core.records import CheckResult
from autograder.core.submission import ChapterSource
from autograder.source.repair.repairs import Repair, repairs
from autograder.suite.check import Check, Grading

TOLD = ("failed", "error")
ALONE = "it is right when called alone, and wrong after other calls: something stays between calls"
KEPT = (
    "Look for what outlives a call: a default such as `[]` or `{}`, a global variable, a cache whose key leaves out an "
    "argument, random numbers that are drawn once."
)
SAID = ("again", "arguments")
"""Failures that are told in full: an answer that changes from call to call, or changes its argument."""

CONFIRMED = 3
"""Calls on which the answer was right that the repair of a plain slip must leave right."""

BESIDE = 1
"""Lines that are no farther apart are one place, such as an `if` and what it does."""

Ask: TypeAlias = Callable[[Call], Observation | None]


def repaired(grading: Grading, check: Check, results: Sequence[CheckResult]) -> list[CheckResult]:
    """Return the results of an exercise's checks, of which those that a repair of the answer explains say so.

    A plain slip says more than a name with a condition; any other place speaks only where there is no name.

    Args:
        check: any check of the exercise.
    """
    evidence, source, target = grading.evidence(check), _source(grading, check), grading.target
    failures = {each.name: evidence.failures[each.name] for each in results if _may_be_told(each, evidence)}
    if not grading.tells or source is None or evidence.reference is None or not isinstance(target, Variable):
        return list(results)
    unnamed = {each.name for each in results if each.name in failures and not _is_known(each, evidence)}
    nameless = {each.name for each in results if each.name in unnamed and not each.misconceptions}
    every = repairs(source.text, grading.stub(check.chapter), check.exercise) if unnamed else []
    found = [each for each in every if each.is_plain or nameless]
    if not found:
        return list(results)
    text = "\n\n\n".join([source.text, *(each.code for each in found)])
    chapters = {**grading.submission.chapters, check.chapter: replace(source, text=text)}
    variant = target.variant(replace(grading.submission, chapters=chapters))
    try:
        asks = _asks(variant, check.chapter)
        if _right_alone(failures, asks(check.exercise)):
            return [_told_of_state(each) if each.name in unnamed else each for each in results]
        repair, right = _best(found, failures, evidence, asks)
    finally:
        variant.close()
    if repair is None:
        return list(results)
    told = (unnamed if repair.is_plain else nameless).intersection(right)
    return [_told(each, repair, source) if each.name in told else each for each in results]


def _source(grading: Grading, check: Check) -> ChapterSource | None:
    source = grading.submission.chapters.get(check.chapter)
    return None if source is None or source.problem else source


def _may_be_told(result: CheckResult, evidence: Evidence) -> bool:
    """Return whether a repair may say more than the failure itself."""
    failure = evidence.failures.get(result.name)
    if failure is None or failure.seen.call.turns or failure.found.stage in SAID:
        return False
    return result.status in TOLD


def _is_known(result: CheckResult, evidence: Evidence) -> bool:
    """Return whether a failure is surely named after a known mistake or pair, without a condition: that says more."""
    first = next(iter(result.misconceptions), "")
    known = {each.identifier: each.says for each in evidence.known.singles}
    if first in known:
        return result.message.headline.startswith(known[first])
    return any(each.identifier == first for each in evidence.known.pairs)


def _asks(target: Target, chapter: str) -> Callable[[str], Ask]:
    """Return a function that makes calls of a definition, by its name; they may show nothing."""

    def of(name: str) -> Ask:
        def ask(call: Call) -> Observation | None:
            with suppress(CheckFailed):
                return target.observe(chapter, replace(call, name=name))
            return None

        return ask

    return of


def _right_alone(failures: dict[str, Failure], ask: Ask) -> bool:
    """Return whether the answer itself is right where no call came before."""
    first = next(iter(failures.values()))
    if first.seen.call.build is not None:
        return False
    alone = ask(replace(first.seen.call, once=True))
    if alone is None or difference(first.expected, alone) is not None:
        return False
    return not identical(alone.result, first.seen.got.result)


def _told_of_state(result: CheckResult) -> CheckResult:
    return replace(result, message=replace(result.message, headline=ALONE, advice=KEPT))


def _best(
    found: Iterable[Repair], failures: dict[str, Failure], evidence: Evidence, asks: Callable[[str], Ask]
) -> tuple[Repair | None, list[str]]:
    """Return the first of the repairs that make most failed checks right, and the names of these checks.

    Where one failure of a few numbers is all there is to go by, it is a guess, and all that fit must be in one place.
    """
    best: tuple[Repair | None, list[str]] = None, []
    guesses: list[Repair] = []
    for repair in found:
        ask = asks(repair.name)
        right = _made_right(repair, failures, ask)
        if len(right) <= len(best[1]) or not _keeps_right(repair, evidence, ask):
            continue
        if _is_enough(repair, right, failures):
            best = repair, right
            if len(right) == len(failures):
                break
        elif _explains_all(right, failures):
            guesses.append(replace(repair, says=guessed(repair.says)))
    lines = [each.line for each in guesses]
    if best[0] is None and lines and max(lines) - min(lines) <= BESIDE:
        return guesses[0], [name for name, failure in failures.items() if failure.exact or len(failures) == 1]
    return best


def _keeps_right(repair: Repair, evidence: Evidence, ask: Ask) -> bool:
    return all(_stays_right(seen.call, seen.got, ask) for seen in _right_calls(evidence, repair))


def _made_right(repair: Repair, failures: dict[str, Failure], ask: Ask) -> list[str]:
    """Return the failed checks that a repair makes right; what is no plain slip must do so with all exact ones."""
    right: list[str] = []
    for name, failure in failures.items():
        if _comes_out_right(repair, failure, ask):
            right.append(name)
        elif failure.exact and not repair.is_plain:
            break
    return right


def _is_enough(repair: Repair, right: Sequence[str], failures: dict[str, Failure]) -> bool:
    """Return whether this is no coincidence: a plain slip explains a failure, any other place all exact ones.

    One failure is enough if the answer to it holds several numbers.
    """
    if repair.is_plain:
        return len(right) > 1 or len(right) == len(failures)
    return _explains_all(right, failures) and (len(right) > 1 or all(failures[name].telling for name in right))


def _explains_all(right: Sequence[str], failures: dict[str, Failure]) -> bool:
    return all(name in right for name, failure in failures.items() if failure.exact or len(failures) == 1)


def _comes_out_right(repair: Repair, failure: Failure, ask: Ask) -> bool:
    """Return whether a changed answer is right.

    Where the first answer was right too, but for a property, a plain slip must have changed its numbers, and nothing
    else counts.
    """
    seen, got = ask(replace(failure.seen.call, once=True)), failure.seen.got
    if seen is None or difference(failure.expected, seen) is not None:
        return False
    was_wrong = difference(failure.expected, got) is not None
    return was_wrong or (repair.is_plain and not identical(seen.result, got.result))


def _stays_right(call: Call, before: Observation, ask: Ask) -> bool:
    seen = ask(replace(call, once=True))
    return seen is not None and difference(before, seen) is None


def _right_calls(evidence: Evidence, repair: Repair) -> Sequence[Seen]:
    """Return calls on which the answer was right; what is no plain slip must leave all of them right."""
    calls = [seen for seen in evidence.agreed if not seen.call.turns and not seen.call.device]
    return calls[:CONFIRMED] if repair.is_plain else calls


def _told(result: CheckResult, repair: Repair, source: ChapterSource) -> CheckResult:
    line = Line.of(repair.line, source.text.split("\n")[repair.line - 1])
    headline = repair.says[0].upper() + repair.says[1:] if repair.says.startswith(("line", "the")) else repair.says
    message = replace(result.message, headline=headline, advice=repair.advice, line=line)
    return replace(result, message=message)
