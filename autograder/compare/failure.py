"""A call that failed, and what a student reads of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import torch

from autograder.calls.records import Call, Data, Observation, Raised
from autograder.compare.alike import numbers_in
from autograder.compare.companions import companions
from autograder.compare.compare import UNFIT
from autograder.compare.describe import Names
from autograder.compare.difference import Difference, Stated, Words
from autograder.compare.refusals import refusal
from autograder.compare.torch_errors import trouble
from autograder.compare.weight import ENOUGH, entries_of, guessed, is_common
from autograder.compare.words import words
from autograder.core.errors import CheckFailed
from autograder.core.message import Line, Message
from autograder.course.model import Misconception
from autograder.source.parameter_order import ADVICE


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
        return self.weight >= ENOUGH

    @cached_property
    def weight(self) -> int:
        """How many distinct numbers the wrong answer has; none if they are the right ones."""
        wrong, right = numbers_in(self.seen.got), numbers_in(self.expected)
        same = len(wrong) == len(right) and torch.equal(wrong, right)
        return 0 if same else len(set(wrong[wrong.isfinite()].tolist()))

    @property
    def is_drawable(self) -> bool:
        """Whether single numbers are wrong."""
        return self.exact and self.found.stage == "values"

    @property
    def changed(self) -> Data:
        """What is wrong: the result, or the arguments if they are."""
        got = self.seen.got
        return got.arguments if self.found.stage == "arguments" else got.result

    @property
    def suggests(self) -> bool:
        """Whether it shows so little, one value or an error that many mistakes raise, that its cause is a guess."""
        got = self.seen.got.result
        if isinstance(got, Raised):
            own = isinstance(self.found, Difference) and self.found.rule == "raised"
            return own and is_common(f"{got.kind}: {got.message}")
        return self.found.stage == "values" and not self.telling and entries_of(got) < ENOUGH

    def verdict(self, causes: Sequence[Misconception], order: str = "", *, doubtful: bool = False) -> CheckFailed:
        """Return what the student reads. It names the first of `causes`, or `order`: parameters in the wrong order.

        Args:
            doubtful: whether that cause is a guess.
        """
        got, found = self.seen.got, words(self.found, self.seen.names)
        told = refusal(self.seen.call, self.expected, self.found, self.seen.names)
        headline, advice = told or f"{found.headline}{self._beside}", found.advice or self.hint
        refuses = isinstance(self.expected.result, Raised)  # then an error is not the trouble, but its kind
        if not refuses and (plain := trouble(self.seen.call, got, self.found, found, self.seen.names)):
            headline, advice = plain
        if causes:
            says = guessed(causes[0].says) if doubtful else causes[0].says
            headline, advice = " ".join(filter(None, [says, self._shown(found)])), causes[0].advice
        if order:
            headline, advice = order, ADVICE
        raised = got.result if isinstance(got.result, Raised) else None
        stopped = got.gradients if self.found.stage == "gradients" else raised
        line = Line.of(stopped.line, stopped.source) if isinstance(stopped, Raised) else None
        message = Message(headline, self.called, found.expected, found.got, advice, line, found.wrong)
        broke = raised and raised.kind not in UNFIT and not isinstance(self.expected.result, Raised)
        return CheckFailed("error" if broke else "failed", message, [cause.identifier for cause in causes])

    @property
    def _beside(self) -> str:
        if isinstance(self.found, Stated):
            return ""
        return companions(self.expected, self.seen.got, self.found, self.seen.names)

    def _shown(self, described: Words) -> str:
        """Return the effect of a named mistake in brackets, or "" where the lines below it are clearer."""
        got, found = self.seen.got.result, self.found
        if isinstance(got, Raised) and found.stage == "outcome" and got.kind not in UNFIT:
            return f"(it raised {got.kind})"
        return "" if found.stage == "values" and not self.exact else f"({described.headline})"
