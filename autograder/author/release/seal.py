"""Seal a release: hold back checks that cannot be recorded, record the others, and compare them with the course."""

from __future__ import annotations

import hashlib
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

from rich.console import Console
from rich.progress import Progress

from autograder.author.release.cut import Check, checks, without
from autograder.author.release.place import Files
from autograder.author.release.record import (
    RecordingOracle,
    Verdicts,
    answers,
    cut_course,
    locked_up,
    mistakes,
    notes,
    verdicts,
)
from autograder.author.release.uses import reference_files
from autograder.compare.oracles import oracle_of
from autograder.compare.recording import Writer
from autograder.compare.sealed import SealedOracle
from autograder.core.progress_bar import steps
from autograder.course.course import MARKER, Course
from autograder.course.model import Exercise, Misconception
from autograder.course.sealed_facts import FOLDER, SealedFacts
from autograder.judging.judge import Job, warm_up

SEEDS = (1, 2)
"""The seeds of the recorded inputs. A class is graded with others."""

Step = Callable[[object], None]


@dataclass(frozen=True)
class Sealed:
    """The files of a sealed release; `held_back` counts the checks that it lacks, by exercise."""

    files: Files
    held_back: Mapping[str, int]
    remarks: tuple[str, ...]


def seal(course: Course, files: Files, console: Console) -> Sealed:
    """Return `files`, a release without the reference, sealed: with the answers recorded."""
    warm_up()
    sealed = dict(files)
    sealed[PurePosixPath(MARKER)] = files[PurePosixPath(MARKER)] + b"sealed = true\n"
    counts: Counter[str] = Counter()
    remarks: list[str] = []
    with steps(console) as progress:
        for chapter in course.chapters:
            made = _Chapter(course, chapter, sealed, _step(course, chapter, progress)).seal()
            sealed |= made.files
            counts.update(made.held_back)
            remarks += made.remarks
    return Sealed(sealed, counts, tuple(remarks))


def _step(course: Course, chapter: str, progress: Progress) -> Step:
    """Return a function that advances the progress bar by one graded answer.

    Each answer is graded twice with each seed: while it is recorded, and from the record.
    """
    total = 2 * len(SEEDS) * (1 + len(mistakes(course, chapter)))
    task = progress.add_task(chapter, total=total)

    def step(_: object) -> None:
        done = progress.tasks[task].completed + 1
        progress.update(task, completed=done, total=max(total, done), refresh=True)  # further rounds grade more

    return step


class _Chapter:
    """Seals one chapter."""

    def __init__(self, course: Course, chapter: str, files: Files, step: Step) -> None:
        self._course, self._chapter, self._step = course, chapter, step
        self._files = files
        self._text = course.suite(chapter).read_text(encoding="utf-8")
        self._all = checks(self._text)
        self._suite = PurePosixPath("tests", "exercises", f"test_{chapter}.py")

    def seal(self) -> Sealed:
        """Record and replay the checks, holding back those that change, until every replay gives the same results."""
        dropped = {check.name for check in self._all if check.level == "edges" or check.uses_reference}
        dropped |= self._unforeseen(dropped)
        files, unfit = self._round(dropped)
        while unfit:
            dropped |= unfit
            files, unfit = self._round(dropped)
        apart = [check for check in self._all if check.name in dropped]
        return Sealed(files, Counter(check.exercise for check in apart), tuple(self._remarks(apart)))

    def _remarks(self, apart: Sequence[Check]) -> Iterator[str]:
        """Yield sentences about checks that the instructor may not expect to be held back."""
        more = [check.name for check in apart if check.level != "edges"]
        if len(apart) == len(self._all):
            yield f"{self._chapter}: none of its checks can be replayed, so all of them stay with you"
        elif more:
            yield f"{self._chapter}, kept back besides the edges: {', '.join(more)}"

    def _unforeseen(self, dropped: set[str]) -> set[str]:
        """Return the checks whose calls depend on a student's answer.

        They are found with the solution alone, as they may be slow.
        """
        oracle = RecordingOracle(self._course, SEEDS[0])
        if any(check.name not in dropped for check in self._all):
            self._recorded(without(self._text, dropped), oracle, set())
        return _names_of([oracle])

    def _round(self, dropped: set[str]) -> tuple[Files, set[str]]:
        """Return the chapter's files without the checks `dropped`, and the further checks that must be dropped."""
        suite = without(self._text, dropped)
        visible = {check.exercise for check in self._all if check.name not in dropped}
        oracles = [RecordingOracle(self._course, seed) for seed in SEEDS]
        recorded = [self._recorded(suite, oracle, visible) for oracle in oracles] if visible else []
        writer = Writer()
        noted = {name: notes(self._course, self._chapter, name, oracles, writer) for name in sorted(visible)}
        if unfit := _names_of(oracles):
            return {}, unfit
        drawn = {
            f"{oracle.seed}/{check}": {key: writer.value(value) for key, value in values.items()}
            for oracle in oracles
            for check, values in oracle.drawn.items()
        }
        closed = locked_up(
            self._chapter,
            self._known(visible),
            {name: taken for name, (_, taken) in noted.items()},
            writer,
            self._secret,
        )
        data = writer.file({name: exercise for name, (exercise, _) in noted.items()}, drawn, closed)
        files = self._written(suite, dropped, visible, data)
        replayed = [self._replayed(files, oracle, visible) for oracle in oracles] if visible else []
        return files, set().union(*map(_parted, recorded, replayed))

    def _recorded(self, suite: str, oracle: RecordingOracle, visible: set[str]) -> Verdicts:
        with cut_course(self._course, self._chapter, suite) as course:
            given = answers(self._course, self._chapter, oracle, visible)
            return verdicts(course, self._chapter, oracle.seed, oracle, given, self._step)

    def _known(self, visible: set[str]) -> list[Misconception]:
        """Return the known mistakes in the `visible` exercises, pairs last."""
        return [each for each in mistakes(self._course, self._chapter) if each.exercise in visible]

    @cached_property
    def _secret(self) -> bytes:
        """A digest that only the owner of the chapter's reference and known mistakes can compute."""
        found = hashlib.sha256()
        for path in reference_files(self._course, [self._chapter]):
            found.update(hashlib.sha256(path.read_bytes()).digest())
        return found.digest()

    def _written(self, suite: str, dropped: set[str], visible: set[str], data: bytes) -> Files:
        apart = [check for check in self._all if check.name in dropped]
        held_back = tuple(
            Exercise(self._chapter, name, sum(check.points for check in apart if check.exercise == name), count)
            for name, count in Counter(check.exercise for check in apart).items()
        )
        singles, pairs = (
            tuple(each for each in known(self._chapter) if each.exercise in visible)
            for known in (self._course.misconceptions, self._course.pairs)
        )
        facts = SealedFacts(SEEDS, hashlib.sha256(data).hexdigest(), singles, pairs, held_back)
        return {
            self._suite: suite.encode(),
            PurePosixPath(FOLDER, f"{self._chapter}.json"): facts.text().encode(),
            PurePosixPath(FOLDER, f"{self._chapter}.bin"): data,
        }

    def _replayed(self, files: Files, oracle: RecordingOracle, visible: set[str]) -> Verdicts:
        """Return the results of the sealed chapter, in its own folder."""
        with tempfile.TemporaryDirectory(prefix="attend-release-") as folder:
            needed = {path: data for path, data in self._files.items() if path.parts[0] in (MARKER, ".attend")}
            for path, data in (needed | files).items():
                (Path(folder) / path).parent.mkdir(parents=True, exist_ok=True)
                (Path(folder) / path).write_bytes(data)
            course = Course(Path(folder), (self._chapter,))
            sealed = oracle_of(course)
            assert isinstance(sealed, SealedOracle)
            given = _each_alone(answers(self._course, self._chapter, oracle, visible), sealed)
            return verdicts(course, self._chapter, oracle.seed, sealed, given, self._step)


def _each_alone(given: Iterator[Job], oracle: SealedOracle) -> Iterator[Job]:
    """Yield the answers, and lock the records before each: every answer must open them itself."""
    for job in given:
        oracle.forget()
        yield job


def _names_of(oracles: Sequence[RecordingOracle]) -> set[str]:
    """Return the checks that cannot be recorded."""
    return {check.partition("/")[2] for oracle in oracles for check in oracle.unfit}


def _parted(before: Verdicts, after: Verdicts) -> set[str]:
    """Return the checks that the solution fails `after`, or whose result for some answer differs from `before`."""
    failed = {name for (student, name), check in after.items() if not student and check.status != "passed"}
    return failed | {key[1] for key in {*before, *after} if before.get(key) != after.get(key)}
