"""An answer that knows nothing but what feedback of earlier rounds has shown, and what it earns in the next one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from autograder.author.proof.trial import solution, version
from autograder.calls.local import LocalTarget
from autograder.calls.records import Call, Observation, Raised
from autograder.compare.oracle import digest
from autograder.core.records import ExerciseResult, SubmissionResult
from autograder.core.submission import Submission
from autograder.course.course import Course
from autograder.judging.judge import judge, warm_up

ROUNDS: Final = (11, 12, 13)
"""The seeds of earlier rounds."""
NEXT: Final = 99
UNKNOWN: Final = Observation(Raised("KeyError", ("KeyError", "LookupError"), "never seen"))

Shown: TypeAlias = dict[bytes, Observation]


class Learns(LocalTarget):
    """Writes down what the right answers give, and the names of the exercises that were asked something new."""

    def __init__(self, submission: Submission, shown: Shown, asked: set[str]) -> None:
        super().__init__(submission)
        self.shown, self.asked = shown, asked

    def observe(self, chapter: str, call: Call) -> Observation:
        seen, key = super().observe(chapter, call), seen_by_the_student(call)
        if key not in self.shown:
            self.asked.add(call.name)
            self.shown[key] = seen
        return seen


class Remembers(Learns):
    """Knows of one exercise what was written down, and nothing else."""

    def observe(self, chapter: str, call: Call) -> Observation:
        if call.name not in self._submission.only:
            return LocalTarget.observe(self, chapter, call)
        return self.shown.get(seen_by_the_student(call), UNKNOWN)


def seen_by_the_student(call: Call) -> bytes:
    """Return a digest of what a student's function can tell of a call."""
    return digest(replace(call, seed=0, forbidden=(), welcome=(), once=False, room=None))


def earned(course: Course, chapter: str, seed: int) -> dict[str, float]:
    """Return what remembering earlier rounds earns in the one with this seed, for each exercise where that is anything.

    But for exercises that are asked the same in each round, such as a probe or a trained model.
    """
    names, shown = [each.name for each in course.of(chapter)], Shown()
    new: set[str] = set()
    for earlier in ROUNDS:
        new.clear()
        _graded(Learns, course, chapter, earlier, shown, new, [names])
    found = _graded(Remembers, course, chapter, seed, shown, set(), [[name] for name in names if name in new])
    return {each.exercise: each.score for each in found if each.score}


def _graded(
    kind: type[Learns],
    course: Course,
    chapter: str,
    seed: int,
    shown: Shown,
    new: set[str],
    parts: Sequence[Sequence[str]],
) -> list[ExerciseResult]:
    """Return the results of a chapter's right answers, made by such a target for each part, which is some exercises."""
    results, handed = list[SubmissionResult](), version(course, chapter, "", solution(course, chapter))

    def jobs() -> Iterator[tuple[Submission, Learns]]:
        for part in parts:
            submission = replace(handed, only=tuple(part))
            yield submission, kind(submission, shown, new)

    warm_up()
    judge(course, course.of(chapter), jobs(), seed, results.append)
    return [exercise for result in results for exercise in result.exercises]
