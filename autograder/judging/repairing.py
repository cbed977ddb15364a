"""What is wrong with an answer, shown by a repair: with one change of its own text, the failed calls come out right.

The changed text runs where the student's does, behind the same wall, and is never shown.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import NamedTuple, TypeAlias

import torch

from autograder.calls.records import Call, Data, Observation, identical, mapped
from autograder.calls.target import Target, Variable
from autograder.compare.compare import difference, differing
from autograder.compare.difference import Difference
from autograder.compare.evidence import Evidence
from autograder.compare.failure import Failure, Seen
from autograder.compare.relations import RELATED
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
MIXED = "each item of the batch is right alone, and wrong beside others: they get mixed"
APART = "Which step takes several items at once? Write the shape, with the axis of the batch, beside each line."
SAID = ("again", "arguments")
"""Failures that are told in full: an answer that changes from call to call, or changes its argument."""

ITEMS = 2
"""Items of a batch that are tried alone."""

CONFIRMED = 3
"""Calls on which the answer was right that the repair of a plain slip must leave right."""

BESIDE = 1
"""Lines that are no farther apart are one place, such as an `if` and what it does."""

Ask: TypeAlias = Callable[[Call], Observation | None]


class Explained(NamedTuple):
    """Which checks a cause explains, what to say of it, and the line of the answer if it is in one."""

    checks: Collection[str]
    says: str
    advice: str
    line: int = 0


def repaired(grading: Grading, check: Check, results: Sequence[CheckResult]) -> list[CheckResult]:
    """Return the results of an exercise's checks, of which those that a repair of the answer explains say so.

    A plain slip says more than a name with a condition; any other place speaks only where there is no name,
    or one that says what is so of the numbers, and not why.

    Args:
        check: any check of the exercise.
    """
    evidence, source, target = grading.evidence(check), _source(grading, check), grading.target
    failures = {each.name: evidence.failures[each.name] for each in results if _may_be_told(each, evidence)}
    if not grading.tells or source is None or evidence.reference is None or not isinstance(target, Variable):
        return list(results)
    unsure = [each for each in results if each.name in failures and not _is_known(each, evidence)]
    nameless = [each.name for each in unsure if not {*each.misconceptions} - {*RELATED}]
    stub = grading.stub(check.chapter) if unsure else ""
    found = repairs(source.text, stub, check.exercise, plain_only=not nameless) if unsure else []
    if not found:
        return list(results)
    text = "\n\n\n".join([source.text, *(each.code for each in found)])
    chapters = {**grading.submission.chapters, check.chapter: replace(source, text=text)}
    variant = target.variant(replace(grading.submission, chapters=chapters))
    try:
        asks = _asks(variant, check.chapter)
        names = [each.name for each in unsure], nameless
        cause = _explained(found, failures, evidence, names, asks, asks(check.exercise))
    finally:
        variant.close()
    return [_told(each, cause, source) if cause and each.name in cause.checks else each for each in results]


def _explained(
    found: Sequence[Repair],
    failures: dict[str, Failure],
    evidence: Evidence,
    names: tuple[Sequence[str], Sequence[str]],
    asks: Callable[[str], Ask],
    own: Ask,
) -> Explained | None:
    """Return what explains the failures: a plain slip, state between calls, another place, or a mixed batch.

    Args:
        names: the checks that have no sure name, and those of them without any.
        own: makes calls of the answer itself.
    """
    unsure, nameless = names
    is_right_alone = _right_alone(failures, own)
    repair, right = _best([each for each in found if each.is_plain or not is_right_alone], failures, evidence, asks)
    if repair is not None:
        told = {*(unsure if repair.is_plain else nameless)}.intersection(right)
        return Explained(told, repair.says, repair.advice, repair.line)
    if is_right_alone:
        return Explained(unsure, ALONE, KEPT)
    return Explained(nameless, MIXED, APART) if _is_right_item_by_item(failures, own) else None


def _source(grading: Grading, check: Check) -> ChapterSource | None:
    source = grading.submission.chapters.get(check.chapter)
    return None if source is None or source.problem else source


def _may_be_told(result: CheckResult, evidence: Evidence) -> bool:
    """Return whether a repair may say more than the failure itself."""
    failure = evidence.failures.get(result.name)
    if failure is None or failure.seen.call.turns:
        return False
    is_told_in_full = failure.found.stage in SAID and not _is_of_numbers(failure)
    return result.status in TOLD and not is_told_in_full


def _is_of_numbers(failure: Failure) -> bool:
    """Return whether a call leaves a module with the wrong numbers."""
    return isinstance(failure.found, Difference) and failure.found.rule == "module"


def _is_known(result: CheckResult, evidence: Evidence) -> bool:
    """Return whether a failure is named after a known mistake or pair, without a condition: that says more."""
    first = next(iter(result.misconceptions), "")
    known = {each.identifier: each.says for each in evidence.known.singles}
    if first in known:
        return result.message.headline.startswith((known[first], guessed(known[first])))
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


def _is_right_item_by_item(failures: dict[str, Failure], ask: Ask) -> bool:
    """Return whether the answer is right for items of a batch alone that are wrong among the others."""
    failure = next((each for each in failures.values() if each.exact and each.found.stage == "values"), None)
    if failure is None:
        return False
    want, have, call = failure.expected.result, failure.seen.got.result, failure.seen.call
    if not (isinstance(want, torch.Tensor) and isinstance(have, torch.Tensor)) or want.dim() < 2 or len(want) < 2:
        return False
    for item in differing(want, have, None).flatten(1).any(1).nonzero()[:ITEMS].flatten().tolist():
        args, kwargs = mapped((call.args, call.kwargs), partial(_only, size=len(want), item=item))
        seen = ask(replace(call, args=args, kwargs=kwargs, once=True, cotangents=None))
        if seen is None or difference(Observation(want[item : item + 1]), Observation(seen.result)) is not None:
            return False
    return True


def _only(leaf: Data, size: int, item: int) -> Data:
    """Return one item of a tensor whose first axis has that size; anything else as it is."""
    is_batch = isinstance(leaf, torch.Tensor) and leaf.dim() > 1 and len(leaf) == size
    return leaf[item : item + 1] if is_batch else leaf


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


def _told(result: CheckResult, cause: Explained, source: ChapterSource) -> CheckResult:
    if not cause.line:
        return replace(result, message=replace(result.message, headline=cause.says, advice=cause.advice))
    line = Line.of(cause.line, source.text.split("\n")[cause.line - 1])
    headline = cause.says[0].upper() + cause.says[1:] if cause.says.startswith(("line", "the")) else cause.says
    return replace(result, message=replace(result.message, headline=headline, advice=cause.advice, line=line))
