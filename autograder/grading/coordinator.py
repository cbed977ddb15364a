"""Grade many submissions with several judges, losing nothing when one of them dies."""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess

from autograder.grading.judge_process import Hand, Orders, Report, Trouble, run
from autograder.records import CheckResult, ExerciseResult, SubmissionResult
from autograder.submission import Submission

MOST_TRIES = 2
TICK_SECONDS = 0.5


@dataclass
class Judge:
    """A judge process, its pipe, and what it is grading."""

    process: ForkProcess
    pipe: Connection
    holds: Submission | None = None


@dataclass
class Coordinator:
    """Hands submissions to judges and results to `on_result`.

    Args:
        hire: called before each judge is forked; gives what the judge makes its targets with.
        on_result: called with each result as it comes.
        on_tick: called about twice a second.
    """

    orders: Orders
    hire: Callable[[], Hand]
    on_result: Callable[[SubmissionResult], None]
    on_tick: Callable[[], None]
    _judges: list[Judge] = field(default_factory=list)
    _tries: dict[str, int] = field(default_factory=dict)

    def grade(self, submissions: Sequence[Submission], jobs: int) -> None:
        """Grade all submissions, `jobs` at a time. On any exception the judges are stopped."""
        waiting = deque(submissions)
        try:
            for _ in range(min(jobs, len(waiting))):
                self._hire(waiting)
            while self._judges:
                ready = wait([judge.pipe for judge in self._judges], TICK_SECONDS)
                for judge in [judge for judge in self._judges if judge.pipe in ready]:
                    self._listen(judge, waiting)
                self.on_tick()
        finally:
            self._dismiss()

    def _hire(self, waiting: deque[Submission]) -> None:
        context = multiprocessing.get_context("fork")
        ours, theirs = context.Pipe()
        process = context.Process(target=run, args=(theirs, self.orders, self.hire()), daemon=True)
        process.start()
        theirs.close()
        judge = Judge(process, ours)
        self._judges.append(judge)
        self._give(judge, waiting)

    def _give(self, judge: Judge, waiting: deque[Submission]) -> None:
        judge.holds = waiting.popleft() if waiting else None
        try:
            judge.pipe.send(judge.holds)
        except OSError:  # it has just died; listening to it will tell
            return
        if judge.holds is None:
            self._retire(judge)

    def _listen(self, judge: Judge, waiting: deque[Submission]) -> None:
        assert judge.holds is not None
        try:
            report: Report = judge.pipe.recv()
        except (EOFError, OSError):
            judge.process.join(TICK_SECONDS)
            report = Trouble(f"a judge ended unexpectedly (exit status {judge.process.exitcode})")
        if isinstance(report, Trouble):
            report = self._graders_fault(judge.holds, report.sentence)
        faulty = any(exercise.status == "grader_error" for exercise in report.exercises)
        if faulty and self._tried(judge.holds) < MOST_TRIES:
            waiting.append(judge.holds)
        else:
            self.on_result(report)
        if not faulty:
            self._give(judge, waiting)
            return
        self._retire(judge)  # a judge that failed is not asked again: a fresh one, and a fresh template if need be
        if waiting:
            self._hire(waiting)

    def _tried(self, submission: Submission) -> int:
        self._tries[submission.student] = self._tries.get(submission.student, 0) + 1
        return self._tries[submission.student]

    def _graders_fault(self, submission: Submission, why: str) -> SubmissionResult:
        """A result that names the grader's fault; it costs the student nothing and is graded again next time."""
        exercises = []
        for exercise in self.orders.exercises:
            message = f"the grader failed, not you: {why}"
            check = CheckResult("all", "all checks", "values", 0, exercise.points, "grader_error", message)
            exercises.append(ExerciseResult.of(exercise.chapter, exercise.name, [check]))
        return SubmissionResult(
            student=submission.student,
            score=0,
            max_score=sum(exercise.max_score for exercise in exercises),
            sandbox="none",
            seed=self.orders.seed,
            versions={},
            exercises=tuple(exercises),
            notes=submission.notes,
        )

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
