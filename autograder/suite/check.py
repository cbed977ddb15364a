"""A check, its marker, and the grading it belongs to: the submission, the target it runs in, and the seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from typing import TypeVar, cast

import pytest

from autograder.calls.as_data import as_argument
from autograder.calls.records import Build, Call, Copies, Data, Observation, Opaque, Raised, leaves, mapped
from autograder.calls.target import Target
from autograder.compare.evidence import Evidence
from autograder.compare.example import Examples
from autograder.compare.oracle import Oracle
from autograder.core.errors import BrokenCheckError, CheckFailed, UsageError
from autograder.core.message import Message, still_to_do
from autograder.core.reading import text
from autograder.core.records import CheckResult, Patch, Status
from autograder.core.submission import ChapterSource, Submission
from autograder.course.check_list import LEVELS, Level
from autograder.course.course import Course
from autograder.course.model import Catalogue
from autograder.source.defined import may_define
from autograder.source.lend import called
from autograder.source.loops import owner
from autograder.source.stub import is_stub_answer, renamed

LIVE = frozenset({"student", "trained", "facts"})
"""Fixtures that call the student's code at once."""
MOST_LOSSES = 2  # behind the wall, as a busy machine may cause one; on the student's own machine the first is enough
COSTLY: dict[Status, str] = {"timeout": "ran out of time", "memory": "ran out of memory", "crash": "crashed"}

MADE_THERE = "give it plain data, or let `part(...)` make it where the student's code runs"


Tested = TypeVar("Tested", bound=Callable[..., None])


def exercise(name: str, *, points: float, level: Level) -> Callable[[Tested], Tested]:
    """Mark a test as a check of exercise `name` worth `points`; its docstring is what students read.

    With `pytest.mark.parametrize` each row of the table is a check worth that much, and `{argument}` in the docstring
    stands for its value.

    Raises:
        UsageError: there is no such level, it is worth nothing, or pytest would not run it.
    """
    if level not in LEVELS:
        raise UsageError(f"there is no level {level!r}; write one of {', '.join(LEVELS)}")
    if not (isinstance(name, str) and isinstance(points, int | float)):
        raise UsageError('write @exercise("NAME", points=NUMBER, level="values")')
    if not points > 0:
        raise UsageError(f"points={points:g} is worth nothing; give the check more, or take it out")

    def mark(test: Tested) -> Tested:
        _refuse_name(test)
        return cast(Tested, pytest.mark.exercise(name, points=points, level=level)(test))

    return mark


def _refuse_name(test: Callable[..., None]) -> None:
    name = test.__name__
    if not name.startswith("test"):
        raise UsageError(f"pytest runs no check that is called {name}; call it test_{name}")
    before = test.__globals__.get(name)
    if before is not None and test.__qualname__ == name:
        line = before.__code__.co_firstlineno
        raise UsageError(f"{name} takes the place of the check of that name in line {line}; rename one")


@dataclass(frozen=True)
class Check:
    """A graded test: its exercise, points and sentence, from its marker and its docstring."""

    chapter: str
    exercise: str
    name: str
    sentence: str
    level: str
    points: float
    forbidden: tuple[str, ...] = ()
    welcome: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    is_live: bool = False  # whether what it asks depends on the answers, so that its plan is made for each submission

    @classmethod
    def of(cls, item: pytest.Item) -> Check | None:
        """Return the check behind a collected test; None for a test without the marker."""
        mark = item.get_closest_marker("exercise")
        if mark is None or not isinstance(item, pytest.Function):
            return None
        module = item.module
        name = mark.args[0]
        return cls(
            chapter=module.__name__.rsplit(".", 1)[-1].removeprefix("test_"),
            exercise=name,
            name=item.name,
            sentence=_sentence(item),
            level=mark.kwargs["level"],
            points=mark.kwargs["points"],
            forbidden=tuple(getattr(module, "FORBIDDEN", {}).get(name, ())),
            welcome=tuple(getattr(module, "WELCOME", {}).get(name, ())),
            parts=tuple(getattr(module, "RETURNS", {}).get(name, ())),
            is_live=not LIVE.isdisjoint(item.fixturenames),
        )

    @property
    def function(self) -> str:
        """The function of the suite that makes it; with a table of arguments it makes several checks."""
        return self.name.partition("[")[0]

    @property
    def key(self) -> str:
        """What tells it from all other checks of the course."""
        return f"{self.chapter}/{self.name}"

    @property
    def hint(self) -> str:
        """The command that helps with the exercise."""
        return f"`attend hint {self.exercise}`"

    def result(
        self,
        status: Status,
        message: Message | None = None,
        misconceptions: tuple[str, ...] = (),
        patch: Patch | None = None,
        forms: tuple[str, ...] = (),
    ) -> CheckResult:
        """Return what the check came to."""
        points = self.points if status == "passed" else 0
        told = message or Message()
        own = self.name, self.sentence, self.level, points, self.points
        return CheckResult(*own, status, told, misconceptions, patch, forms=forms)

    def call(self, args: tuple[Data, ...], kwargs: Mapping[str, Data], build: Build | None, seed: int = 0) -> Call:
        """Return a call of the check's exercise, under its rules.

        Raises:
            BrokenCheckError: an argument cannot be sent to a worker.
        """
        seen: Copies = {}
        sent = mapped((args, dict(kwargs)), as_argument, seen)
        if build:
            built = mapped((build.args, dict(build.kwargs), build.earlier), as_argument, seen)
            build = replace(build, args=built[0], kwargs=built[1], earlier=built[2])
            sent = (*sent, *built)
        if odd := next((leaf for leaf in leaves(sent) if isinstance(leaf, Opaque)), None):
            raise BrokenCheckError(f"no call can be given a value of type {odd.type_name}; {MADE_THERE}")
        args, kwargs = sent[:2]
        return Call(self.exercise, args, kwargs, build, forbidden=self.forbidden, welcome=self.welcome, seed=seed)


def _sentence(item: pytest.Function) -> str:
    """Return what a check asks, in words; in a table of checks, with the arguments of its row in them."""
    words = " ".join((item.function.__doc__ or item.name).split())
    row = item.callspec.params if hasattr(item, "callspec") else {}
    for name, value in row.items():
        words = words.replace(f"{{{name}}}", str(value))
    return words


def trained_digest(source: ChapterSource) -> bytes:
    """Return a digest of what a trained model's answers depend on: its numbers, the chapter, modules beside it."""
    found = sha256(repr((source.text, sorted(source.beside.items()))).encode("utf-8", "backslashreplace"))
    for name, data in sorted(source.artefacts.items()):
        found.update(name.encode() + b"\0" + sha256(data).digest())
    return found.digest()


@dataclass
class Grading:
    """The state of one submission's grading."""

    course: Course
    submission: Submission
    target: Target
    seed: int
    oracle: Oracle
    examples: Examples = field(default_factory=Examples)
    tells: bool = True  # whether what is wrong will be read; else a verdict is all that counts
    losses: Counter[tuple[str, Status]] = field(default_factory=Counter)
    stopped_at: dict[str, int] = field(default_factory=dict)  # the line of the loop in which an exercise was stopped
    raised: Raised | None = None  # what the answer raised last in the check that runs
    _evidence: dict[str, Evidence] = field(default_factory=dict)
    _stubs: dict[str, str] = field(default_factory=dict)

    def gate(self, check: Check) -> None:
        """Refuse a check whose failure is known before anything is called.

        Raises:
            CheckFailed: the exercise is missing or has a syntax error, or earlier checks of it were too costly.
        """
        self.raised = None
        source = self.submission.chapters.get(check.chapter)
        if source is None:
            found = self.submission.absent.get(check.chapter, f"there is no file {check.chapter}.py")
            raise CheckFailed("missing", found)
        problem = source.problem or source.broken.get(check.exercise)
        if problem:
            raise CheckFailed(problem.status, Message(problem.message, line=problem.line))
        if not may_define(source, check.exercise):
            other = renamed(source.text, self.stub(check.chapter), check.exercise)
            headline = f"{source.origin} does not define {check.exercise}"
            if other:
                raise CheckFailed("missing", f"{headline}; it defines {other}: is that {check.exercise}?")
            raise CheckFailed("missing", Message(headline, advice=f"`attend hint {check.exercise}` helps to begin"))
        if is_stub_answer(source.text, self.stub(check.chapter), check.exercise):
            raise CheckFailed("missing", still_to_do(check.exercise))
        self._refuse_costly(check, source)

    def _refuse_costly(self, check: Check, source: ChapterSource) -> None:
        """Refuse a check that would probably be stopped like an earlier one.

        Raises:
            CheckFailed: it would.
        """
        here = self.target.name == "local"
        most, checks = (1, "a check") if here else (MOST_LOSSES, f"{MOST_LOSSES} checks")
        for status, words in COSTLY.items():
            if self.losses[check.exercise, status] >= most:
                raise CheckFailed(status, f"not tried: {checks} of {check.exercise} {words} before")
        slow = [name for name, status in self.losses if status == "timeout"] if here else []
        for other in called(source.text, check.exercise, slow) if slow else ():
            raise CheckFailed("timeout", f"not tried: {check.exercise} calls {other}, which ran out of time before")

    def observe(self, check: Check, call: Call) -> Observation:
        """Return what the call shows in the target; it must not be changed.

        Raises:
            CheckFailed: it shows nothing.
        """
        try:
            seen = self.target.observe(check.chapter, call)
        except CheckFailed as failed:
            self.losses[check.exercise, failed.status] += 1
            if failed.status == "timeout" and failed.message.line:
                self.stopped_at[check.exercise] = failed.message.line.number
            raise
        self.raised = seen.result if isinstance(seen.result, Raised) else self.raised
        return seen

    def raised_in(self, check: Check, raised: Raised) -> str:
        """Return the exercise of the chapter whose own line raised; "" if none did."""
        source = self.submission.chapters.get(check.chapter)
        text = source.text if source else ""
        lines = text.split("\n")
        number = raised.line or 0
        if not 0 < number <= len(lines) or lines[number - 1].strip() != raised.source.strip():
            return ""  # a line of another file
        found = owner(text, number)
        known = any((each.chapter, each.name) == (check.chapter, found) for each in self.course.exercises)
        return found if known else ""

    def evidence(self, check: Check) -> Evidence:
        """Return the evidence on the check's exercise."""
        if check.exercise not in self._evidence:
            source = self.submission.chapters.get(check.chapter)
            text = source.text if source else ""
            reference = self.oracle.reference(check.chapter, check.exercise)
            self._evidence[check.exercise] = Evidence(self.oracle, partial(self._mistakes, check), text, reference)
        return self._evidence[check.exercise]

    def _mistakes(self, check: Check) -> Catalogue:
        singles, pairs = self.course.misconceptions(check.chapter), self.course.pairs(check.chapter)
        return Catalogue(
            [each for each in singles if each.exercise == check.exercise],
            [each for each in pairs if each.exercise == check.exercise],
            [each for each in singles if each.exercise != check.exercise],
        )

    def artefact(self, check: Check, name: str) -> bytes | None:
        """Return a trained model that was handed in with the check's chapter; None if it was not."""
        source = self.submission.chapters.get(check.chapter)
        return source.artefacts.get(name) if source else None

    def artefacts(self, check: Check) -> tuple[bytes, ...]:
        """Return a digest of all trained models and of their code; an empty tuple if there are no models."""
        source = self.submission.chapters.get(check.chapter)
        return (trained_digest(source),) if source and source.artefacts else ()

    def stub(self, chapter: str) -> str:
        """Return the text of a chapter's stub; "" where there is none."""
        if chapter not in self._stubs:
            path = self.course.stub(chapter)
            self._stubs[chapter] = text(path) if path.is_file() else ""
        return self._stubs[chapter]
