"""What is true of a thing that the exercise builds as the student likes: yes or no, one fact after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import torch

from autograder.calls.records import Absent, Build, Call, Data, Observation, Opaque, Raised
from autograder.compare.describe import Names, describe
from autograder.core.errors import BrokenCheckError, CheckFailed
from autograder.core.message import Message
from autograder.course.model import Misconception
from autograder.suite.check import Check, Grading
from autograder.suite.student import Student

Ask = Callable[..., Data]
"""What the built thing answers to these arguments."""


class Fact(NamedTuple):
    """`holds` is given what asks, and says "" or what is the case instead; `says` and `advice` are for the student."""

    says: str
    holds: Callable[[Ask], str]
    advice: str = ""


class _NoDataError(Exception):
    """It could not be built, or gave no data; `shown` is what the student reads."""

    def __init__(self, result: Raised | Absent | Opaque) -> None:
        super().__init__(f"{result.kind}: {result.message}" if isinstance(result, Raised) else repr(result))
        self.raised = isinstance(result, Raised)
        self.shown = f"{'it raised ' if self.raised else ''}{describe(result, Names())}"


class _Seen(NamedTuple):
    """The number of the first fact that does not hold, what is the case instead, and how that is shown."""

    wrong: int
    said: str = ""
    shown: str = ""
    raised: bool = False


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
        seen = self._seen(facts, build, self._observed)
        if seen.wrong == len(facts):
            return
        self._refuse_broken(facts, build)
        fact, named = facts[seen.wrong], self._named(facts, build, seen)
        headline, advice = (named[0].says, named[0].advice) if named else (_unheld(fact), fact.advice)
        message = Message(headline, expected=fact.says, got=seen.shown, advice=advice)
        broke = seen.raised and not named
        raise CheckFailed("error" if broke else "failed", message, [each.identifier for each in named])

    def _observed(self, call: Call) -> Observation:
        seen = self.student.observe(call)
        self.student.refuse_hollow(seen.result)
        return seen

    def _named(self, facts: Sequence[Fact], build: tuple[Data, ...], seen: _Seen) -> list[Misconception]:
        """Known mistakes of which the same is said."""
        if self.grading.course.is_sealed:
            return []
        known = self.grading.course.misconceptions(self.check.chapter)
        own = [each for each in known if each.exercise == self.check.exercise]
        return [each for each in own if self._seen(facts, build, self._mistaken(each))[:2] == seen[:2]]

    def _refuse_broken(self, facts: Sequence[Fact], build: tuple[Data, ...]) -> None:
        """
        Raises:
            BrokenCheckError: a fact does not hold of the reference either.
        """
        if self.grading.course.is_sealed:
            return
        right = self._seen(facts, build, lambda call: self.grading.oracle.right(self.check.chapter, call))
        if right.said:
            raise BrokenCheckError(f"of the reference this is said: {right.said}")

    def _mistaken(self, mistake: Misconception) -> Callable[[Call], Observation]:
        return lambda call: self.grading.oracle.wrong([mistake], call)[0]

    def _seen(self, facts: Sequence[Fact], build: tuple[Data, ...], observe: Callable[[Call], Observation]) -> _Seen:
        def ask(*args: Data) -> Data:
            call = replace(self.check.call(args, {}, Build(args=build)), dtype=torch.float32)
            result = observe(call).result
            if isinstance(result, Raised | Absent | Opaque):
                raise _NoDataError(result)
            return result

        for number, fact in enumerate(facts):
            try:
                said = fact.holds(ask)
            except _NoDataError as error:
                return _Seen(number, str(error), error.shown, error.raised)
            if said:
                return _Seen(number, said, said)
        return _Seen(len(facts))


def _unheld(fact: Fact) -> str:
    return f"this does not hold: {fact.says}"
