"""Grade many submissions with several judges, losing nothing when one of them dies.

There are two passes: everything, with all judges; then what the machine may have spoiled, one submission at
a time with nothing else running. What comes of the second pass is final.
"""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess

from autograder.core.errors import AttendError
from autograder.core.message import Message
from autograder.core.records import CheckResult, ExerciseResult, SubmissionResult
from autograder.core.submission import Submission
from autograder.judging.process import Graded, Hand, Orders, Replies, Report, Trouble, run

MOST_FAULTS = 3  # of judges in a row, for each of them: what fails more often than that is no accident
TICK_SECONDS = 0.5


@dataclass
class Judge:
    """A judge process, its pipe, and what it is grading."""

    process: ForkProcess
    pipe: Connection
    core: int | None = None
    holds: Submission | None = None


@dataclass
class Coordinator:
    """Hands submissions to judges and results to `on_result`.

    Args:
        hire: called before each judge is forked; gives what the judge makes its targets with.
        on_result: called with each result as it comes.
        on_tick: called about twice a second.
        keep: called before `on_result`, with the submission and what its code said, if the orders ask for that.
        tape: what a submission's code said before; that is not asked again.
    """

    orders: Orders
    hire: Callable[[], Hand]
    on_result: Callable[[SubmissionResult], None]
    on_tick: Callable[[], None]
    keep: Callable[[Submission, Replies], None] = lambda *_: None
    tape: Callable[[Submission], Replies] = lambda _: ()
    _judges: list[Judge] = field(default_factory=list)
    _waiting: deque[Submission] = field(default_factory=deque)
    _doubtful: list[Submission] = field(default_factory=list)
    _faults: int = 0  # in a row
    _cores: Sequence[int] = ()  # that judges are kept on, where there is one for each core

    def grade(self, submissions: Sequence[Submission], jobs: int) -> None:
        """Grade all submissions, `jobs` at a time. On any exception the judges are stopped."""
        try:
            self._work(submissions, jobs, final=False)
            self._work(self._doubtful, 1, final=True)
        finally:
            self._dismiss()

    def _work(self, submissions: Sequence[Submission], jobs: int, *, final: bool) -> None:
        self._waiting.extend(submissions)
        self._cores = _cores(jobs)
        for _ in range(min(jobs, len(submissions))):
            self._hire()
        while self._judges:
            ready = wait([judge.pipe for judge in self._judges], TICK_SECONDS)
            for judge in [judge for judge in self._judges if judge.pipe in ready]:
                self._listen(judge, MOST_FAULTS * jobs, final=final)
            self.on_tick()

    def _hire(self) -> None:
        if not self._waiting:
            return
        context = multiprocessing.get_context("fork")
        ours, theirs = context.Pipe()
        taken = [judge.core for judge in self._judges]
        core = min(self._cores, key=taken.count, default=None)
        try:
            process = context.Process(target=run, args=(theirs, self.orders, self.hire(), core), daemon=True)
            process.start()
        except (OSError, AttendError) as error:
            if not self._judges:  # otherwise those there are go on
                self._give_up(f"no judge can be started: {error}")
            return
        finally:
            theirs.close()
        judge = Judge(process, ours, core)
        self._judges.append(judge)
        self._give(judge)

    def _give(self, judge: Judge) -> None:
        judge.holds = self._waiting.popleft() if self._waiting else None
        try:
            judge.pipe.send(judge.holds and (judge.holds, self.tape(judge.holds)))
        except OSError:  # it has just died; listening to it will tell
            return
        if judge.holds is None:
            self._retire(judge)

    def _listen(self, judge: Judge, most_faults: int, *, final: bool) -> None:
        assert judge.holds is not None
        submission, report = judge.holds, _heard(judge)
        trouble = report.sentence if isinstance(report, Trouble) else ""
        result = graders_fault(self.orders, submission, trouble) if isinstance(report, Trouble) else report.result
        self._faults = self._faults + 1 if trouble else 0
        hopeless = self._faults > most_faults
        if _is_doubtful(result) and not (final or hopeless):
            self._doubtful.append(submission)
        else:
            if isinstance(report, Graded):
                self.keep(submission, report.replies)
            self.on_result(result)
        if not trouble:
            self._give(judge)
            return
        self._retire(judge)
        if hopeless:
            self._give_up(trouble)
        self._hire()

    def _give_up(self, why: str) -> None:
        while self._waiting:
            self.on_result(graders_fault(self.orders, self._waiting.popleft(), why))

    def _retire(self, judge: Judge) -> None:
        self._judges.remove(judge)
        judge.pipe.close()
        judge.process.join(TICK_SECONDS)
        if judge.process.is_alive():
            judge.process.kill()
            judge.process.join()

    def _dismiss(self) -> None:
        for judge in self._judges:
            judge.process.kill()
            judge.process.join()
        self._judges.clear()


def graders_fault(orders: Orders, submission: Submission, why: str) -> SubmissionResult:
    """A result that names the grader's fault; it costs the student nothing and is graded again next time."""
    exercises = []
    for exercise in orders.of(submission):
        check = CheckResult("all", "all checks", "values", 0, exercise.points, "grader_error", Message(why))
        exercises.append(ExerciseResult.of(exercise.chapter, exercise.name, [check]))
    return SubmissionResult(
        student=submission.student,
        score=0,
        max_score=sum(exercise.max_score for exercise in exercises),
        sandbox="none",
        seed=submission.seed_or(orders.seed),
        versions={},
        exercises=tuple(exercises),
        notes=submission.notes,
    )


def _cores(jobs: int) -> Sequence[int]:
    """The cores to keep judges on: all, if there are judges for all. A judge and its worker take turns on one."""
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    return cores if jobs >= len(cores) else ()


def _heard(judge: Judge) -> Report:
    try:
        report: Report = judge.pipe.recv()
    except (EOFError, OSError):
        judge.process.join(TICK_SECONDS)
        return Trouble(f"a judge ended unexpectedly (exit status {judge.process.exitcode}); grade again")
    return report


def _is_doubtful(result: SubmissionResult) -> bool:
    """Whether the machine may have spoiled it: by a fault, or by being busy with other work."""
    statuses = {check.status for exercise in result.exercises for check in exercise.checks}
    return not statuses.isdisjoint({"grader_error", "timeout"})
