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

from autograder.author.release.cut import RULES, only, using_reference
from autograder.author.release.place import Files
from autograder.author.release.record import (
    Compiled,
    RecordingOracle,
    Verdicts,
    answers,
    cut_course,
    is_recordable,
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
from autograder.course import check_list
from autograder.course.check_list import ListedCheck
from autograder.course.course import MARKER, TABLES, Course
from autograder.course.model import Exercise, Misconception
from autograder.course.sealed_facts import FOLDER, SealedFacts
from autograder.judging.judge import Job, warm_up
from autograder.suite.check import Check

CHECKS = PurePosixPath(TABLES.as_posix(), check_list.NAME)
SEEDS = (1, 2)
"""The seeds of the recorded inputs. A class is graded with others."""

Advance = Callable[[object], None]


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
    listed: dict[str, Sequence[ListedCheck]] = {}
    sealed[PurePosixPath(MARKER)] = files[PurePosixPath(MARKER)] + b"sealed = true\n"
    counts: Counter[str] = Counter()
    remarks: list[str] = []
    with steps(console) as progress:
        for chapter in course.chapters:
            sealing = _Chapter(course, chapter, sealed, _step(course, chapter, progress))
            made = sealing.seal()
            sealed |= made.files
            listed[chapter] = sealing.listed
            counts.update(made.held_back)
            remarks += made.remarks
    suites = {chapter: sealed[_suite(chapter)].decode() for chapter in course.chapters}
    sealed[CHECKS] = check_list.table_of(suites, listed).encode()
    return Sealed(sealed, counts, tuple(remarks))


def _suite(chapter: str) -> PurePosixPath:
    return PurePosixPath("tests", "exercises", f"test_{chapter}.py")


def _step(course: Course, chapter: str, progress: Progress) -> Advance:
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

    def __init__(self, course: Course, chapter: str, files: Files, step: Advance) -> None:
        self._course, self._chapter, self._step = course, chapter, step
        self._files = files
        self._text = course.suite(chapter).read_text(encoding="utf-8")
        self._plans = Compiled.of(course, chapter, SEEDS[0]).plans
        self._all = tuple(self._plans)
        self.listed: Sequence[ListedCheck] = ()

    def seal(self) -> Sealed:
        """Record and replay the checks, holding back those that change, until every replay gives the same results."""
        foreign = using_reference(self._text)
        dropped = {check.function for check in self._all if check.function in foreign or not self._is_given(check)}
        files, unfit = self._round(dropped)
        while unfit:
            dropped |= unfit
            files, unfit = self._round(dropped)
        apart = [check for check in self._all if check.function in dropped]
        return Sealed(files, Counter(check.exercise for check in apart), tuple(self._remarks(apart)))

    def _is_given(self, check: Check) -> bool:
        return check.level != "edges" and is_recordable(self._plans[check])

    def _remarks(self, apart: Sequence[Check]) -> Iterator[str]:
        """Yield sentences about checks that the instructor may not expect to be held back."""
        more = [check.name for check in apart if check.level != "edges"]
        if len(apart) == len(self._all):
            yield f"{self._chapter}: none of its checks can be replayed, so all of them stay with you"
        elif more:
            yield f"{self._chapter}, kept back besides the edges: {', '.join(more)}"

    def _round(self, dropped: set[str]) -> tuple[Files, set[str]]:
        """Return the chapter's files without the checks `dropped`, and the further checks that must be dropped."""
        suite = only(self._text, RULES | ({check.function for check in self._all} - dropped))
        visible = {check.exercise for check in self._all if check.function not in dropped}
        with cut_course(self._course, self._chapter, suite) as cut:
            compiled = [Compiled.of(cut, self._chapter, seed) for seed in SEEDS] if visible else []
            self.listed = cut.checks[self._chapter]
            recorded = [self._recorded(cut, each.oracle, visible) for each in compiled]
        writer = Writer()
        noted = {name: notes(self._course, self._chapter, name, compiled, writer) for name in sorted(visible)}
        drawn = {
            place: {key: writer.value(value) for key, value in values.items()}
            for each in compiled
            for place, values in each.drawn()
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
        replayed = [self._replayed(files, each.oracle, visible) for each in compiled]
        return files, {name.partition("[")[0] for name in set().union(*map(_parted, recorded, replayed))}

    def _recorded(self, course: Course, oracle: RecordingOracle, visible: set[str]) -> Verdicts:
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
            _suite(self._chapter): suite.encode(),
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


def _parted(before: Verdicts, after: Verdicts) -> set[str]:
    """Return the checks that the solution fails `after`, or whose result for some answer differs from `before`."""
    failed = {name for (student, name), check in after.items() if not student and check.status != "passed"}
    return failed | {key[1] for key in {*before, *after} if before.get(key) != after.get(key)}
