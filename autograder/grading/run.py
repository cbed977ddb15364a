"""`attend grade`: read a class, grade it, and keep every result as it comes, so that an interrupted run can go on."""

from __future__ import annotations

import errno
import os
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.progress import Progress

from autograder.classroom import policy
from autograder.classroom.register import Register
from autograder.core import interrupts
from autograder.core.errors import ClusterLostError, UsageError
from autograder.core.progress_bar import steps
from autograder.core.records import SubmissionResult
from autograder.core.submission import ChapterSource, Problem, Submission
from autograder.core.text import one_line
from autograder.course.course import Course
from autograder.course.model import Exercise
from autograder.grading.admit import unwanted
from autograder.grading.bounded import BOUNDS, Bounds, NotDoneError, bounded, each_bounded
from autograder.grading.class_session import TIERS, Session
from autograder.grading.digests import look
from autograder.grading.seeds import seeded
from autograder.grading.store import DamagedStoreError, Store
from autograder.intake.chapter_source import manifest_of
from autograder.intake.submissions import HandIn, read_submission
from autograder.judging.cluster.connection import Cluster
from autograder.judging.cluster.pool import Pool
from autograder.judging.coordinator import Coordinator, graders_fault
from autograder.judging.process import Orders
from autograder.judging.wall import Wall
from autograder.report.outputs import STORE, faults, prepare_out, summary_table
from autograder.report.unread import what_waits
from autograder.sandbox.launch import Loading
from autograder.sandbox.limits import DEFAULT_LIMITS, Limits

NO_ROOM = (errno.ENOSPC, errno.EDQUOT)

INTERRUPTED = 130  # the status of a command that Ctrl-C stopped with nothing done
PATIENCE = 2.0  # seconds without a bar


class GradingOptions(NamedTuple):
    """How to grade a class.

    Args:
        jobs: submissions at a time; None for one per core.
        cluster: the address of a dask scheduler; None to grade on this machine.
        budget: seconds for one chapter of one submission.
        seed: the seed of all inputs; None for that of each submission's last run, or a new one.
        private: files and folders that no submission may see.
    """

    jobs: int | None = None
    sandbox: str = "auto"
    cluster: str | None = None
    budget: float = DEFAULT_LIMITS.budget_seconds
    seed: int | None = None
    private: tuple[Path, ...] = ()

    @property
    def limits(self) -> Limits:
        """The limits of one worker."""
        return replace(DEFAULT_LIMITS, budget_seconds=self.budget)


class GradedClass(NamedTuple):
    """A class after a run: submissions and results by the stems of their files, and the command's exit status."""

    submissions: dict[str, Submission]
    results: dict[str, SubmissionResult]
    status: int


def check_sandbox(options: GradingOptions) -> None:
    """Check the level of the sandbox.

    Raises:
        UsageError: there is no such level.
    """
    if options.sandbox not in TIERS:
        raise UsageError(f"--sandbox takes auto, required or off, not '{options.sandbox}'")


def grade_entries(
    course: Course,
    entries: Sequence[HandIn],
    out: Path,
    exercises: Sequence[Exercise],
    options: GradingOptions,
    console: Console,
    register: Register | None = None,
) -> GradedClass:
    """Grade these submissions on `exercises` into `out`. Verdicts on what has not changed are kept."""
    known = replace(register or Register.of({entry.stem: entry.student for entry in entries}), look=look())
    try:
        prepare_out(out)
        if register:
            policy.offer(out, exercises[0])
        fresh = secrets.randbits(32) if options.seed is None else options.seed
        chapters = tuple(dict.fromkeys(exercise.chapter for exercise in exercises))
        with _loading(course, out, options) as loading:
            read = read_class(entries, replace(course, only=chapters), console, options.jobs or _cores())
            if register and (says := unwanted(read, exercises)):
                console.print(says, style="yellow", soft_wrap=True, markup=False)

            def run(store: Store) -> GradedClass:
                submissions = seeded(read, options.seed, fresh, store)
                session = Session(course, out, exercises, fresh, options.limits, store, submissions, known)
                stop = grade(session, options, console, loading)
                return GradedClass(submissions, session.results, close(session, stop, console))

            return _with_store(out, console, run)
    except UsageError as error:
        if not isinstance(error.__cause__, OSError) or error.__cause__.errno not in NO_ROOM:
            raise
        says = f"stopped: the disk of {out} is full; free some space, and the same command goes on from what is graded"
        console.print(says, style="red", soft_wrap=True, markup=False)
        return GradedClass({}, {}, 1)


@contextmanager
def _loading(course: Course, out: Path, options: GradingOptions) -> Iterator[Loading | None]:
    """Load a template while the class is read; it is ended if nothing is left to grade. None for a cluster."""
    if options.cluster:
        yield None
        return
    loading = Loading(course.root, walled=options.sandbox != "off", private=(out, *options.private))
    try:
        yield loading
    finally:
        loading.end()


def _with_store(out: Path, console: Console, run: Callable[[Store], GradedClass]) -> GradedClass:
    """Return the result of `run`. If the store proves damaged during the run, run again with an empty one."""
    with closing(open_store(out, console)) as store:
        try:
            return run(store)
        except DamagedStoreError as error:
            damage = error
    with closing(_replaced(out / STORE, damage, console)) as store:
        return run(store)


def open_store(out: Path, console: Console) -> Store:
    """Return the store in `out`, or an empty one in its place if it is damaged."""
    path = out / STORE
    try:
        return Store(path)
    except DamagedStoreError as damage:
        return _replaced(path, damage, console)


def _replaced(path: Path, damage: DamagedStoreError, console: Console) -> Store:
    """Replace a damaged store by an empty one, and print that."""
    says = f"{path} is damaged ({one_line(str(damage), 200)}), so earlier results cannot be used: all are graded again"
    console.print(says, style="yellow", soft_wrap=True, markup=False)
    for file in (path, *path.parent.glob(f"{path.name}-*")):
        file.unlink(missing_ok=True)
    return Store(path)


def grade(
    session: Session, options: GradingOptions, console: Console, loading: Loading | None = None
) -> KeyboardInterrupt | ClusterLostError | None:
    """Grade what is not done yet, and return what stopped it, None if all is graded."""
    session.recall(TIERS[options.sandbox])
    if session.results:
        kept = f"{len(session.results)} of {len(session.submissions)}"
        console.print(f"{kept} are graded already, and nothing that decides their results has changed")
    if len(session.results) == len(session.submissions):
        session.begin()
        return None
    try:
        with interrupts.results_kept(), steps(console) as progress:
            _work(session, options, progress, loading)
    except KeyboardInterrupt as stop:
        interrupts.forget()
        return stop
    except ClusterLostError as lost:
        console.print(str(lost), style="red", soft_wrap=True, markup=False)
        return lost
    return None


def _work(session: Session, options: GradingOptions, progress: Progress, loading: Loading | None) -> None:
    """Grade what is not done yet, here or on a cluster."""
    orders = Orders(session.course, session.exercises, session.seed, session.limits, replies=True)
    task = progress.add_task("grading", total=len(session.submissions), start=False)

    def begin(tier: str, sentence: str) -> list[Submission]:
        progress.console.print(sentence, markup=False)
        session.tier = tier
        session.begin()
        progress.start_task(task)
        progress.update(task, completed=len(session.results))
        return session.waiting()

    def accept(result: SubmissionResult) -> None:
        progress.advance(task, session.accept(result))

    def fault(part: Submission, why: str) -> None:
        accept(graders_fault(orders, part, why))

    if options.cluster:
        with Cluster(options.cluster, orders, options.sandbox, options.jobs) as cluster:
            parts = begin(cluster.tier, f"cluster  {cluster.sentence}")
            pool = Pool(cluster, accept, fault, progress.refresh, session.keep_replies)
            pool.grade(parts)
    else:
        private = (session.out, *options.private)
        chapters = tuple(dict.fromkeys(each.chapter for each in session.exercises))
        with Wall(session.course, options.sandbox, session.limits, private, chapters, loading) as wall:
            parts = begin(wall.tier, f"sandbox  {wall.sentence}")
            coordinator = Coordinator(orders, wall.hand, accept, progress.refresh, session.keep_replies, session.tape)
            coordinator.grade(parts, options.jobs or _cores())


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def close(session: Session, stop: BaseException | None, console: Console) -> int:
    """Write the tables and pages, print a summary, and return the exit status of the command.

    Args:
        stop: what stopped the grading, None if nothing did.
    """
    with console.status("writing pages, and looking for similar answers"):
        done, out = session.finish(), session.out
    if session.results:
        console.print(summary_table(done, console.width))
        console.print(f"report   {out / 'report.html'}", soft_wrap=True, markup=False)
        console.print(f"grades   {out / 'grades.csv'}", soft_wrap=True, markup=False)
        console.print(f"students {out / 'students.html'}", soft_wrap=True, markup=False)
    faulty = faults([session.results[stem] for stem in session.submissions if stem in session.results])
    if faulty:
        console.print(faulty, style="red", soft_wrap=True, markup=False)
    if waiting := what_waits(done, out):
        console.print(waiting, style="yellow", soft_wrap=True, markup=False)
    if stop:
        says = f"stopped: {len(session.results)} of {len(session.submissions)} are graded and kept"
        console.print(f"{says}; the same command goes on from here")
    if isinstance(stop, KeyboardInterrupt) and not session.results:
        return INTERRUPTED
    return 1 if stop or faulty else 0


def read_class(entries: Sequence[HandIn], course: Course, console: Console, jobs: int = 1) -> dict[str, Submission]:
    """Return the submissions by the stems of their files, `jobs` read at a time; a progress bar if it takes long."""
    for chapter in course.chapters:
        manifest_of(course, chapter)  # once here, and not in each of the forked processes
    found, began = dict[str, Submission](), time.monotonic()
    progress = steps(console)
    try:
        task = progress.add_task("reading", total=len(entries))
        for entry, read in zip(entries, read_in_bounds(entries, course, jobs), strict=True):
            found[entry.stem] = read
            progress.advance(task)
            if time.monotonic() - began > PATIENCE:
                progress.start()
                progress.refresh()
    finally:
        if progress.live.is_started:
            progress.stop()
    return found


def read_in_bounds(
    entries: Sequence[HandIn], course: Course, jobs: int = 1, bounds: Bounds = BOUNDS
) -> Iterator[Submission]:
    """Yield what `read_submission` returns; if that goes over `bounds`, read each chapter by itself."""
    works = (partial(read_submission, entry, course) for entry in entries)
    for entry, read in zip(entries, each_bounded(works, Submission, bounds, jobs), strict=True):
        yield _by_chapter(entry, course, bounds) if isinstance(read, NotDoneError) else read


def _by_chapter(entry: HandIn, course: Course, bounds: Bounds) -> Submission:
    parts = [_chapter(entry, course, chapter, bounds) for chapter in course.chapters]
    return Submission(
        entry.student,
        {chapter: source for part in parts for chapter, source in part.chapters.items()},
        {chapter: why for part in parts for chapter, why in part.absent.items()},
        tuple(dict.fromkeys(note for part in parts for note in part.notes)),
    )


def _chapter(entry: HandIn, course: Course, chapter: str, bounds: Bounds) -> Submission:
    try:
        return bounded(partial(read_submission, entry, replace(course, only=(chapter,))), Submission, bounds)
    except NotDoneError as error:
        says = f"{chapter}: what was handed in {error}"
        return Submission(
            entry.student, {chapter: ChapterSource(chapter, "", chapter, Problem("syntax", says))}, {}, (says,)
        )
