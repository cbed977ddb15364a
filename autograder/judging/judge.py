"""The judge: pytest collects the suites once, then grades one submission after the other.

It holds the reference, the seeds and the verdicts, and never executes a student's code unless the
target is local.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
import torch

from autograder.calls.passed_over import notes
from autograder.calls.target import Target, passed_over
from autograder.compare.example import Examples
from autograder.compare.oracle import Oracle
from autograder.compare.oracles import oracle_of
from autograder.core.errors import UsageError, blamed
from autograder.core.records import CheckResult, ExerciseResult, SubmissionResult
from autograder.core.submission import Submission
from autograder.core.versions import versions
from autograder.course.course import Course
from autograder.course.model import Exercise
from autograder.internals.compiler import without_compiler
from autograder.internals.forbid import standing
from autograder.internals.kernels import prefer_native
from autograder.internals.pytest_runner import runtestprotocol
from autograder.judging.lending import FINAL, lent, settled
from autograder.judging.plans import Plans
from autograder.suite import plugin
from autograder.suite.check import Check, Grading
from autograder.suite.plugin import CURRENT, JUDGED, RESULT, no_verdict
from autograder.suite.steps import Trace

SETTINGS = Path(__file__).parents[1] / "suite" / "judge.ini"
# Plugins of pytest that print or look for something. Its debugger would replace Python's, and needs its terminal.
# The last two also collect garbage five times at the end, which takes a second.
UNWANTED = (
    *("terminal", "cacheprovider", "logging", "faulthandler", "warnings", "debugging"),
    *("unraisableexception", "threadexception"),
)

HEEDED = ("PYTEST_ADDOPTS", "PYTEST_PLUGINS")
"""What pytest heeds of the environment."""

Job = tuple[Submission, Target]


def warm_up() -> None:
    """Load in advance what the first tensor without data loads for seconds; call it before judges are forked."""
    torch.set_num_threads(1)  # threads do not survive a fork
    prefer_native()
    with without_compiler():
        torch.ones(1, device="meta").add(1)


def _nothing(_: object) -> None:
    """Ignore the argument."""


def judge(
    course: Course,
    exercises: Sequence[Exercise],
    jobs: Iterable[Job],
    seed: int,
    on_result: Callable[[SubmissionResult], None],
    on_check: Callable[[CheckResult], None] = _nothing,
    on_exercise: Callable[[ExerciseResult], None] = _nothing,
    oracle: Oracle | None = None,
    left_out: str = "",
) -> None:
    """Grade every job on `exercises`, and hand out the results as they come.

    Args:
        jobs: submissions with the target their code runs in; taken one at a time.
        seed: decides every random input of submissions that have no seed of their own.
        on_check: called after each check, with what is known so far.
        on_exercise: called after each exercise.
        oracle: gives the right answers; by default the course's own.
        left_out: a level of checks that are not made.

    Raises:
        UsageError: the suites cannot be collected.
    """
    loop = _Loop(course, exercises, jobs, seed, on_result, on_check, on_exercise, oracle or oracle_of(course), left_out)
    suites = [str(course.suite(chapter)) for chapter in dict.fromkeys(e.chapter for e in exercises)]
    options = ["-c", str(SETTINGS), "--rootdir", str(course.root), "--noconftest", "--capture=no"]
    unwanted = [f"-pno:{name}" for name in UNWANTED]
    course.lead()
    with standing():
        run_pytest([*suites, *options, *unwanted], plugin, loop)
    if loop.interruption:
        raise loop.interruption
    if not loop.collected:
        raise UsageError(f"the suites of this course cannot be loaded: {loop.trouble}")
    if loop.crash:
        raise loop.crash


def run_pytest(words: Sequence[str], *plugins: object) -> None:
    """Run pytest with these words and plugins alone: what else is installed, or set in the environment, has no part."""
    kept = {name: os.environ.pop(name) for name in HEEDED if name in os.environ}
    try:
        pytest.main(["--disable-plugin-autoload", *words], plugins=plugins)
    finally:
        os.environ.update(kept)


@dataclass(eq=False)  # pytest looks plugins up by their hash
class _Loop:
    """A pytest plugin whose run loop iterates over submissions."""

    course: Course
    exercises: Sequence[Exercise]
    jobs: Iterable[Job]
    seed: int
    on_result: Callable[[SubmissionResult], None]
    on_check: Callable[[CheckResult], None]
    on_exercise: Callable[[ExerciseResult], None]
    oracle: Oracle
    left_out: str
    examples: Examples = field(default_factory=Examples)
    plans: dict[int, Plans] = field(default_factory=dict)  # by seed
    collected: bool = False
    interruption: KeyboardInterrupt | None = None
    trouble: str = "no checks were found"
    crash: BaseException | None = None

    def pytest_configure(self, config: pytest.Config) -> None:
        config.stash[JUDGED] = True

    def pytest_exception_interact(self, call: pytest.CallInfo[object], report: object) -> None:
        if isinstance(report, pytest.CollectReport) and call.excinfo:
            error = call.excinfo.value
            where, text = blamed(error.__cause__ or error, self.course.root)
            self.trouble = f"{where}: {text}; mend it first" if where else f"{text}; mend it first"

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Keep an interruption that comes while the suites are loaded."""
        if type(excinfo.value) is KeyboardInterrupt:  # pytest has subclasses for reasons of its own
            self.interruption = excinfo.value

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed or not session.items:
            return True
        self.collected = True
        items = self._chosen(session.items)
        try:
            for submission, target in self.jobs:
                self.on_result(self._grade(session.config, items, submission, target))
        except KeyboardInterrupt as stop:
            self.interruption = stop
        except BaseException as error:  # pytest would only print it
            self.crash = error
        return True

    def _chosen(self, items: Sequence[pytest.Item]) -> list[tuple[Check, pytest.Item]]:
        wanted = {(exercise.chapter, exercise.name) for exercise in self.exercises}
        pairs = [(check, item) for item in items if (check := Check.of(item)) and check.level != self.left_out]
        return [(check, item) for check, item in pairs if (check.chapter, check.exercise) in wanted]

    def _grade(
        self, config: pytest.Config, items: Sequence[tuple[Check, pytest.Item]], submission: Submission, target: Target
    ) -> SubmissionResult:
        started = time.perf_counter()
        seed = submission.seed_or(self.seed)
        grading = Grading(self.course, submission, target, seed, self.oracle, self.examples)
        config.stash[CURRENT] = grading
        exercises: list[ExerciseResult] = []
        for pairs in _by_exercise(items, submission.only):
            right = [each.exercise for each in exercises if each.status == "passed"]
            exercises.append(self._exercise(config, grading, pairs, right))
            self.on_exercise(exercises[-1])
        seconds = time.perf_counter() - started
        loaded = [each for chapter in submission.chapters for each in passed_over(target, chapter)]
        submission = replace(submission, notes=tuple(dict.fromkeys([*submission.notes, *notes(loaded)])))
        return submission.result(exercises, sandbox=target.name, seed=self.seed, versions=versions(), seconds=seconds)

    def _exercise(
        self, config: pytest.Config, grading: Grading, pairs: Sequence[tuple[Check, pytest.Item]], right: Sequence[str]
    ) -> ExerciseResult:
        results: list[CheckResult] = []
        for check, item in pairs:
            results.append(self._result(grading, check, item))
            self.on_check(results[-1])
        first = pairs[0][0]
        if any(result.status == "grader_error" for result in results):
            grading.course.misconceptions(first.chapter)  # if its mistakes cannot be loaded, that is the reason
        evidence = grading.evidence(first)
        known = [evidence.settled(result) for result in results]
        if any(result.status not in FINAL for result in known):
            known = self._again(config, grading, list(zip(pairs, known, strict=True)), right)
        return ExerciseResult.of(first.chapter, first.exercise, known)

    def _again(
        self,
        config: pytest.Config,
        grading: Grading,
        known: Sequence[tuple[tuple[Check, pytest.Item], CheckResult]],
        right: Sequence[str],
    ) -> list[CheckResult]:
        """Return the results that count of an exercise's checks, after all were made again with what is lent."""
        (first, _), _ = known[0]
        found = lent(grading, first.chapter, first.exercise, right)
        if found is None:
            return [result for _, result in known]
        again, names = found
        config.stash[CURRENT] = again
        try:
            second = [self._result(again, check, item) for (check, item), _ in known]
            return settled([result for _, result in known], second, names)
        finally:
            again.target.close()
            config.stash[CURRENT] = grading

    def _result(self, grading: Grading, check: Check, item: pytest.Item) -> CheckResult:
        """Return the result of a check, which pytest runs unless its plan is passed."""
        plans = self._plans(grading.seed)
        if known := plans.passed(check, grading):
            return known
        grading.trace = Trace()
        item.stash[RESULT] = no_verdict(check)
        runtestprotocol(item, log=False, nextitem=None)
        grading.ahead.clear()
        plans.learn(check, grading, item.stash[RESULT])
        return item.stash[RESULT]

    def _plans(self, seed: int) -> Plans:
        """Return the plans for a seed; those of the usual one are kept, of others the latest."""
        if seed not in self.plans:
            self.plans = {self.seed: self.plans.get(self.seed, Plans()), seed: Plans()}
        return self.plans[seed]


def _by_exercise(
    items: Sequence[tuple[Check, pytest.Item]], only: Sequence[str]
) -> list[list[tuple[Check, pytest.Item]]]:
    """Return the checks of each exercise, in the order of the suites; `only` names chapters or exercises, if any."""
    groups: dict[tuple[str, str], list[tuple[Check, pytest.Item]]] = {}
    for check, item in items:
        if not only or check.chapter in only or check.exercise in only:
            groups.setdefault((check.chapter, check.exercise), []).append((check, item))
    return list(groups.values())
