"""Facts about an object whose design is up to the student, checked one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import NamedTuple

import torch

from autograder.calls.records import Absent, Build, Call, Data, Observation, Opaque, Raised
from autograder.compare.compare import LENIENT, apart
from autograder.compare.describe import Names, describe
from autograder.compare.difference import unheld
from autograder.compare.oracle import digest
from autograder.compare.weight import guessed, is_common
from autograder.core.errors import BrokenCheckError, CheckFailed
from autograder.core.message import Message
from autograder.course.model import Misconception
from autograder.suite.check import Check, Grading
from autograder.suite.live_calls import Student

Ask = Callable[..., Data]
"""Calls the built object with these arguments, or its `method`.

With `drawn`, the seed of random numbers for its parameters: fresh ones may be so small that a wrong part hardly shows.
"""


Observe = Callable[[Call], Observation]


class Fact(NamedTuple):
    """One fact; `holds` gets an `Ask`, and returns "" or what is the case instead. The student reads the other two."""

    says: str
    holds: Callable[[Ask], str]
    advice: str = ""


class _NoDataError(Exception):
    """The object could not be built, or gave no data; `shown` is what the student reads."""

    def __init__(self, result: Raised | Absent | Opaque) -> None:
        super().__init__(f"{result.kind}: {result.message}" if isinstance(result, Raised) else repr(result))
        self.raised = isinstance(result, Raised)
        self.shown = f"{'it raised ' if self.raised else ''}{describe(result, Names())}"


class _LostError(Exception):
    """A call gave no answer."""


class _Seen(NamedTuple):
    """The number of the first fact that does not hold, what is the case instead, and how the student reads that."""

    wrong: int
    instead: str = ""
    shown: str = ""
    raised: bool = False


@dataclass
class Facts:
    """Checks facts about the student's exercise, and names a known mistake that breaks the same fact the same way."""

    grading: Grading
    check: Check
    student: Student

    def __call__(self, *facts: Fact, build: tuple[Data, ...] = ()) -> None:
        """Check `facts` about the object that the exercise builds.

        Raises:
            CheckFailed: one of them does not hold.
        """
        seen = self._seen(facts, build, self._observed)
        if seen.wrong == len(facts):
            return
        self._refuse_broken(facts, build)
        fact, named = facts[seen.wrong], self._named(facts, build, seen)
        headline, advice = unheld(fact.says), fact.advice
        if named:
            says, advice = named[0].says, named[0].advice
            headline = f"{guessed(says)} ({seen.shown})" if seen.raised and is_common(seen.instead) else says
        message = Message(headline, expected=fact.says, got=seen.shown, advice=advice)
        broke = seen.raised and not named
        raise CheckFailed("error" if broke else "failed", message, [each.identifier for each in named])

    def _observed(self, call: Call) -> Observation:
        seen = self.student.observe(call)
        self.student.refuse_hollow(seen.result)
        return seen

    def _named(self, facts: Sequence[Fact], build: tuple[Data, ...], seen: _Seen) -> list[Misconception]:
        """Return the known mistakes that break the same fact in the same way, and of the facts after it the same ones.

        An answer that hangs on chance is no mistake's that does not.
        """
        if self.grading.course.is_sealed:
            return []
        known = self.grading.course.misconceptions(self.check.chapter)
        own = [each for each in known if each.exercise == self.check.exercise]
        alike = [each for each in own if self._seen(facts, build, self._mistaken(each))[:2] == seen[:2]]
        later = facts[seen.wrong :]
        with suppress(_LostError):
            broken = self._broken(later, build, self._glimpsed) if alike else []
            alike = [each for each in alike if self._broken(later, build, self._mistaken(each)) == broken]
        return alike

    def _refuse_broken(self, facts: Sequence[Fact], build: tuple[Data, ...]) -> None:
        """Check that the facts hold for the reference.

        Raises:
            BrokenCheckError: one of them does not.
        """
        if self.grading.course.is_sealed:
            return
        right = self._seen(facts, build, lambda call: self.grading.oracle.right(self.check.chapter, call))
        if right.instead:
            raise BrokenCheckError(f"a fact does not hold for the reference: {right.instead}")

    def _broken(self, facts: Sequence[Fact], build: tuple[Data, ...], observe: Observe) -> list[bool]:
        """Return which facts do not hold, and whether the last answer with drawn parameters hangs on chance."""
        drawn: list[tuple[Call, Observation]] = []

        def watched(call: Call) -> Observation:
            seen = observe(call)
            if call.build and call.build.state:
                drawn[:] = [(call, seen)]
            return seen

        ask = self._asking(build, watched)
        broken = [bool(_found(fact, ask)) for fact in facts]
        for call, seen in drawn:
            broken.append(apart(seen.result, observe(replace(call, seed=call.seed + 1)).result, LENIENT) is not None)
        return broken

    def _glimpsed(self, call: Call) -> Observation:
        seen = self.student.glimpse(call)
        if seen is None:
            raise _LostError
        return seen

    def _mistaken(self, mistake: Misconception) -> Callable[[Call], Observation]:
        return lambda call: self.grading.oracle.wrong([mistake], call)[0]

    def _seen(self, facts: Sequence[Fact], build: tuple[Data, ...], observe: Observe) -> _Seen:
        ask = self._asking(build, observe)
        for number, fact in enumerate(facts):
            try:
                instead = fact.holds(ask)
            except _NoDataError as error:
                return _Seen(number, str(error), error.shown, error.raised)
            if instead:
                return _Seen(number, instead, instead)
        return _Seen(len(facts))

    def _asking(self, build: tuple[Data, ...], observe: Observe) -> Ask:
        """Return what calls the object that is built."""
        states: dict[int, dict[str, torch.Tensor]] = {0: {}}
        answers: dict[bytes, Data | Raised | Absent | Opaque] = {}

        def ask(*args: Data, method: str = "", drawn: int = 0) -> Data:
            if drawn not in states:
                made = observe(replace(self.check.call(build, {}, None), dtype=torch.float32, once=True)).result
                states[drawn] = _redrawn(made, drawn)
            how = Build(args=build, state=states[drawn], method=method)
            call = replace(self.check.call(args, {}, how), dtype=torch.float32)
            same = digest(call)
            if same not in answers:  # many facts are about one answer, and the first shows whether it stays the same
                answers[same] = observe(replace(call, once=bool(answers))).result
            result = answers[same]
            if isinstance(result, Raised | Absent | Opaque):
                raise _NoDataError(result)
            return result

        return ask


def _found(fact: Fact, ask: Ask) -> str:
    """Return what is the case instead of a fact, which may ask more than answers of another form can tell."""
    try:
        return fact.holds(ask)
    except _LostError:
        raise
    except Exception as error:
        return type(error).__name__


def _redrawn(made: object, seed: int) -> dict[str, torch.Tensor]:
    """Return the state of a module with random parameters; an empty one for what is no module."""
    if not isinstance(made, dict) or not isinstance(made.get("learning"), list):
        return {}
    random = torch.Generator().manual_seed(seed)
    state = {name: value for name, value in made.items() if isinstance(value, torch.Tensor)}
    names = [name for name in made["learning"] if name in state]
    drawn = {each: torch.randn(state[each].shape, generator=random, dtype=state[each].dtype) for each in names}
    return {**state, **drawn}
