"""Run a chapter's checks, and record the calls that they make and the answers to them."""

from __future__ import annotations

import hashlib
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec
import torch

from autograder.calls.local import LocalTarget
from autograder.calls.records import Call, Observation, duplicate, tensors
from autograder.compare.compare import difference
from autograder.compare.describe import argument_names
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
from autograder.internals.grading_mode import grading_mode
from autograder.judging.judge import Job, judge
from autograder.sandbox.nodes import ProtocolError

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
    """Answers as the course does, and records what checks ask and draw; checks it cannot record are `unfit`."""

    def __init__(self, course: Course, seed: int) -> None:
        super().__init__(course)
        self.seed = seed
        self.calls: dict[str, dict[bytes, Call]] = {}
        self.drawn: dict[str, dict[str, torch.Tensor]] = {}
        self.unfit: set[str] = set()
        self._check = ""
        self._announced: set[bytes] = set()

    def draw(self, seed: int, check: str) -> Draw:
        self._check = check
        return _RecordedDraw(seed, check, self.drawn.setdefault(check, {}), self.unfit)

    def reference(self, chapter: str, exercise: str) -> None:
        """Return None: a sealed release has no reference, and checks must give the same results without it."""

    def asked(self, check: str, call: Call) -> Call:
        copy = duplicate(call)
        same = digest(copy)
        self._announced.add(same)
        self.calls.setdefault(check, {}).setdefault(same, copy)
        return copy

    def right(self, chapter: str, call: Call) -> Observation:
        self._watch(call)
        return super().right(chapter, call)

    def wrong(self, known: Sequence[Misconception], call: Call) -> list[Observation]:
        self._watch(call)
        return super().wrong(known, call)

    def _watch(self, call: Call) -> None:
        """Mark the check unfit if `asked` did not announce the call: it then depends on a student's answer."""
        if self.digest(call) not in self._announced:
            self.unfit.add(self._check)


class _RecordedDraw(Draw):
    def __init__(self, seed: int, check: str, drawn: dict[str, torch.Tensor], unfit: set[str]) -> None:
        super().__init__(seed, check)
        self._made, self._unfit, self._check, self._number = drawn, unfit, check, 0

    def _drawn(self, make: Callable[[], torch.Tensor]) -> torch.Tensor:
        made = make()
        kept = self._made.setdefault(drawing(self._number, made), made.clone())
        if not torch.equal(kept, made):
            self._unfit.add(self._check)
        self._number += 1
        return made


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

    with _fresh_suite(chapter), grading_mode():
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


@contextmanager
def _fresh_suite(chapter: str) -> Iterator[None]:
    """Allow a suite to be loaded although one of the same name may have been loaded before."""
    name, path = f"test_{chapter}", [*sys.path]
    kept = sys.modules.pop(name, None)
    try:
        yield
    finally:
        sys.path[:] = path
        sys.modules.pop(name, None)
        if kept is not None:
            sys.modules[name] = kept


@dataclass(frozen=True)
class Taken:
    """A call that checks make: its record, its right answer, and what each known mistake shows."""

    asked: Asked
    call: Call
    right: Observation
    wrong: Mapping[str, Observation]


def notes(
    course: Course, chapter: str, exercise: str, oracles: Sequence[RecordingOracle], writer: Writer
) -> tuple[Notes, Sequence[Taken]]:
    """Return the record of one exercise, with its calls; a call that cannot be written makes its check `unfit`."""
    known = [each for each in mistakes(course, chapter) if each.exercise == exercise]
    taken: list[Taken] = []
    states: dict[str, int] = {}
    signatures: dict[str, list[str]] = {}
    for oracle in oracles:
        for check, call in [(check, call) for check, calls in oracle.calls.items() for call in calls.values()]:
            if call.name != exercise:
                continue
            try:
                number = writer.call(call)
            except ProtocolError:
                oracle.unfit.add(check)
                continue
            right = oracle.right(chapter, call)
            wrong = dict(zip([each.identifier for each in known], oracle.wrong(known, call), strict=True))
            asked = Asked(check, oracle.seed, number, writer.seen(right), [])
            taken.append(Taken(asked, call, right, wrong))
            method = (call.build.method or "forward") if call.build else ""
            for each in {method, ""}:
                signatures[each] = list(argument_names(oracle.function(chapter, exercise), each))
            if call.build is not None and call.build.state:
                key = digest((call.build.args, dict(call.build.kwargs))).hex()
                states[key] = writer.value({name: _without_numbers(each) for name, each in call.build.state.items()})
    return Notes([each.asked for each in taken], states, signatures), taken


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


def _without_numbers(value: torch.Tensor) -> torch.Tensor:
    """Return a float tensor without its numbers, as drawing it again takes only its shape; return integers as given."""
    return value.to("meta") if value.is_floating_point() else value
