"""An answer that only knows what feedback of earlier rounds has shown earns nothing in the next round.

But for exercises that ask for one thing, the same with every seed: a probe, or a trained model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from unittest.mock import patch

from autograder.calls.local import LocalTarget
from autograder.calls.records import Call, Observation, Raised
from autograder.compare.oracle import digest
from autograder.core.records import ExerciseResult, SubmissionResult
from autograder.core.submission import Submission, one_chapter
from autograder.intake.artefacts import of_course
from autograder.judging.judge import judge, warm_up
from tests.promises.world import COURSE, each_chapter

ROUNDS, NEXT = (11, 12, 13), 99
"""The seeds of earlier rounds, and that of the next."""
ONE_FOR_ALL = ("probe_", "build_")
WITHOUT_WORDS: Mapping[str, Callable[..., object]] = {
    "suite.play.smallest": lambda *_: None,
    "suite.play.name_the_slip": lambda *_: None,
    "compare.evidence.Evidence._causes": lambda *_: [],
    "judging.judge.repaired": lambda _grading, _check, results: results,
    "judging.judge.lent": lambda *_: None,
}
"""What looks for causes, and changes no point here."""
UNKNOWN = Observation(Raised("KeyError", ("KeyError", "LookupError"), "never seen"))
Shown = dict[bytes, Observation]


def seen_by_the_student(call: Call) -> bytes:
    """What a student's function can tell of a call."""
    return digest(replace(call, seed=0, forbidden=(), welcome=(), once=False, room=None))


class Learns(LocalTarget):
    """Writes down what the right answers give."""

    def __init__(self, submission: Submission, shown: Shown) -> None:
        super().__init__(submission)
        self.shown = shown

    def observe(self, chapter: str, call: Call) -> Observation:
        seen = super().observe(chapter, call)
        self.shown.setdefault(seen_by_the_student(call), seen)
        return seen


class Remembers(Learns):
    """Knows of one exercise what was written down, and nothing else."""

    def observe(self, chapter: str, call: Call) -> Observation:
        if call.name not in self._submission.only:
            return LocalTarget.observe(self, chapter, call)
        return self.shown.get(seen_by_the_student(call), UNKNOWN)


def graded(
    kind: type[Learns], chapter: str, seed: int, shown: Shown, parts: Sequence[Sequence[str]]
) -> list[ExerciseResult]:
    """The results of a chapter's right answers, made by such a target for each part, which is some exercises."""
    text, results = COURSE.solution(chapter).read_text(encoding="utf-8"), list[SubmissionResult]()

    def jobs() -> Iterator[tuple[Submission, Learns]]:
        for part in parts:
            submission = replace(one_chapter("", chapter, text, of_course(COURSE, chapter)), only=tuple(part))
            yield submission, kind(submission, shown)

    warm_up()
    with ExitStack() as points_alone:
        for name, instead in WITHOUT_WORDS.items():
            points_alone.enter_context(patch(f"autograder.{name}", instead))
        judge(COURSE, COURSE.of(chapter), jobs(), seed, results.append)
    return [exercise for result in results for exercise in result.exercises]


def earned(chapter: str, seed: int) -> dict[str, float]:
    """What remembering earlier rounds earns, for each exercise where it earns anything."""
    names = [each.name for each in COURSE.of(chapter) if not each.name.startswith(ONE_FOR_ALL)]
    shown: Shown = {}
    for earlier in ROUNDS:
        assert all(each.status == "passed" for each in graded(Learns, chapter, earlier, shown, [names]))
    found = graded(Remembers, chapter, seed, shown, [[name] for name in names])
    return {each.exercise: each.score for each in found if each.score}


@each_chapter
def test_what_was_shown_in_three_rounds_earns_nothing_in_the_next(chapter: str) -> None:
    assert earned(chapter, NEXT) == {}


def test_with_the_seed_of_an_earlier_round_it_earns_every_point() -> None:
    assert earned("ch01_markov", ROUNDS[1]) == {each.name: each.points for each in COURSE.of("ch01_markov")}
