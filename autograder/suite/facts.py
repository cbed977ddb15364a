"""What is true of a thing that the exercise builds as the student likes: yes or no, one fact after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from autograder.calls import Absent, Build, Data, Observation, Opaque, Raised
from autograder.course import Misconception
from autograder.errors import CheckFailed
from autograder.suite.describe import Names, describe
from autograder.suite.grading import Check, Grading
from autograder.suite.messages import message
from autograder.suite.student import Student

Ask = Callable[..., Data]
"""What the built thing answers to these arguments."""


class Fact(NamedTuple):
    """`holds` is given what asks, and says "" or what is the case instead; `says` and `advice` are for the student."""

    says: str
    holds: Callable[[Ask], str]
    advice: str = ""


class _NoDataError(Exception):
    """It could not be built, or gave no data."""


@dataclass
class Facts:
    """Holds the student's exercise against facts; a known mistake of which exactly the same are false is named."""

    grading: Grading
    check: Check
    student: Student

    def __call__(self, *facts: Fact, build: tuple[Data, ...] = ()) -> None:
        """
        Raises:
            CheckFailed: one of `facts` does not hold of what the exercise builds.
        """
        seen = self._seen(facts, build, self.student.observe)
        wrong = next((number for number, said in enumerate(seen) if said), None)
        if wrong is None:
            return
        named = self._named(facts, build, seen)
        headline, advice = (named[0].says, named[0].advice) if named else (facts[wrong].says, facts[wrong].advice)
        says = headline if named else f"this does not hold: {headline}"
        text = message(says, expected=facts[wrong].says, got=seen[wrong], advice=advice)
        raised = not named and seen[wrong].startswith(RAISED)
        identifiers = [each.identifier for each in named]
        raise CheckFailed("error" if raised else "failed", text, identifiers)

    def _named(self, facts: Sequence[Fact], build: tuple[Data, ...], seen: Sequence[str]) -> list[Misconception]:
        """Known mistakes of which the same is said."""
        if self.grading.course.is_sealed:
            return []
        known = self.grading.course.misconceptions(self.check.chapter)
        own = [each for each in known if each.exercise == self.check.exercise]
        return [each for each in own if self._seen(facts, build, _Mistake(self.grading, each)) == seen]

    def _seen(self, facts: Sequence[Fact], build: tuple[Data, ...], observe: Callable[..., Observation]) -> list[str]:
        """What is said of each fact, up to the first that could not be looked at."""

        def ask(*args: Data) -> Data:
            result = observe(self.check.call(args, {}, Build(args=build))).result
            if isinstance(result, Raised | Absent | Opaque):
                raise _NoDataError(f"{RAISED if isinstance(result, Raised) else ''}{describe(result, Names())}")
            return result

        found: list[str] = []
        for fact in facts:
            try:
                found.append(fact.holds(ask))
            except _NoDataError as error:
                return [*found, str(error)]
        return found


RAISED = "it raised "


@dataclass
class _Mistake:
    """Observes a known mistake."""

    grading: Grading
    mistake: Misconception

    def __call__(self, call: object) -> Observation:
        (seen,) = self.grading.oracle.wrong([self.mistake], call)  # type: ignore[arg-type]
        return seen
