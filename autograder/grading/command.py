"""`attend grade`: read a class, grade it, write everything down as it comes, and be able to go on."""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import msgspec
from rich.console import Console

from autograder import __version__, files
from autograder.course import Course, Exercise
from autograder.errors import AttendError, UsageError
from autograder.grading.coordinator import Coordinator
from autograder.grading.intake import Entry, find_submissions, read_submission
from autograder.grading.judge_process import Hand, Orders
from autograder.grading.outputs import (
    JOURNAL,
    drop_result,
    faults,
    prepare_out,
    read_result,
    result_path,
    summary_table,
    write_csv,
    write_result,
)
from autograder.grading.pages import write_feedback, write_report
from autograder.progress import steps
from autograder.records import SubmissionResult
from autograder.sandbox import launch
from autograder.submission import Submission

NO_ROOM = (errno.ENOSPC, errno.EDQUOT)


class Journal(msgspec.Struct, frozen=True):
    """What the results in a folder were made of; a rerun keeps those that would come out the same."""

    course: str
    seed: int
    submissions: dict[str, str]


@dataclass
class Class:
    """The submissions of one run, by the stem of their result files."""

    course: Course
    out: Path
    exercises: Sequence[Exercise]
    journal: Journal
    stems: dict[str, str] = field(default_factory=dict)
    submissions: list[Submission] = field(default_factory=list)
    results: dict[str, SubmissionResult] = field(default_factory=dict)

    def begin(self) -> None:
        """Drop outdated results, then say in the journal what all others, and those to come, are made of."""
        for student, stem in self.stems.items():
            if student not in self.results:
                drop_result(self.out, stem)
        files.write(self.out / JOURNAL, msgspec.json.format(msgspec.json.encode(self.journal), indent=2).decode())

    def accept(self, result: SubmissionResult) -> None:
        """Write one finished submission down at once, so that an interruption cannot lose it."""
        stem = self.stems[result.student]
        write_feedback(self.out, stem, result, self.course)
        write_result(self.out, stem, result)
        self.results[result.student] = result

    def finish(self) -> list[SubmissionResult]:
        """Write the tables over all finished submissions, those that the grader failed on first."""
        done = [self.results[student] for student in self.stems if student in self.results]
        done.sort(key=lambda result: result.is_final)
        write_csv(self.out, done)
        write_report(self.out, done, self.course, self.stems)
        return done


def grade_and_show(
    course: Course,
    folder: Path,
    out: Path,
    names: Sequence[str],
    jobs: int | None,
    sandbox: str,
    seed: int | None,
    console: Console,
) -> int:
    """Grade the class in `folder` into `out`; the exit status of the command."""
    exercises = course.select(names)
    if sandbox not in ("auto", "required", "off"):
        raise UsageError(f"--sandbox takes auto, required or off, not '{sandbox}'")
    entries = find_submissions(folder, course)
    try:
        prepare_out(out)
        group = _open(course, out, exercises, sandbox, seed, entries, console)
        interrupted = _grade(group, sandbox, jobs, console)
        return _close(group, interrupted, console)
    except UsageError as error:
        if not isinstance(error.__cause__, OSError) or error.__cause__.errno not in NO_ROOM:
            raise
        says = f"stopped: there is no room left in {out}; make room, and the same command goes on from what is graded"
        console.print(says, style="red", soft_wrap=True, markup=False)
        return 1


def _open(
    course: Course,
    out: Path,
    exercises: Sequence[Exercise],
    sandbox: str,
    seed: int | None,
    entries: Sequence[Entry],
    console: Console,
) -> Class:
    old = _read_journal(out, console)
    chosen = seed if seed is not None else old.seed if old else secrets.randbits(32)
    journal = Journal(_digest(course, exercises), chosen, {})
    group = Class(course, out, exercises, journal)
    for entry in entries:
        submission = read_submission(entry, course)
        group.stems[submission.student] = entry.stem
        group.submissions.append(submission)
        journal.submissions[entry.stem] = hashlib.sha256(msgspec.json.encode(submission)).hexdigest()
    if old and (old.course, old.seed) == (journal.course, journal.seed):
        for student, stem in group.stems.items():
            if old.submissions.get(stem) == journal.submissions[stem]:
                _keep(group, student, sandbox, console)
    if group.results:
        kept = f"{len(group.results)} of {len(group.stems)}"
        console.print(f"{kept} are graded already and unchanged; their results are kept")
    return group


def _keep(group: Class, student: str, sandbox: str, console: Console) -> None:
    """Take over an earlier result, unless the grader failed then or the wall was lower than is asked for now."""
    path = result_path(group.out, group.stems[student])
    if not path.exists():  # the run before did not come to it
        return
    try:
        result = read_result(path)
    except AttendError as damage:
        console.print(f"graded again: {damage}", style="yellow", soft_wrap=True, markup=False)
        return
    wanted = {"required": ("full",), "off": ("off",), "auto": ("full", "partial")}[sandbox]
    if result.is_final and result.sandbox in wanted:
        group.results[student] = result


def _read_journal(out: Path, console: Console) -> Journal | None:
    path = out / JOURNAL
    if not path.exists():
        return None
    try:
        return msgspec.json.decode(path.read_bytes(), type=Journal)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        says = f"{path} is damaged, so that nothing shows what earlier results were made of: all are graded again"
        console.print(says, style="yellow", soft_wrap=True, markup=False)
        return None


def _digest(course: Course, exercises: Sequence[Exercise]) -> str:
    """What decides a result besides the submission: the engine's version, suites, reference, stubs, the choice."""
    digest = hashlib.sha256(__version__.encode())
    for folder in (course.suites_dir, course.root / "reference", course.exercises_dir, Path(__file__).parent.parent):
        for path in sorted(folder.rglob("*.py")):
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    digest.update(repr([(exercise.chapter, exercise.name) for exercise in exercises]).encode())
    return digest.hexdigest()


def _grade(group: Class, sandbox: str, jobs: int | None, console: Console) -> bool:
    """Grade what is not done yet; whether the run was interrupted."""
    waiting = [submission for submission in group.submissions if submission.student not in group.results]
    if not waiting:
        group.begin()
        return False
    orders = Orders(group.course, group.exercises, group.journal.seed)
    try:
        with Wall(group.course, sandbox) as wall, steps(console) as progress:
            progress.console.print(f"sandbox  {wall.sentence}", markup=False)
            group.begin()
            task = progress.add_task("grading", total=len(group.submissions), completed=len(group.results))

            def accept(result: SubmissionResult) -> None:
                group.accept(result)
                progress.advance(task)

            Coordinator(orders, wall.hand, accept, progress.refresh).grade(waiting, jobs or _cores())
    except KeyboardInterrupt:
        return True
    return False


class Wall:
    """The template that all judges share, and how far its sandbox holds. Torch is loaded while it starts."""

    def __init__(self, course: Course, level: str) -> None:
        started = launch.start(course.root, walled=level != "off", meanwhile=_load_torch)
        from autograder.sandbox.doctor import prepare, verdict

        self._template, tier = prepare(level, course.root, started)
        self._tier = tier.name
        self.sentence = verdict(tier, started.reason)

    def hand(self) -> Hand:
        """What a judge makes its targets with."""
        from autograder.sandbox.target import SandboxTarget

        self._template.revive()
        return lambda submission: SandboxTarget(self._template, submission, name=self._tier)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._template.close()


def _load_torch() -> None:
    from autograder.judge import warm_up

    warm_up()


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _close(group: Class, interrupted: bool, console: Console) -> int:
    done = group.finish()
    if done:
        console.print(summary_table(done))
        console.print(f"report   {group.out / 'report.html'}", soft_wrap=True, markup=False)
        console.print(f"grades   {group.out / 'grades.csv'}", soft_wrap=True, markup=False)
    faulty = faults(done)
    if faulty:
        console.print(faulty, style="red", soft_wrap=True, markup=False)
    if interrupted:
        console.print(
            f"stopped: {len(done)} of {len(group.submissions)} are graded and kept; the same command goes on from here"
        )
    return 1 if interrupted or faulty else 0
