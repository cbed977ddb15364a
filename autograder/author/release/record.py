"""Record the plans of a chapter's checks: the calls that they make and the answers to them."""

from __future__ import annotations

import hashlib
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec
import torch

from autograder.calls.local import LocalTarget
from autograder.calls.records import Call, Observation, tensors
from autograder.compare.compare import difference
from autograder.compare.draw import Draw
from autograder.compare.locks import Mark, lock, sealed
from autograder.compare.mistaken import Mistaken
from autograder.compare.oracle import Oracle, digest
from autograder.compare.recording import Asked, Mistake, Notes, Writer
from autograder.compare.sealed import drawing
from autograder.compare.vault import salt_of
from autograder.core.records import CheckResult, SubmissionResult
from autograder.core.submission import ChapterSource, Submission, one_chapter
from autograder.course.course import Course
from autograder.course.model import Misconception
from autograder.intake.artefacts import of_course
from autograder.judging.judge import Job, judge
from autograder.sandbox.nodes import ProtocolError
from autograder.suite.check import Check
from autograder.suite.faults import ExposesTooLittle
from autograder.suite.plan import Plan, PlannedCall, Step
from autograder.suite.suites import Suites, with_suites

Verdicts = Mapping[tuple[str, str], CheckResult]
"""The results of checks, by who answered ("" for the solution, else a mistake's id) and by the check's name."""


@dataclass(frozen=True)
class Cut(Course):
    """A course with its suites in another folder."""

    suites: Path = Path()

    @property
    def suites_dir(self) -> Path:
        return self.suites


class RecordingOracle(Oracle):
    """Answers as the course does, but for calls that no check makes, and keeps what checks draw."""

    def __init__(self, course: Course, seed: int) -> None:
        super().__init__(course)
        self.seed = seed
        self.drawn: dict[str, dict[str, torch.Tensor]] = {}

    def draw(self, seed: int, check: str) -> Draw:
        self.drawn[check] = {}
        return _RecordedDraw(seed, check, self.drawn[check])

    def reference(self, chapter: str, exercise: str) -> None:
        """Return None: a sealed release has no reference, and checks must give the same results without it."""


class _RecordedDraw(Draw):
    def __init__(self, seed: int, check: str, drawn: dict[str, torch.Tensor]) -> None:
        super().__init__(seed, check)
        self._made = drawn

    def _drawn(self, make: Callable[[], torch.Tensor]) -> torch.Tensor:
        made = make()
        self._made[drawing(len(self._made), made)] = made.clone()
        return made


@dataclass(frozen=True)
class Compiled:
    """The plans of a chapter's checks with one seed."""

    oracle: RecordingOracle
    plans: Mapping[Check, Plan]

    @classmethod
    def of(cls, course: Course, chapter: str, seed: int) -> Compiled:
        oracle, plans = RecordingOracle(course, seed), dict[Check, Plan]()

        def keep(suites: Suites) -> None:
            plans.update((check, suites.plan(check, seed)) for check in suites.checks)

        with_suites(course, [course.suite(chapter)], oracle, seed, keep)
        return cls(oracle, plans)

    def drawn(self) -> Iterator[tuple[str, Mapping[str, torch.Tensor]]]:
        """Yield what each check draws, by seed and check."""
        for check in self.plans:
            yield f"{self.oracle.seed}/{check.key}", self.oracle.drawn.get(check.key, {})


def is_recordable(plan: Plan) -> bool:
    """Return whether a check can be played without the reference: its calls are data, and so is all it compares."""
    if plan.error or any(isinstance(step.fault, ExposesTooLittle) for step in plan.steps):
        return False
    writer = Writer()
    try:
        for each in _planned(plan.steps):
            writer.call(each.call)
    except ProtocolError:
        return False
    return True


def _planned(steps: Iterable[Step]) -> Iterator[PlannedCall]:
    """Yield the calls of steps in the order in which a check plans them."""
    for step in steps:
        yield from step.calls
        yield from _planned(step.otherwise or ())


def mistakes(course: Course, chapter: str) -> tuple[Misconception, ...]:
    """Return all known mistakes of a chapter, pairs last."""
    return (*course.misconceptions(chapter), *course.pairs(chapter))


def verdicts(
    course: Course,
    chapter: str,
    seed: int,
    oracle: Oracle,
    answers: Iterator[Job],
    step: Callable[[SubmissionResult], None],
) -> Verdicts:
    """Return the results of the checks of `course` on `answers`."""
    found: list[SubmissionResult] = []

    def keep(result: SubmissionResult) -> None:
        found.append(result)
        step(result)

    judge(course, course.of(chapter), answers, seed, keep, oracle=oracle)
    return {
        (result.student, check.name): check
        for result in found
        for exercise in result.exercises
        for check in exercise.checks
    }


def answers(course: Course, chapter: str, known: Oracle, exercises: set[str]) -> Iterator[Job]:
    """Yield the solution, then every known mistake in one of `exercises` by itself."""
    solution = one_chapter("", chapter, course.solution(chapter).read_text("utf-8"), of_course(course, chapter))
    yield solution, LocalTarget(solution)
    for mistake in mistakes(course, chapter):
        if mistake.exercise in exercises:
            source = ChapterSource(chapter, f"{mistake.exercise} = None\n", f"{chapter}.py")
            handed_in = Submission(mistake.identifier, {chapter: source}, only=(mistake.exercise,))
            yield handed_in, Mistaken(known, mistake)


@contextmanager
def cut_course(course: Course, chapter: str, suite: str) -> Iterator[Course]:
    """Yield the course with this chapter only, and with `suite` as the text of its suite."""
    with tempfile.TemporaryDirectory(prefix="attend-release-") as folder:
        (Path(folder) / f"test_{chapter}.py").write_text(suite, encoding="utf-8")
        yield Cut(course.root, (chapter,), Path(folder))


@dataclass(frozen=True)
class Taken:
    """A call that checks make: its record, its right answer, and what each known mistake shows."""

    asked: Asked
    call: Call
    right: Observation
    wrong: Mapping[str, Observation]


def notes(
    course: Course, chapter: str, exercise: str, compiled: Sequence[Compiled], writer: Writer
) -> tuple[Notes, Sequence[Taken]]:
    """Return the record of one exercise, with its calls."""
    known = [each for each in mistakes(course, chapter) if each.exercise == exercise]
    found, taken = Notes([], {}, {}), list[Taken]()
    for made in compiled:
        for check, plan in made.plans.items():
            if check.exercise != exercise:
                continue
            place = f"{made.oracle.seed}/{check.key}"
            numbers: dict[bytes, int] = {}
            for call, right in ((replace(each.call, room=None), each.right) for each in _planned(plan.steps)):
                same = digest(call)
                if same not in numbers:
                    numbers[same] = len(taken)
                    wrong = zip([each.identifier for each in known], made.oracle.wrong(known, call), strict=True)
                    asked = Asked(check.key, made.oracle.seed, writer.call(call), writer.seen(right), [])
                    taken.append(Taken(asked, call, right, dict(wrong)))
                    found.signatures.update(_signatures(made.oracle, chapter, call))
                found.plans.setdefault(place, []).append(numbers[same])
    found.asked.extend(each.asked for each in taken)
    return found, taken


def _signatures(oracle: Oracle, chapter: str, call: Call) -> dict[str, list[str]]:
    """Return the names of the parameters of what a call calls, by method."""
    method = (call.build.method or "forward") if call.build else ""
    return {each: [*oracle.parameters(chapter, call.name, each)] for each in (method, "")}


def locked_up(
    chapter: str, known: Sequence[Misconception], taken: Mapping[str, Sequence[Taken]], writer: Writer, secret: bytes
) -> list[bytes]:
    """Return the sealed records of known mistakes, and add the locks that open them to the calls.

    Args:
        chapter: the stem of the chapter.
        known: the known mistakes, in the order of their numbers.
        taken: the calls of each exercise.
        writer: holds everything that students may read; nothing more is added to it.
        secret: bytes that students do not have. The keys are made from it instead of at random, so that a course
            always gives the same files.
    """
    closed: list[bytes] = []
    for number, mistake in enumerate(known):
        rows = taken[mistake.exercise]
        plain = zlib.compress(msgspec.msgpack.encode(_record(mistake, rows, writer)))
        key = hashlib.blake2b(plain, key=secret, digest_size=32).digest()
        closed.append(sealed(key, plain))
        salt, single = salt_of(chapter, mistake.exercise), "+" not in mistake.identifier
        for row in rows:
            wrong = row.wrong[mistake.identifier]
            if made := lock(row.right, wrong, number, key, salt, closed[-1], single=single):
                row.asked.locks.append(made)
    return closed


def _record(mistake: Misconception, rows: Sequence[Taken], writer: Writer) -> Mistake:
    shown = [row.wrong[mistake.identifier] for row in rows]
    departs = [difference(row.right, wrong) is not None for row, wrong in zip(rows, shown, strict=True)]
    marks = [Mark.of(wrong) if other else None for other, wrong in zip(departs, shown, strict=True)]
    own = Writer(writer)
    example = _example(rows, marks)
    if example >= 0:
        own.seen(shown[example])
    sheet = own.file({}, {})
    return Mistake(mistake.identifier, mistake.says, mistake.advice, marks, example, sheet, mistake.cure)


def _example(rows: Sequence[Taken], marks: Sequence[Mark | None]) -> int:
    """Return the number of the smallest call with arguments that reveals the mistake; -1 if none does."""
    sizes = {
        number: sum(tensor.numel() for tensor in tensors(row.call.args))
        for number, (row, mark) in enumerate(zip(rows, marks, strict=True))
        if mark and row.call.args
    }
    return min(sizes, key=lambda number: sizes[number], default=-1)
