"""`attend ask`: questions about an answer of one's own that has passed."""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from autograder.asking.question import LETTERS, CodeQuestion
from autograder.core.errors import UsageError
from autograder.core.submission import Submission
from autograder.course.course import Course
from autograder.course.folders import require_copy
from autograder.course.model import Exercise
from autograder.course.sealed_facts import checked_here
from autograder.intake.submissions import read_folder
from autograder.student.asked_before import AskedBefore
from autograder.student.saved_progress import Progress

NOTHING = "nothing has passed yet, and questions are about answers that passed; `attend` shows what is next"
TRIED = 8
"""Exercises that are looked at until one has a question."""

Read = Callable[[str], Submission]
"""Returns the student's text of a chapter."""


@dataclass
class QuestionRound:
    """A few questions about one exercise, asked one after the other."""

    exercise: str
    questions: Sequence[CodeQuestion]
    seed: int
    before: AskedBefore
    answers: list[bool] = field(default_factory=list)

    @property
    def current(self) -> CodeQuestion | None:
        """The question that waits for an answer; None after the last one."""
        return self.questions[len(self.answers)] if len(self.answers) < len(self.questions) else None

    def answer(self, letter: str) -> bool:
        """Take the answer to the current question, remember it, and return whether it is right."""
        question = self.current
        assert question is not None
        self.answers.append(letter == question.letter)
        self.before.add(question, is_right=self.answers[-1])
        return self.answers[-1]


def letters_of(question: CodeQuestion) -> str:
    """Return the letters of the choices."""
    return LETTERS[: len(question.choices)]


def new_round(course: Course, name: str, seed: int | None, read: Read | None = None) -> QuestionRound:
    """Return questions about the exercise `name`; "" stands for one that passed and was asked about longest ago.

    Args:
        seed: to repeat a round, whatever was asked before; None for a new one.
        read: returns the text of a chapter; by default that of the working copy.

    Raises:
        UsageError: there is no such exercise, it has not passed, or there is nothing to ask about it.
    """
    require_copy(course)
    before, chosen = AskedBefore.load(course), secrets.randbits(32) if seed is None else seed
    read = read or (lambda chapter: read_folder(course.exercises_dir, replace(course, only=(chapter,))))
    if name:
        (exercise,) = checked_here([course.one(name)])
        _require_pass(course, exercise, read(exercise.chapter))
        exercises = [exercise]
    else:
        exercises = _waiting(course, before, random.Random(chosen))
    for exercise in exercises[:TRIED]:
        submission = read(exercise.chapter)
        if name or _is_passed(course, exercise, submission):
            found = _questions(course, exercise, submission, before if seed is None else None, chosen)
            if found:
                before.begin(exercise.name)
                return QuestionRound(exercise.name, found, chosen, before)
    raise UsageError(_why_nothing(name and exercises[0].name))


def _why_nothing(name: str) -> str:
    if not name:
        return f"there is nothing to ask about what has passed so far; {NOTHING.rpartition('; ')[2]}"
    return (
        f"there is no question about your {name}: no line of it gives a shape, a number or a change worth asking; "
        "`attend ask` alone picks another exercise"
    )


def _require_pass(course: Course, exercise: Exercise, submission: Submission) -> None:
    if _is_passed(course, exercise, submission):
        return
    name = exercise.name
    if name in Progress.load(course).passed:
        raise UsageError(f"your {name} has changed since it passed; `attend check {name}` looks again, then ask")
    says = f"{name} has not passed yet, and questions are about answers that passed"
    raise UsageError(f"{says}; once `attend check {name}` passes it, ask again")


def _is_passed(course: Course, exercise: Exercise, submission: Submission) -> bool:
    known = Progress.load(course).still(submission, [exercise]).get(exercise.name)
    return known is not None and known.result.status == "passed"


def _waiting(course: Course, before: AskedBefore, rng: random.Random) -> list[Exercise]:
    """Return what has passed: first what was never asked about, in a random order, then the oldest first."""
    passed = Progress.load(course).passed
    found = [each for each in course.exercises if each.name in passed and each.checks]
    if not found:
        raise UsageError(NOTHING)
    rng.shuffle(found)
    return sorted(found, key=lambda each: before.of(each.name).turn)


def _questions(
    course: Course, exercise: Exercise, submission: Submission, before: AskedBefore | None, seed: int
) -> list[CodeQuestion]:
    """Return a few questions; `before` says what to leave out."""
    from autograder.asking.ask import THREE, chosen, questions_about, subjects
    from autograder.calls.local import LocalTarget
    from autograder.compare.oracles import oracle_of
    from autograder.internals.grading_mode import grading_mode
    from autograder.student.check import load

    load()
    subject = subjects(course, [exercise], seed)[exercise.name]
    target = LocalTarget(submission)
    try:
        with grading_mode():
            found = questions_about(submission, target, exercise, subject, oracle_of(course), seed)
    finally:
        target.close()
    known = before.of(exercise.name) if before else None
    if before is None or known is None:
        return chosen(found, THREE, [], {}, ())
    return chosen(found, THREE, known.topics, before.outcomes, known.last)
