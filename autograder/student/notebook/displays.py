"""What `%explain` and `%show` display of the cells that were run."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from autograder.calls.local import LocalTarget
from autograder.core.errors import UsageError
from autograder.course.course import Course
from autograder.course.model import Exercise
from autograder.student.cell_lines import as_magics
from autograder.student.debrief import CHANGED, Debrief, debrief, print_debrief
from autograder.student.explain import explain, passed_exercise
from autograder.student.notebook.history import submission
from autograder.student.pictures.look import look
from autograder.student.pictures.notebook_picture import SEED, NotebookPicture, plain_text
from autograder.student.prints import Prints


def explained(course: Course, name: str) -> Passed | TerminalText:
    """Return the debrief of an exercise that has passed, else the text on a known mistake.

    Raises:
        UsageError: as `attend explain`.
    """
    passed = passed_exercise(course, name)
    if passed and (found := debrief(course, passed, _run_cells(course, passed))):
        return Passed(found)
    return TerminalText(as_magics(plain_text(partial(explain, course, name))))


@dataclass(frozen=True)
class Passed:
    """A debrief with both answers."""

    debrief: Debrief

    def __repr__(self) -> str:
        return plain_text(partial(print_debrief, self.debrief))

    def _repr_markdown_(self) -> str:
        answers = [f"{heading}:\n```python\n{code}\n```" for heading, code in self.debrief.answers]
        parts = [f"**{self.debrief.exercise} is passed**", self.debrief.words, *answers]
        return "\n\n".join(filter(None, [*parts, CHANGED if self.debrief.changed else ""]))


@dataclass(frozen=True)
class TerminalText:
    """Text as a terminal shows it."""

    words: str

    def __repr__(self) -> str:
        return self.words


def _run_cells(course: Course, exercise: Exercise) -> str | None:
    """Return the chapter as the cells that were run define it; None if they do not define the exercise."""
    try:
        source = submission(course, exercise.chapter).chapters[exercise.chapter]
    except UsageError:
        return None
    return None if exercise.name in source.broken else source.text


def picture(course: Course, exercise: Exercise, seed: int | None) -> NotebookPicture:
    """Return the picture of an answer's output beside what is expected.

    Raises:
        CheckFailed: there is no answer to draw.
    """
    answers = submission(course, exercise.chapter)
    prints = Prints()
    try:
        target = LocalTarget(answers, prints)
        return NotebookPicture(look(course, exercise, answers, target, SEED if seed is None else seed)[0])
    finally:
        prints.end()
