"""The judge plays the plans of the checks, for one submission after the other.

It holds the reference, the seeds and the verdicts, and never executes a student's code unless the
target is local.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import torch

from autograder.calls.passed_over import notes
from autograder.calls.target import Target, passed_over
from autograder.compare.example import Examples
from autograder.compare.oracle import Oracle
from autograder.compare.oracles import oracle_of
from autograder.core.records import OF_ITSELF, CheckResult, ExerciseResult, SubmissionResult
from autograder.core.submission import Submission
from autograder.core.versions import versions
from autograder.course.course import Course
from autograder.course.model import Exercise
from autograder.internals.compiler import without_compiler
from autograder.internals.kernels import prefer_native
from autograder.judging.form_costs import asks_for_form, costing_once
from autograder.judging.lending import lent, settled
from autograder.judging.repairing import repaired
from autograder.suite.check import Check, Grading
from autograder.suite.play import result_of
from autograder.suite.suites import Suites, with_suites

Job = tuple[Submission, Target]
Right = dict[tuple[str, str], bool]
"""Whether an exercise passed, by its chapter and name."""


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
    repairs: bool = True,
) -> None:
    """Grade every job on `exercises`, and hand out the results as they come.

    Args:
        jobs: submissions with the target their code runs in; taken one at a time.
        seed: decides every random input of submissions that have no seed of their own.
        on_check: called after each check, with what is known so far.
        on_exercise: called after each exercise.
        oracle: gives the right answers; by default the course's own.
        left_out: a level of checks that are not made.
        repairs: whether repairs are tried where no known mistake fits, which takes long and changes words alone.

    Raises:
        UsageError: the suites cannot be collected.
    """
    wanted = {(exercise.chapter, exercise.name) for exercise in exercises}

    def grade(suites: Suites) -> None:
        checks = [each for each in suites.checks if (each.chapter, each.exercise) in wanted and each.level != left_out]
        play = _Judge(course, seed, checks, suites, on_check, on_exercise, repairs)
        for submission, target in jobs:
            on_result(play.result(submission, target))

    suites = [course.suite(chapter) for chapter in dict.fromkeys(each.chapter for each in exercises)]
    with_suites(course, suites, oracle or oracle_of(course), seed, grade)


@dataclass
class _Judge:
    """Plays the plans of some exercises' checks, for one submission after the other."""

    course: Course
    seed: int
    checks: Sequence[Check]
    suites: Suites
    on_check: Callable[[CheckResult], None]
    on_exercise: Callable[[ExerciseResult], None]
    repairs: bool
    examples: Examples = field(default_factory=Examples)

    def result(self, submission: Submission, target: Target) -> SubmissionResult:
        """Return what the submission comes to."""
        started = time.perf_counter()
        seed = submission.seed_or(self.seed)
        grading = Grading(self.course, submission, target, seed, self.suites.oracle, self.examples)
        exercises: list[ExerciseResult] = []
        right: Right = {}
        for checks in _by_exercise(self.checks, submission.only):
            exercises.append(self._exercise(grading, checks, right))
            right[checks[0].chapter, checks[0].exercise] = exercises[-1].status == "passed"
            self.on_exercise(exercises[-1])
        seconds = time.perf_counter() - started
        loaded = [each for chapter in submission.chapters for each in passed_over(target, chapter)]
        submission = replace(submission, notes=tuple(dict.fromkeys([*submission.notes, *notes(loaded)])))
        return submission.result(exercises, sandbox=target.name, seed=self.seed, versions=versions(), seconds=seconds)

    def _exercise(self, grading: Grading, checks: Sequence[Check], right: Right) -> ExerciseResult:
        results: list[CheckResult] = []
        for check in checks:
            results.append(self._check(grading, check))
            self.on_check(results[-1])
        first = checks[0]
        if any(result.status == "grader_error" for result in results):
            grading.course.misconceptions(first.chapter)  # if its mistakes cannot be loaded, that is the reason
        evidence = grading.evidence(first)
        told = [evidence.settled(result) for result in results]
        told = repaired(grading, first, told) if self.repairs else told
        known = self._again(grading, checks, self._costing_once(grading, checks, told), right)
        return ExerciseResult.of(first.chapter, first.exercise, known)

    def _again(
        self, grading: Grading, checks: Sequence[Check], known: list[CheckResult], right: Right
    ) -> list[CheckResult]:
        """Return the results that count of an exercise's checks, after all were made again with what is lent."""
        if all(result.status in OF_ITSELF for result in known):
            return known
        chapter = checks[0].chapter
        found = lent(grading, chapter, checks[0].exercise, lambda name: self._is_right(grading, (chapter, name), right))
        if found is None:
            return known
        again, names = found
        try:
            second = [self._check(again, check) for check in checks]
            return settled(known, self._costing_once(again, checks, second), names)
        finally:
            again.target.close()

    def _is_right(self, grading: Grading, place: tuple[str, str], right: Right) -> bool:
        """Return whether an exercise passes; if it is not among those to judge, its checks are made to find out."""
        if place not in right:
            own = [each for each in self.suites.checks if (each.chapter, each.exercise) == place]
            known = self._costing_once(grading, own, [self._check(grading, each) for each in own])
            right[place] = all(each.status == "passed" for each in self._again(grading, own, known, right))
        return right[place]

    def _costing_once(
        self, grading: Grading, checks: Sequence[Check], results: Sequence[CheckResult]
    ) -> list[CheckResult]:
        """Return the results of an exercise's checks, each fault of form costing one of them."""
        planned = {check.name: check for check in checks if not check.is_live}

        def asks(name: str) -> bool:
            return name in planned and asks_for_form(self.suites.plan(planned[name], grading.seed))

        return costing_once(results, asks)

    def _check(self, grading: Grading, check: Check) -> CheckResult:
        return result_of(check, grading, partial(self.suites.plan, check, grading.seed, grading))


def _by_exercise(checks: Sequence[Check], only: Sequence[str]) -> list[list[Check]]:
    """Return the checks of each exercise, in the order of the suites; `only` names chapters or exercises, if any."""
    groups: dict[tuple[str, str], list[Check]] = {}
    for check in checks:
        if not only or check.chapter in only or check.exercise in only:
            groups.setdefault((check.chapter, check.exercise), []).append(check)
    return list(groups.values())
