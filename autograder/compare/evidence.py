"""Name the mistake: find the known ones that explain every call of an exercise, and write a failed check's message."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import takewhile
from typing import Any

import torch

from autograder.calls.records import Call, Observation, Raised
from autograder.compare.alike import alike, is_other, numbers_in
from autograder.compare.compare import LENIENT, PLAIN, UNFIT, difference
from autograder.compare.composed import composed, condition, lowered
from autograder.compare.describe import Names
from autograder.compare.difference import Difference, Stated, Words
from autograder.compare.oracle import Oracle
from autograder.compare.refusals import refusal
from autograder.compare.relations import common_relation, lacking_digits, unexplained
from autograder.compare.torch_errors import trouble
from autograder.compare.words import words
from autograder.core.errors import CheckFailed
from autograder.core.message import Line, Message
from autograder.core.records import CheckResult
from autograder.course.model import Catalogue, Misconception
from autograder.source.parameter_order import ADVICE, other_order

ENOUGH = 3
"""This many numbers are not wrong in the same way by chance; a NaN, an error or a yes may be."""

FEW = 2
"""What fewer right calls than this have in common says little of the wrong ones."""

MOST_CHANGES = 3
"""Where more changes of the reference explain an answer, none of them says much."""


@dataclass(frozen=True)
class Seen:
    """One call, what the student's answer showed, and the names of its axes and arguments."""

    call: Call
    got: Observation
    names: Names


@dataclass(frozen=True)
class Failure:
    """A call on which the answer is wrong, and where; `hint` is the advice if no known mistake explains it.

    `called` describes all calls of the check, and `beside` holds what the other ones showed. `exact` means that only
    the expected numbers would have passed. `is_rounded` says whether float32 was seen to be all that is wrong; None if
    nobody looked.
    """

    seen: Seen
    expected: Observation
    found: Difference | Stated
    called: str
    hint: str
    exact: bool = False
    beside: tuple[Seen, ...] = ()
    is_rounded: bool | None = None

    @property
    def telling(self) -> bool:
        """Whether the wrong answer has enough distinct numbers to recognise a mistake."""
        wrong, right = numbers_in(self.seen.got), numbers_in(self.expected)
        same = len(wrong) == len(right) and torch.equal(wrong, right)
        return not same and len(set(wrong[wrong.isfinite()].tolist())) >= ENOUGH

    @property
    def is_drawable(self) -> bool:
        """Whether single numbers are wrong."""
        return self.exact and self.found.stage == "values"

    def verdict(self, causes: Sequence[Misconception], order: str = "") -> CheckFailed:
        """Return what the student reads. It names the first of `causes`, or `order`: parameters in the wrong order."""
        got, found = self.seen.got, words(self.found, self.seen.names)
        told = refusal(self.seen.call, self.expected, self.found, self.seen.names)
        headline, advice = told or found.headline, found.advice or self.hint
        refuses = isinstance(self.expected.result, Raised)  # then an error is not the trouble, but its kind
        if not refuses and (plain := trouble(self.seen.call, got, self.found, found, self.seen.names)):
            headline, advice = plain
        if causes:
            headline, advice = " ".join(filter(None, [causes[0].says, self._shown(found)])), causes[0].advice
        if order:
            headline, advice = order, ADVICE
        raised = got.result if isinstance(got.result, Raised) else None
        line = Line.of(raised.line, raised.source) if raised else None
        message = Message(headline, self.called, found.expected, found.got, advice, line, found.wrong)
        broke = raised and raised.kind not in UNFIT and not isinstance(self.expected.result, Raised)
        return CheckFailed("error" if broke else "failed", message, [cause.identifier for cause in causes])

    def _shown(self, described: Words) -> str:
        """Return the effect of a named mistake in brackets, or "" where the lines below it are clearer."""
        got, found = self.seen.got.result, self.found
        if isinstance(got, Raised) and found.stage == "outcome" and got.kind not in UNFIT:
            return f"(it raised {got.kind})"
        return "" if found.stage == "values" and not self.exact else f"({described.headline})"


@dataclass
class Evidence:
    """What one submission, whose code is `text`, showed on one exercise: the calls that agreed, and the failures."""

    oracle: Oracle
    mistakes: Callable[[], Catalogue]
    text: str = ""
    reference: Callable[..., Any] | None = None
    agreed: list[Seen] = field(default_factory=list)
    failures: dict[str, Failure] = field(default_factory=dict)
    unnamed: list[Failure] = field(default_factory=list)
    cause: Misconception | None = None
    examples_left: int = 2
    _pairs: list[Misconception] | None = None

    @cached_property
    def known(self) -> Catalogue:
        """The known mistakes, which only a failure needs: loading them takes a moment."""
        return self.mistakes()

    @property
    def is_drawn(self) -> bool:
        """Whether a picture goes with one of the failures already."""
        return any(failure.is_drawable for failure in self.failures.values())

    def failed(self, check: str, failure: Failure) -> CheckFailed:
        """Return the verdict on a failed check, given what was seen so far."""
        causes = self._causes(failure)
        self.failures[check] = failure
        self.cause = next((cause for cause in causes if cause.function is not unexplained), None)
        self.unnamed += [] if self.cause else [failure]
        return failure.verdict(causes, self._order(failure.seen))

    def settled(self, result: CheckResult) -> CheckResult:
        """Return the result of a check once the whole exercise was seen, without a cause that later calls disprove."""
        failure = self.failures.get(result.name)
        if failure is None:
            return result
        if not result.misconceptions:
            return replace(result, message=self._limited(result.message))
        verdict = failure.verdict(self._causes(failure), self._order(failure.seen))
        message = replace(verdict.message, example=result.message.example)
        return replace(result, message=message, misconceptions=verdict.misconceptions)

    def _limited(self, message: Message) -> Message:
        """Return the message of an unnamed failure with what all failed calls share, and no other call."""
        wrong = [seen for failure in self.failures.values() for seen in (failure.seen, *failure.beside)]
        if len(self.agreed) < FEW or any(seen.call.device for seen in wrong):
            return message
        where = condition(*([(seen.call, seen.names) for seen in calls] for calls in (wrong, self.agreed)))
        limit = f"of the calls tried, it goes wrong only {where}; " if where else ""
        return replace(message, advice=limit + message.advice)

    def _order(self, seen: Seen) -> str:
        call = seen.call
        method = (call.build.method or "forward") if call.build else ""
        return "" if call.turns else other_order(self.text, call.name, method, seen.names.arguments)

    def _causes(self, failure: Failure) -> list[Misconception]:
        """Return the known mistakes that explain a failure, the one that explains most other failures first.

        Pairs count only where no single mistake explains it, and rounded answers only where no pair does.
        """
        others = [other.seen for other in self.failures.values() if other is not failure]
        for known, rounded in (self.known.singles, False), (self.known.pairs, False), (self.known.singles, True):
            causes = [wrong for wrong in self._explaining(known, failure, rounded) if not self._contradicted(wrong)]
            if len(causes) > 1:
                causes.sort(
                    key=lambda wrong: -sum(alike(self._shown(wrong, seen), seen.got, LENIENT) for seen in others)
                )
            if causes:
                return causes
        if failure.is_rounded and failure.found.stage != "dtype":
            return [lacking_digits(failure.seen.call.name, [], is_rounded=True)]
        if not failure.telling or failure.seen.call.device == "meta":
            return []
        told = [other for other in self.failures.values() if other is not failure and other.telling]
        found = self._conditional(failure) or self._changed(failure) or self._composed(failure)
        found = [wrong for wrong in found if all(self._fits(wrong, other) for other in told)]
        return found or _related(failure, told)

    def _contradicted(self, wrong: Misconception) -> bool:
        """Whether a mistake gives other wrong numbers than the answer at least as often as the same.

        Only failures that no name explains speak against it: others may have a reason of their own.
        """
        against = self._count(wrong, self.unnamed, same=False)
        return against > 0 and against >= self._count(wrong, self.failures.values(), same=True)

    def _count(self, wrong: Misconception, failures: Iterable[Failure], *, same: bool) -> int:
        """Return how many exact failures a mistake would show too, with the same numbers or with others."""
        telling = [each for each in failures if each.exact and each.telling]
        shown = [(each, self._shown(wrong, each.seen).result) for each in telling]
        wrongs = [(each, result) for each, result in shown if is_other(each.expected.result, result)]
        return sum(is_other(each.seen.got.result, result) != same for each, result in wrongs)

    def _conditional(self, failure: Failure) -> list[Misconception]:
        """Return the mistakes that explain a failure, each with what tells such calls from those that agreed."""
        found = []
        told = [other.seen for other in self.failures.values() if other.telling]
        for wrong, against in self._matching(self.known.singles, failure, rounded=False):
            hits = [failure.seen, *failure.beside, *told]
            says = condition(*([(seen.call, seen.names) for seen in calls] for calls in (hits, against)))
            if says:
                found.append(replace(wrong, says=f"{says[0].upper()}{says[1:]}: {lowered(wrong.says)}"))
        return found

    def _changed(self, failure: Failure) -> list[Misconception]:
        """Return the changes of the reference that explain a failure; none where many do."""
        if self.reference is None:
            return []
        known = self.oracle.changes(self.reference, failure.seen.call, failure.seen.names.parts)
        found = self._searched("changes", known, failure)
        return found if len(found) <= MOST_CHANGES else []

    def _composed(self, failure: Failure) -> list[Misconception]:
        """Return the pairs of mistakes that both show here, and the mistakes of other exercises, that explain it."""
        if self.reference is None:
            return []
        call = failure.seen.call
        if self._pairs is None:
            self._pairs = [*composed(self.reference, call.name, self.known.singles, self.known.others)]
        unseen = self.oracle.candidates(self.known.singles, call, failure.expected, rounded=False)
        hidden = {each.identifier for each in unseen}
        pairs = [each for each in self._pairs if hidden.isdisjoint(each.identifier.split("+"))]
        return self._searched("composed", pairs, failure)

    def _searched(self, kind: str, known: Sequence[Misconception], failure: Failure) -> list[Misconception]:
        """Return those of many mistakes that explain a failure; one that an earlier failure rules out is not tried."""
        for other in takewhile(lambda other: other is not failure, self.failures.values()):
            if other.telling and not self._is_random(other):
                known = self.oracle.like(kind, known, other.seen.call, other.seen.got, rounded=True)
        known = self.oracle.like(kind, known, failure.seen.call, failure.seen.got)
        return [wrong for wrong, against in self._matching(known, failure, rounded=False) if not against]

    def _explaining(self, known: Sequence[Misconception], failure: Failure, rounded: bool) -> Iterator[Misconception]:
        """Yield the mistakes that are wrong on this call and show what the answer showed, here and before.

        Here they must show exactly that, or with `rounded` the same up to float32's precision. Where the answer agreed
        with the reference, its mistake must agree too. Other failures may have other reasons, so they count only if
        this one has too few numbers to decide.
        """
        others = [] if failure.telling else [other for other in self.failures.values() if other is not failure]
        for wrong, against in self._matching(known, failure, rounded):
            if not against and all(self._fits(wrong, other) for other in others):
                yield wrong

    def _matching(
        self, known: Sequence[Misconception], failure: Failure, rounded: bool
    ) -> Iterator[tuple[Misconception, list[Seen]]]:
        """Yield the mistakes that show on a failure what the answer showed, and the agreed calls that speak against."""
        limit, plain = (LENIENT, PLAIN) if rounded else (None, None)
        known = self.oracle.candidates(known, failure.seen.call, failure.seen.got, rounded=rounded)
        all_shown = self.oracle.shown(known, failure.seen.call, failure.seen.got, rounded=rounded)
        for wrong, shown in zip(known, all_shown, strict=True):
            here = alike(shown, failure.seen.got, limit) and all(
                alike(self._shown(wrong, seen, rounded=rounded), seen.got, limit) for seen in failure.beside
            )
            if not here or difference(failure.expected, shown, tolerance=plain) is None:
                continue
            yield wrong, [seen for seen in self.agreed if not self._shows(wrong, seen)]

    def _fits(self, wrong: Misconception, other: Failure) -> bool:
        """Whether a mistake shows what another failure does; if numbers are random, the same kind of other fault."""
        if self._shows(wrong, other.seen):
            return True
        if not self._is_random(other):
            return False
        found = difference(other.expected, self._shown(wrong, other.seen))
        return found is not None and found.stage == other.found.stage != "values"

    def _is_random(self, failure: Failure) -> bool:
        if failure.exact or self.reference is None:
            return False
        return self.oracle.is_random(self.reference, failure.seen.call)

    def _shows(self, wrong: Misconception, seen: Seen) -> bool:
        shown = self._shown(wrong, seen)
        both_raise = isinstance(shown.result, Raised) and isinstance(seen.got.result, Raised)
        return both_raise or alike(shown, seen.got, LENIENT)

    def _shown(self, wrong: Misconception, seen: Seen, *, rounded: bool = True) -> Observation:
        return self.oracle.shown([wrong], seen.call, seen.got, rounded=rounded)[0]


def _related(failure: Failure, others: Sequence[Failure]) -> list[Misconception]:
    """Return what the numbers of a failure have to do with the right ones, if it holds for `others` too."""
    exact = [each for each in others if each.exact and each.found.stage == "values"]
    if not failure.exact or failure.found.stage != "values":
        return []
    pairs = [(each.expected.result, each.seen.got.result) for each in (failure, *exact)]
    return [*filter(None, [common_relation(failure.seen.call.name, pairs, failure.is_rounded)])]
