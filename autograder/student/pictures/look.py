"""Find an input worth seeing, and what the student's answer returns for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import replace

import torch

from autograder.calls.records import Build, Call, Data, Observation
from autograder.calls.target import Target, Variable, passed_over
from autograder.compare.describe import Names, argument_names
from autograder.compare.draw import Draw
from autograder.compare.grid import Axis, Picture
from autograder.compare.oracle import Oracle
from autograder.compare.oracles import oracle_of
from autograder.compare.sight import Sight, picture_of
from autograder.core.errors import CheckFailed
from autograder.core.records import CheckResult
from autograder.core.submission import PassedOver, Submission
from autograder.course.course import Course
from autograder.course.model import Exercise
from autograder.internals.grading_mode import grading_mode
from autograder.judging.judge import judge
from autograder.suite.building import Module, built
from autograder.suite.trained import ANSWERS


def look(
    course: Course, exercise: Exercise, submission: Submission, target: Target, seed: int
) -> tuple[Picture | str, CheckResult | None]:
    """Return a picture of the course's scene or of a call of the checks, and the first failed check.

    A string stands for a picture that cannot be drawn.

    Raises:
        CheckFailed: there is no answer to draw.
    """
    recorder = Recorder(target)
    with grading_mode():
        judge(course, [exercise], [(submission, recorder)], seed, lambda _: None, recorder.keep)
    failed = recorder.failed
    if failed and failed.status in ("missing", "syntax", "forbidden"):
        raise CheckFailed(failed.status, failed.message)
    best = sight_of(course, exercise, recorder)
    if best is None:
        return f"there is nothing to draw of {exercise.name}: its checks call it without arguments", failed
    return picture_of(best), failed


def sight_of(course: Course, exercise: Exercise, recorder: Recorder) -> Sight | None:
    """Return the call most worth seeing of an exercise that was judged through `recorder`; None if there is none.

    Raises:
        CheckFailed: the course's scene could not be observed.
    """
    oracle = oracle_of(course)
    scene = scene_of(course, oracle, exercise, lambda call: recorder.observe(exercise.chapter, call))
    return scene if scene and (scene.says or not recorder.failed) else from_checks(oracle, exercise, recorder)


def scene_of(
    course: Course, oracle: Oracle, exercise: Exercise, observe: Callable[[Call], Observation]
) -> Sight | None:
    """Return the call of the course's scene for the exercise; None if it has no scene."""
    scene = course.scenes().get(exercise.name)
    if scene is None:
        return None
    args = scene.make()
    build = _built(oracle, exercise, scene.build, args)
    call = Call(exercise.name, args, build=build)
    call = replace(call, dtype=torch.float64) if call.bare else call
    names = names_of(oracle, exercise, build)
    rows, columns = (Axis(name, tuple(places)) for name, places in (scene.rows, scene.columns))
    expected, got = oracle.right(exercise.chapter, call), observe(call)
    return Sight(call, expected, got, names, scene.part, rows, columns, scene.view)


def _built(oracle: Oracle, exercise: Exercise, args: Sequence[Data] | None, given: tuple[Data, ...]) -> Build | None:
    if args is None:
        return None
    return built(oracle.function(exercise.chapter, exercise.name), Module(tuple(args)), given, Draw(0, exercise.name))


def names_of(oracle: Oracle, exercise: Exercise, build: Build | None) -> Names:
    """Return the argument names of the function or method that is called."""
    method = (build.method or "forward") if build else ""
    return Names(arguments=argument_names(oracle.function(exercise.chapter, exercise.name), method))


def from_checks(oracle: Oracle, exercise: Exercise, recorder: Recorder) -> Sight | None:
    """Return the first call of the first failed check on which the answers differ, else another call."""
    failed = recorder.failed
    chosen = [calls for result, calls in recorder.rows if result is failed] or [
        calls for result, calls in recorder.rows if result.level == "values"
    ]
    sights = [
        Sight(call, oracle.right(exercise.chapter, call), got, names_of(oracle, exercise, call.build))
        for calls in chosen
        for call, got in calls
        if call.args
    ]
    telling = [sight for sight in sights if bool(sight.says) == bool(failed)]
    return next(iter(telling or (sights if failed else [])), None)


class Recorder:
    """A target that keeps its calls and observations, check by check."""

    def __init__(self, target: Target) -> None:
        ANSWERS.clear()  # an answer from the cache would not be recorded
        self.name = target.name
        self.rows: list[tuple[CheckResult, list[tuple[Call, Observation]]]] = []
        self._target = target
        if isinstance(target, Variable):
            self.variant = target.variant
        self._seen: list[tuple[Call, Observation]] = []

    def observe(self, chapter: str, call: Call) -> Observation:
        asked = deepcopy(call)  # a check may change its inputs later
        seen = self._target.observe(chapter, call)
        self._seen.append((asked, seen))
        return seen

    def passed_over(self, chapter: str) -> tuple[PassedOver, ...]:
        return passed_over(self._target, chapter)

    def keep(self, result: CheckResult) -> None:
        """Assign the calls since the last check to this one."""
        self.rows.append((result, self._seen))
        self._seen = []

    @property
    def failed(self) -> CheckResult | None:
        """The first check that was not passed, if any."""
        return next((result for result, _ in self.rows if result.status != "passed"), None)

    def forget(self) -> None:
        """Drop all calls, before the next exercise."""
        self.rows, self._seen = [], []

    def close(self) -> None:
        self._target.close()
