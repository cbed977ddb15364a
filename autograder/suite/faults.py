"""What is wrong with the answers to a step, for each kind of comparison."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from autograder.calls.records import Observation, Raised
from autograder.compare.compare import altered, difference
from autograder.compare.describe import crowd
from autograder.compare.difference import Difference, Stated, Words
from autograder.compare.words import words
from autograder.core.message import stands_in
from autograder.suite.near import describe_apart, listening
from autograder.suite.plan import PlannedCall, StepFault


@dataclass(frozen=True)
class Differs:
    """The answer differs from the right one, by more than a tolerance."""

    right: Observation
    tolerance: float | None = None

    def __call__(self, got: Observation) -> StepFault | None:
        found = difference(self.right, got, tolerance=self.tolerance)
        return StepFault(0, found) if found else None


@dataclass(frozen=True)
class NotRefused:
    """The call was not refused with an error of a kind, whose message names something."""

    wanted: Observation
    naming: Sequence[str]

    def __call__(self, got: Observation) -> StepFault | None:
        found = difference(self.wanted, got, until="outcome") or self._unnamed(got)
        return StepFault(0, found) if found else None

    def _unnamed(self, got: Observation) -> Stated | None:
        assert isinstance(self.wanted.result, Raised)
        message = got.result.message if isinstance(got.result, Raised) else ""
        lacking = " and ".join(part for part in self.naming if not stands_in(message, part))
        if not lacking:
            return None
        headline = f"the {self.wanted.result.kind} should name {lacking}"
        return Stated("outcome", Words(headline, f"a message with {lacking}", message or "no message"))


@dataclass(frozen=True)
class DoesNotHold:
    """An answer has another form than the right one, or all of them together lack the property that `says` states."""

    says: str
    holds: Callable[..., bool]
    shows: Callable[..., str] | None
    calls: Sequence[PlannedCall]

    def __call__(self, *got: Observation) -> StepFault | None:
        for number, (call, have) in enumerate(zip(self.calls, got, strict=True)):
            if found := difference(call.right, have, until="dtype") or altered(call.right, have):
                return StepFault(number, found)
        results = [have.result for have in got]
        with listening() as apart, suppress(Exception):  # which holds of the right answer may fail on another
            if self.holds(*results):
                return None
        seen = "" if self.shows else describe_apart(apart, results, self.calls[0].names)
        with suppress(Exception):  # `shows` may fail on an unexpected answer, which is wrong all the same
            seen = self.shows(*results) if self.shows else seen
        return self._unheld(got, seen)

    def _unheld(self, got: Sequence[Observation], seen: str) -> StepFault:
        """Return the fault, in the first call whose numbers are wrong; `seen` says what is the case instead."""
        for number, (call, have) in enumerate(zip(self.calls, got, strict=True)):
            if values := difference(call.right, have, until="values"):
                which = f"in call {number + 1} of {len(self.calls)}, " if len(self.calls) > 1 else ""
                instead = seen or crowd(have.result) or which + words(values, call.names).headline
                return StepFault(number, Stated.unheld(self.says, instead), together=True)
        return StepFault(len(self.calls) - 1, Stated.unheld(self.says, seen or "it does not hold"), together=True)


@dataclass(frozen=True)
class ExposesTooLittle:
    """The answer, as the arguments of a call, exposes too few known mistakes of another exercise."""

    lacking: Callable[..., Difference | Stated | None]
    right: Observation

    def __call__(self, got: Observation) -> StepFault | None:
        found = self.lacking(self.right, got)
        return StepFault(0, found) if found else None
