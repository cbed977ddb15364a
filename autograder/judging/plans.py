"""Checks that were passed, as plans: for the next submission their calls are made and compared without pytest."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from autograder.calls.records import Observation, size_of
from autograder.calls.target import SHARED
from autograder.compare.evidence import Seen
from autograder.core.errors import CheckFailed
from autograder.core.latest import Latest
from autograder.core.records import CheckResult
from autograder.internals.compiler import without_compiler
from autograder.suite.check import Check, Grading
from autograder.suite.steps import Step
from autograder.suite.student import refuse_unusable

Plan = tuple[CheckResult, tuple[Step, ...]]
MOST = 4096
"""Answers that are remembered to have passed."""


@dataclass
class Plans:
    """What checks call, and what passes, for one course and one seed.

    A check asks every submission the same until an answer fails. So once it has passed, its steps decide whether others
    pass too; if they do not, the check itself runs, on the answers that were given already. A target may show the same
    object for equal answers; what has passed a step once is not compared again.
    """

    _known: dict[tuple[str, str], Plan] = field(default_factory=dict)
    _passed: Latest[tuple[int, ...], tuple[Step, list[Observation]]] = field(default_factory=partial(Latest, MOST))

    def passed(self, check: Check, grading: Grading) -> CheckResult | None:
        """Return the result of a check that is passed; None if it must run."""
        plan = self._known.get((check.chapter, check.name))
        if plan is None:
            return None
        result, steps = plan
        try:
            grading.gate(check)
            with without_compiler():
                agreed = [seen for step in steps for seen in self._followed(check, grading, step)]
        except Exception:  # whatever it is, the check itself tells it
            return None
        grading.ahead.clear()
        grading.evidence(check).agreed.extend(agreed)
        return result

    def learn(self, check: Check, grading: Grading, result: CheckResult) -> None:
        """Remember a check that has run, if it passed and its steps are all that it did."""
        if result.status == "passed" and grading.trace.whole and grading.trace.steps:
            self._known.setdefault((check.chapter, check.name), (result, tuple(grading.trace.steps)))

    def _followed(self, check: Check, grading: Grading, step: Step) -> list[Seen]:
        """Return what counts as evidence of a step.

        Raises:
            CheckFailed: the answers do not pass.
        """
        shown = [grading.ask_ahead(check, call, digest) for call, digest in zip(step.calls, step.digests, strict=True)]
        same = tuple(map(id, (step, *shown)))  # these are kept, so that no other object gets their ids
        if same not in self._passed:
            for seen in shown:
                refuse_unusable(seen, check.exercise)
            if not step.passes(*shown):
                raise CheckFailed("failed", "an answer differs")
        if same in self._passed or all(size_of(each) <= SHARED for each in shown):  # a larger one is never shown again
            self._passed[same] = step, shown
        names = step.names
        return [Seen(call, seen, names) for call, seen in zip(step.calls, shown, strict=True)] if names else []
