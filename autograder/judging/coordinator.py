"""Grade many submissions with several judges, and lose nothing when a judge dies.

There are two passes: first all submissions, with all judges; then those that the machine may have spoiled, one at a
time with nothing else running. The results of the second pass are final; if its judge dies instead, there is a third.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess

from autograder.core import interrupts
from autograder.core.errors import AttendError
from autograder.core.message import Message
from autograder.core.records import CheckResult, ExerciseResult, SubmissionResult
from autograder.core.submission import Submission
from autograder.judging.process import Hand, Orders, Replies, Report, Trouble, run
from autograder.judging.waiting import Subject, Waiting

MOST_FAULTS = 3  # in a row, for each judge: more than that is no accident
LAST_PASS = 3
TICK_SECONDS = 0.5


@dataclass
class Judge:
    """A judge process, its pipe, what it is grading, if anything, and the subjects of what it has graded."""

    process: ForkProcess
    pipe: Connection
    core: int | None = None
    holds: Submission | None = None
    knows: set[Subject] = field(default_factory=set)


@dataclass
class Coordinator:
    """Hands submissions to judges and results to `on_result`.

    Args:
        hire: called before each judge is forked; returns the function that makes the judge's targets.
        on_result: called with each result as it comes.
        on_tick: called about twice a second.
        keep: called before `on_result`, with the submission and its code's replies, if the orders ask for them.
        tape: returns the earlier replies of a submission's code, which need no new calls.
    """

    orders: Orders
    hire: Callable[[], Hand]
    on_result: Callable[[SubmissionResult], None]
    on_tick: Callable[[], None]
    keep: Callable[[Submission, Replies], None] = lambda *_: None
    tape: Callable[[Submission], Replies] = lambda _: ()
    _judges: list[Judge] = field(default_factory=list)
    _waiting: Waiting = field(default_factory=Waiting)
    _doubtful: list[Submission] = field(default_factory=list)
    _faults: int = 0  # in a row
    _cores: Sequence[int] = ()  # to pin judges to, if there is a judge for each

    def grade(self, submissions: Sequence[Submission], jobs: int) -> None:
        """Grade all submissions, `jobs` at a time, and end the judges. Any exception stops them."""
        with closing(self):
            self.grade_batch(submissions, jobs)

    def grade_batch(self, submissions: Sequence[Submission], jobs: int) -> None:
        """Grade all submissions, `jobs` at a time; the judges stay for the next batch, until `close`."""
        self._work(submissions, jobs, 1)
        for number in range(2, LAST_PASS + 1):
            if self._doubtful:
                self.close()
                doubtful, self._doubtful = self._doubtful, []
                self._work(doubtful, 1, number)

    def close(self) -> None:
        """End the judges, whatever they do."""
        for judge in self._judges:
            judge.process.kill()
            judge.process.join()
        self._judges.clear()

    def _work(self, submissions: Sequence[Submission], jobs: int, number: int) -> None:
        self._waiting.extend(submissions)
        self._cores = _cores(jobs)
        for judge in self._judges:
            self._give(judge)
        for _ in range(min(jobs, len(submissions)) - len(self._judges)):
            self._hire()
        while busy := [judge for judge in self._judges if judge.holds]:
            interrupts.raise_if_noted()
            ready = wait([judge.pipe for judge in busy], TICK_SECONDS)
            for judge in [judge for judge in busy if judge.pipe in ready]:
                self._listen(judge, MOST_FAULTS * jobs, number)
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
            with interrupts.held():
                process.start()
                self._judges.append(judge := Judge(process, ours, core))
        except (OSError, AttendError) as error:
            if not self._judges:  # otherwise the other judges go on
                self._give_up(f"no judge can be started: {error}")
            return
        finally:
            theirs.close()
        self._give(judge)

    def _give(self, judge: Judge) -> None:
        if not self._waiting:
            judge.holds = None
            return
        others = [other.knows for other in self._judges if other is not judge]
        judge.holds = self._waiting.next(judge.knows, set().union(*others))
        judge.knows.add(judge.holds.only)
        with suppress(OSError):  # it has just died, which listening to it will show
            judge.pipe.send((judge.holds, self.tape(judge.holds)))

    def _listen(self, judge: Judge, most_faults: int, number: int) -> None:
        assert judge.holds is not None
        submission, report = judge.holds, _received(judge)
        trouble = report.sentence if isinstance(report, Trouble) else ""
        result = graders_fault(self.orders, submission, trouble) if isinstance(report, Trouble) else report[0]
        self._faults = self._faults + 1 if trouble else 0
        hopeless = self._faults > most_faults
        is_lost = bool(trouble) and number < LAST_PASS
        if not hopeless and (is_lost or (number == 1 and _is_doubtful(result))):
            self._doubtful.append(submission)
        else:
            if not isinstance(report, Trouble):
                self.keep(submission, report[1])
            self.on_result(result)
        if not trouble:
            self._give(judge)
            return
        self._retire(judge)
        if hopeless:
            self._give_up(trouble)
        self._hire()

    def _give_up(self, why: str) -> None:
        for submission in self._waiting.drain():
            self.on_result(graders_fault(self.orders, submission, why))

    def _retire(self, judge: Judge) -> None:
        self._judges.remove(judge)
        judge.pipe.close()
        judge.process.join(TICK_SECONDS)
        if judge.process.is_alive():
            judge.process.kill()
            judge.process.join()


def graders_fault(orders: Orders, submission: Submission, why: str) -> SubmissionResult:
    """Return a result for a fault of the grader. It costs the student nothing, and the next run grades again."""
    exercises = []
    for exercise in orders.of(submission):
        check = CheckResult("all", "all checks", "values", 0, exercise.points, "grader_error", Message(why))
        exercises.append(ExerciseResult.of(exercise.chapter, exercise.name, [check]))
    return submission.result(exercises, sandbox="none", seed=orders.seed, versions={})


def _cores(jobs: int) -> Sequence[int]:
    """Return the cores to pin judges to: all, if there are judges for all. A judge and its worker share a core."""
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    return cores if jobs >= len(cores) else ()


def _received(judge: Judge) -> Report:
    try:
        report: Report = judge.pipe.recv()
    except (EOFError, OSError):
        judge.process.join(TICK_SECONDS)
        return Trouble(f"a judge ended unexpectedly (exit status {judge.process.exitcode}); grade again")
    return report


def _is_doubtful(result: SubmissionResult) -> bool:
    """Return whether the machine may have spoiled a result: by a fault, or by being busy with other work."""
    statuses = {check.status for exercise in result.exercises for check in exercise.checks}
    return not statuses.isdisjoint({"grader_error", "timeout"})
