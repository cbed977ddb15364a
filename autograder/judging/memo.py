"""Passed checks, by the answers they were passed with: the same answers, bit for bit, pass again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from autograder.calls.target import Variable
from autograder.compare.evidence import Seen
from autograder.core.errors import CheckFailed
from autograder.core.records import CheckResult
from autograder.core.submission import Submission
from autograder.suite.check import Check, Grading

if TYPE_CHECKING:
    from autograder.sandbox.tape import RecordedCall
    from autograder.sandbox.wire import Question

VARIANTS = 4
"""The most sets of answers that are kept for a check; each takes as much memory as its calls and answers."""


@runtime_checkable
class Recording(Variable, Protocol):
    """A target that keeps its answers, knows them by digest, and can be asked ahead of a check."""

    recorded: list[RecordedCall]

    def replay(self, tape: Iterable[RecordedCall]) -> None:
        """Answer the calls on `tape` from there, instead of running the code again."""

    def ahead(self, chapter: str, asked: Question) -> bytes | None:
        """Ask now what the next check will ask; return the digest of the answer, None if there is none."""

    def trail(self) -> list[tuple[Question, bytes]]:
        """Return what was observed since the last call of `trail`, with the digests of the answers."""

    def variant(self, submission: Submission) -> Recording:
        """Return a target for another text of the submission, whose answers are kept with those of this one."""


@dataclass(frozen=True)
class Passed:
    """A check that was passed, and what was seen meanwhile."""

    result: CheckResult
    agreed: tuple[Seen, ...]


@dataclass
class Memo:
    """What checks ask, and which answers have passed; for one course and one seed.

    A check is a fixed procedure: its next question, and its verdict, depend only on the answers so far and on the
    trained models that were handed in.
    """

    _steps: dict[tuple[str, str, tuple[bytes, ...]], Question | Passed] = field(default_factory=dict)
    _variants: Counter[tuple[str, str]] = field(default_factory=Counter)

    def passed(self, check: Check, grading: Grading) -> CheckResult | None:
        """Return the result of a check whose answers have passed before; None if it must run."""
        target, start = grading.target, grading.artefacts(check)
        if not isinstance(target, Recording) or (check.chapter, check.name, start) not in self._steps:
            return None
        try:
            grading.gate(check)
        except CheckFailed:
            return None
        step = self._walk(check, target, start)
        if step is None:
            return None
        target.trail()
        grading.evidence(check).agreed.extend(step.agreed)
        return step.result

    def _walk(self, check: Check, target: Recording, answers: tuple[bytes, ...]) -> Passed | None:
        while not isinstance(step := self._steps.get((check.chapter, check.name, answers)), Passed):
            answer = target.ahead(check.chapter, step) if step else None
            if answer is None:
                return None
            answers += (answer,)
        return step

    def learn(self, check: Check, grading: Grading, result: CheckResult, agreed: Sequence[Seen]) -> None:
        """Remember a check that has run, if it passed."""
        if not isinstance(grading.target, Recording):
            return
        trail, place = grading.target.trail(), (check.chapter, check.name)
        if result.status != "passed" or self._variants[place] >= VARIANTS:
            return
        self._variants[place] += 1
        start = grading.artefacts(check)
        answers = start + tuple(answer for _, answer in trail)
        for number, (asked, _) in enumerate(trail, len(start)):
            self._steps.setdefault((*place, answers[:number]), asked)
        self._steps[(*place, answers)] = Passed(result, tuple(agreed))
