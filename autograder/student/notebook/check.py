"""Check the cells that the kernel has run: their text is run again, apart from the live objects."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace

from autograder.calls.local import LocalTarget
from autograder.compare.grid import Picture
from autograder.compare.sight import picture_of
from autograder.core.errors import CheckFailed, UsageError
from autograder.core.records import ExerciseResult, SubmissionResult
from autograder.core.submission import Submission
from autograder.course.course import Course
from autograder.course.model import Exercise
from autograder.student.check import load, stopped
from autograder.student.hints import Hint, hint
from autograder.student.notebook.answer import Answer, in_notebook, line_in_session
from autograder.student.notebook.history import kernel_here, submission
from autograder.student.notebook.stale import notes
from autograder.student.pictures.look import Recorder, sight_of
from autograder.student.prints import Prints
from autograder.student.progress import Progress


def check(
    course: Course, exercises: Sequence[Exercise], seed: int | None, on_answer: Callable[[Answer], None]
) -> Answer:
    """Check `exercises` as the cells that were run define them.

    Args:
        seed: seed of the drawn inputs; None for a random one.
        on_answer: called with the answer so far, after each exercise.

    Returns:
        The whole answer; if the run was interrupted, the part that is known.
    """
    load()
    from autograder.internals.grading_mode import grading_mode
    from autograder.judging.judge import judge

    growing = _GrowingAnswer(course, exercises, seed, on_answer)
    try:
        with grading_mode():
            jobs = [(growing.submission, growing.recorder)]
            seed = growing.answer.seed
            judge(course, exercises, jobs, seed, growing.finish, growing.recorder.keep, growing.add)
    except KeyboardInterrupt as stop:
        place = stopped(stop, growing.submission.chapters.values(), line_in_session)
        return replace(growing.answer, stopped=f"{place}; exercises that are not listed were not checked")
    finally:
        growing.prints.end()
        Progress.load(course).add(growing.submission, growing.answer.results, growing.answer.seed)
    return growing.answer


class _GrowingAnswer:
    """Collects results, pictures and hints into the answer."""

    def __init__(
        self, course: Course, exercises: Sequence[Exercise], seed: int | None, on_answer: Callable[[Answer], None]
    ) -> None:
        self.submission = _of_chapters(course, exercises)
        chosen = secrets.randbits(32) if seed is None else seed
        self.answer = Answer(course, exercises, chosen, notes=self.submission.notes)
        self.prints = Prints()
        self.recorder = Recorder(LocalTarget(self.submission, self.prints))
        self._on_answer = on_answer

    def add(self, result: ExerciseResult) -> None:
        """Add one more exercise, and if it did not pass, its picture and the next hint."""
        self.prints.end()
        shown = in_notebook(result, self.submission.chapters[result.chapter])
        grown = replace(self.answer, results=(*self.answer.results, shown))
        if result.status != "passed":
            picture, advice = self._picture(result), _hint(grown.course, result.exercise)
            grown = replace(
                grown,
                pictures={**grown.pictures, **({result.exercise: picture} if picture else {})},
                hints={**grown.hints, **({result.exercise: advice} if advice else {})},
            )
        self.answer = grown
        self.recorder.forget()
        self._on_answer(grown)

    def finish(self, result: SubmissionResult) -> None:
        """Add notes on what was passed over when the cells were run again."""
        self.answer = replace(self.answer, notes=result.notes)

    def _picture(self, result: ExerciseResult) -> Picture | None:
        """Return the picture of a wrong answer; None if no difference can be drawn."""
        if result.status != "failed":
            return None
        exercise = next(each for each in self.answer.exercises if each.name == result.exercise)
        try:
            sight = sight_of(self.answer.course, exercise, self.recorder)
        except CheckFailed:
            return None
        picture = picture_of(sight) if sight else ""
        return picture if isinstance(picture, Picture) and picture.says else None


def _of_chapters(course: Course, exercises: Sequence[Exercise]) -> Submission:
    """Return the chapters of `exercises`, with notes on those whose judged definition is not the last one written."""
    asked: dict[str, list[str]] = {}
    for exercise in exercises:
        asked.setdefault(exercise.chapter, []).append(exercise.name)
    chapters = {chapter: submission(course, chapter).chapters[chapter] for chapter in asked}
    kernel = kernel_here()
    said = [note for chapter, names in asked.items() for note in notes(course, chapters[chapter], kernel, names)]
    return Submission("you", chapters, notes=tuple(said))


def _hint(course: Course, exercise: str) -> Hint | None:
    try:
        return hint(course, exercise, remember=False)
    except UsageError:  # a verdict needs no hint
        return None
