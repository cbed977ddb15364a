"""Name the mistake: find the known ones that explain every call of an exercise, and write a failed check's message."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import takewhile
from typing import Any

from autograder.calls.records import Call, Observation, Raised, tensors
from autograder.compare.alike import alike, is_other
from autograder.compare.changes import with_defaults
from autograder.compare.compare import LENIENT, PLAIN, difference
from autograder.compare.composed import composed, condition, lowered
from autograder.compare.failure import Failure, Seen
from autograder.compare.oracle import Oracle
from autograder.compare.relations import common_relation, lacking_digits, unexplained
from autograder.compare.weight import entries_of
from autograder.core.errors import CheckFailed
from autograder.core.message import Message
from autograder.core.records import CheckResult
from autograder.course.model import Catalogue, Misconception
from autograder.source.parameter_order import other_defaults, other_order

MANY = 5
"""So many distinct numbers speak for two mistakes at once, or against a name; a matrix of two rows has fewer."""

ENOUGH_CALLS = 2
"""Where so many show it, one value or a common error is no coincidence."""

FEW = 2
"""What fewer right calls than this have in common says little of the wrong ones."""

MOST_CHANGES = 3
"""Where more changes of the reference explain an answer, none of them says much."""


@dataclass
class Evidence:
    """What one submission, whose code is `text`, showed on one exercise: the calls that agreed, and the failures.

    `remembers` are the checks whose calls are right on a new object, whatever they were given.
    `ahead` makes the calls of the check that runs after the one that decides it, where so little was seen that a name
    would be a guess; `beyond` holds those that failed.
    """

    oracle: Oracle
    mistakes: Callable[[], Catalogue]
    text: str = ""
    reference: Callable[..., Any] | None = None
    agreed: list[Seen] = field(default_factory=list)
    failures: dict[str, Failure] = field(default_factory=dict)
    unnamed: list[Failure] = field(default_factory=list)
    beyond: list[Failure] = field(default_factory=list)
    ahead: Callable[[Seen], Iterable[Failure | Seen]] = lambda _: ()
    cause: Misconception | None = None
    remembers: set[str] = field(default_factory=set)
    examples_left: int = 2
    _pairs: list[Misconception] | None = None
    _rest: Iterable[Failure | Seen] = ()

    @cached_property
    def known(self) -> Catalogue:
        """The known mistakes, which only a failure needs: loading them takes a moment."""
        return self.mistakes()

    @property
    def is_drawn(self) -> bool:
        """Whether a picture goes with one of the failures already."""
        return any(failure.is_drawable for failure in self.failures.values())

    def failed(self, check: str, failure: Failure, given: Failure | None = None) -> CheckFailed:
        """Return the verdict on a failed check, given what was seen so far.

        Args:
            given: the failure with the answer in the form that it was given in, which only a known mistake has too.
        """
        self._rest = self.ahead(failure.seen)
        causes = self._causes(failure)
        if given and not causes and (causes := self._of_one(given)):
            failure = given
        self._rest = ()
        self.failures[check] = failure
        self.cause = next((cause for cause in causes if cause.function is not unexplained), None)
        self.unnamed += [] if self.cause else [failure]
        return self._verdict(failure, causes)

    def _verdict(self, failure: Failure, causes: Sequence[Misconception]) -> CheckFailed:
        return failure.verdict(causes, self._order(failure.seen), doubtful=self._is_doubtful(failure, causes))

    def _is_doubtful(self, failure: Failure, causes: Sequence[Misconception]) -> bool:
        """Whether the first of `causes` is a known mistake of which too little was seen to be sure."""
        known = bool(causes) and any(causes[0] is each for each in self.known.singles)
        return known and failure.suggests and self._support(causes[0], failure) < ENOUGH_CALLS

    def settled(self, result: CheckResult) -> CheckResult:
        """Return the result of a check once the whole exercise was seen, without a cause that later calls disprove."""
        failure = self.failures.get(result.name)
        if failure is None or result.name in self.remembers:
            return result
        if not result.misconceptions:
            return replace(result, message=self._limited(result.message) if failure.exact else result.message)
        causes = self._causes(failure)
        verdict = self._verdict(failure, causes)
        message = replace(verdict.message, example=result.message.example)
        if not causes or causes[0].function is unexplained or self._is_doubtful(failure, causes):
            message = self._limited(message)
        return replace(result, message=message, misconceptions=verdict.misconceptions)

    def _limited(self, message: Message) -> Message:
        """Return the message of a failure without a sure name with what all failed calls share, and no other call."""
        failures = (*self.failures.values(), *self.beyond)
        wrong = [seen for failure in failures for seen in (failure.seen, *failure.beside)]
        methods = {_method(seen.call) for seen in wrong}
        right = [seen for seen in self.agreed if _has_data(seen.call) and _method(seen.call) in methods]
        if all(failure.found.stage == "gradients" for failure in failures):
            right = [seen for seen in right if seen.call.cotangents is not None]
        if len(right) < FEW or any(seen.call.device for seen in wrong):
            return message
        where = condition(*([(seen.call, seen.names) for seen in calls] for calls in (wrong, right)), is_sure=True)
        if not where:
            return message
        several = f"it goes wrong only {where}"
        limit = several if wrong[1:] else f"of {len(right) + 1} calls, only the one {where} goes wrong"
        headline = message.headline
        is_sentence = headline.endswith(".") or ". (" in headline
        says = f"{headline} {limit[0].upper()}{limit[1:]}." if is_sentence else f"{headline}; {limit}"
        return replace(message, headline=says)

    def _order(self, seen: Seen) -> str:
        call = seen.call
        method = (call.build.method or "forward") if call.build else ""
        return "" if call.turns else other_order(self.text, call.name, method, seen.names.arguments)

    def _causes(self, failure: Failure) -> list[Misconception]:
        """Return the known mistakes that explain a failure, the one that explains most other failures first.

        Pairs count only where no single mistake explains it, and rounded answers only where no pair does.
        """
        if causes := self._defaulted(failure):
            return causes
        if causes := self._known(self.known.singles, failure, False):
            return causes
        pairs = [wrong for wrong in self._known(self.known.pairs, failure, False) if self._is_heavy(wrong, failure)]
        if pairs and not self._alone(failure):
            return pairs
        if causes := self._known(self.known.singles, failure, True):
            return causes
        if failure.is_rounded and failure.found.stage != "dtype":
            return self._rounding_elsewhere(failure) or [lacking_digits(failure.seen.call.name, [], is_rounded=True)]
        if not failure.telling or failure.seen.call.device == "meta":
            return []
        return self._alone(failure) or self._together(failure) or _related(failure, self._told(failure))

    def _of_one(self, failure: Failure) -> list[Misconception]:
        singles = self.known.singles
        return self._known(singles, failure, False) or self._known(singles, failure, True)

    def _known(self, known: Sequence[Misconception], failure: Failure, rounded: bool) -> list[Misconception]:
        """Return those of the `known` mistakes that explain a failure, the one that explains most others first.

        Of those that explain as many, the one that raises fewest errors on calls that agreed.
        """
        others = [other.seen for other in self.failures.values() if other is not failure]
        causes = [wrong for wrong in self._explaining(known, failure, rounded) if not self._contradicted(wrong)]
        if len(causes) > 1:
            causes.sort(key=lambda wrong: sum(self._breaks(wrong, seen) for seen in self.agreed))
            causes.sort(key=lambda wrong: -sum(alike(self._shown(wrong, seen), seen.got, LENIENT) for seen in others))
        return causes

    def _rounding_elsewhere(self, failure: Failure) -> list[Misconception]:
        """Return the mistakes that explain another rounded answer, and by chance are no further off here than right."""
        others = [other for other in self.failures.values() if other is not failure and other.is_rounded]
        singles = self.known.singles
        found = (wrong for other in others for how in (False, True) for wrong in self._known(singles, other, how))
        return [wrong for wrong in found if self._shows(wrong, failure.seen)][:1]

    def _told(self, failure: Failure) -> list[Failure]:
        return [other for other in self.failures.values() if other is not failure and other.telling]

    def _alone(self, failure: Failure) -> list[Misconception]:
        """Return the mistakes in some calls only, or else the changes, that explain a failure and all telling ones."""
        if not failure.telling or failure.seen.call.device == "meta":
            return []
        return self._fitting(self._conditional(failure) or self._changed(failure), failure)

    def _together(self, failure: Failure) -> list[Misconception]:
        found = self._fitting(self._composed(failure), failure)
        return [wrong for wrong in found if "+" not in wrong.identifier or self._is_heavy(wrong, failure)]

    def _fitting(self, found: Sequence[Misconception], failure: Failure) -> list[Misconception]:
        told = self._told(failure)
        return [wrong for wrong in found if all(self._fits(wrong, other) for other in told)]

    def _is_heavy(self, wrong: Misconception, failure: Failure) -> bool:
        """Whether enough speaks for two mistakes at once."""
        if max(failure.weight, entries_of(failure.changed)) >= MANY:
            return True
        self._look_further()
        return self._support(wrong, failure) >= ENOUGH_CALLS

    def _look_further(self) -> None:
        """Make the calls of a check after the one that decided it."""
        rest, self._rest = self._rest, ()
        for each in rest:
            if isinstance(each, Seen):
                self.agreed.append(each)
            else:
                self.beyond.append(each)

    def _support(self, wrong: Misconception, failure: Failure) -> int:
        """Return on how many different calls a mistake explains a wrong answer."""
        others = [other for other in (*self.failures.values(), *self.beyond) if other is not failure]
        shown = [failure.seen, *failure.beside, *(each.seen for each in others if self._shows(wrong, each.seen))]
        return len({self.oracle.digest(each.call) for each in shown})

    def _defaulted(self, failure: Failure) -> list[Misconception]:
        """Return the reference with the other defaults of the answer's signature, where they explain a failure."""
        call = failure.seen.call
        if self.reference is None or call.turns:
            return []
        method = (call.build.method or "forward") if call.build else ""
        own = other_defaults(self.text, call.name, method, self.reference)
        return [
            wrong
            for wrong in with_defaults(self.reference, call, method, own)
            if any(not against for _, against in self._matching([wrong], failure, rounded=False))
        ]

    def _contradicted(self, wrong: Misconception) -> bool:
        """Whether a mistake gives other wrong numbers than the answer at least as often as the same.

        Only failures that no name explains speak against it: others may have a reason of their own.
        """
        against = self._count(wrong, [each for each in self.unnamed if each.weight >= MANY], same=False)
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
            if says and len(against) >= FEW:
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
            if not against and self._fits_all(wrong, others) and not self._refuted(wrong, failure):
                yield wrong

    def _refuted(self, wrong: Misconception, failure: Failure) -> bool:
        """Whether as many of the calls after those that decided checks speak against a name as calls speak for it."""
        others = [] if failure.telling else [other for other in self.beyond if not self._breaks(wrong, other.seen)]
        against = [other for other in others if not self._fits(wrong, other)]
        return bool(against) and len(against) >= self._support(wrong, failure)

    def _fits_all(self, wrong: Misconception, others: Sequence[Failure]) -> bool:
        """Whether a mistake shows what other failures do; where it raises, one with many numbers must speak for it."""
        fits = [self._fits(wrong, other) for other in others]
        if all(fits):
            return True
        alike = any(other.telling and fit for other, fit in zip(others, fits, strict=True))
        return alike and all(fit or self._breaks(wrong, each.seen) for each, fit in zip(others, fits, strict=True))

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
            if not failure.telling:
                self._look_further()
            yield wrong, [seen for seen in self.agreed if not self._tallies(wrong, seen, failure)]

    def _tallies(self, wrong: Misconception, seen: Seen, failure: Failure) -> bool:
        """Whether a call that agreed leaves a mistake possible, which explains a failure.

        Where many numbers do, an error of the mistake here says only that it is written for fewer inputs.
        """
        return self._shows(wrong, seen) or (failure.telling and self._breaks(wrong, seen))

    def _breaks(self, wrong: Misconception, seen: Seen) -> bool:
        """Whether a mistake raises an error on a call on which the answer raised none."""
        return isinstance(self._shown(wrong, seen).result, Raised) and not isinstance(seen.got.result, Raised)

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


def _method(call: Call) -> str:
    return call.build.method if call.build else ""


def _has_data(call: Call) -> bool:
    return not call.device and not any(tensor.is_meta for tensor in tensors((call.args, call.kwargs)))


def _related(failure: Failure, others: Sequence[Failure]) -> list[Misconception]:
    """Return what the numbers of a failure have to do with the right ones, if it holds for `others` too."""
    exact = [each for each in others if each.exact and each.found.stage == "values"]
    if not failure.exact or failure.found.stage != "values":
        return []
    pairs = [(each.expected.result, each.seen.got.result) for each in (failure, *exact)]
    return [*filter(None, [common_relation(failure.seen.call.name, pairs, failure.is_rounded)])]
