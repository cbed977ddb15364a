"""Questions about right answers: how many each exercise gives, and some of them, to be judged by reading."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from autograder.asking.ask import THREE, Subject, chosen, questions_about, subjects
from autograder.asking.question import CodeQuestion
from autograder.author.proof.right_answers import RightAnswer, answers
from autograder.calls.local import LocalTarget
from autograder.compare.oracles import oracle_of
from autograder.course.course import Course
from autograder.course.model import Exercise
from autograder.internals.grading_mode import grading_mode
from autograder.student.ask_dialogue import print_question, print_reply

NO_CALL = "no check calls it with data alone: it takes a model or nothing, or is trained"
NO_LINE = "no line of it gives a shape, a number or a change that is clear and worth asking"


def solution_of(course: Course, chapter: str) -> RightAnswer:
    """Return the solution of a chapter as a right answer."""
    path = course.solution(chapter)
    names = tuple(each.name for each in course.of(chapter))
    return RightAnswer(chapter, "solution", path, path.read_text(encoding="utf-8"), names)


def about(course: Course, answer: RightAnswer, exercise: Exercise, subject: Subject, seed: int) -> list[CodeQuestion]:
    """Return all questions about a right answer to an exercise."""
    submission = answer.submission(course)
    target = LocalTarget(submission)
    try:
        with grading_mode():
            return questions_about(submission, target, exercise, subject, oracle_of(course), seed)
    finally:
        target.close()


def print_counts(course: Course, exercises: Sequence[Exercise], seed: int, console: Console) -> None:
    """Print how many exercises give three, two, one or no questions about their solutions, and why some give none."""
    rows: dict[str, list[str]] = {}
    outcomes: Counter[str] = Counter()
    for exercise, subject in _with_subjects(course, exercises, seed):
        every = about(course, solution_of(course, exercise.chapter), exercise, subject, seed)
        found = chosen(every, THREE, [], outcomes, ())
        outcomes.update(each.outcome for each in found if each.outcome)
        why = "" if found else NO_LINE if subject.planned else NO_CALL
        rows.setdefault(f"{len(found)}{f': {why}' if why else ''}", []).append(exercise.name)
    table = Table("questions", "exercises", "which", box=None)
    for count, names in sorted(rows.items(), reverse=True):
        table.add_row(Text(count), str(len(names)), Text(", ".join(names)))
    console.print(table)
    console.print(f"outcomes of changes: {dict(outcomes)}")


def _with_subjects(course: Course, exercises: Sequence[Exercise], seed: int) -> Iterator[tuple[Exercise, Subject]]:
    known = subjects(course, exercises, seed)
    return ((each, known[each.name]) for each in exercises)


def print_some(course: Course, exercises: Sequence[Exercise], seed: int, most: int, console: Console) -> None:
    """Print so many questions, drawn from those about all right answers, each with the right choice and the run."""
    rng, known = random.Random(seed), subjects(course, exercises, seed)
    chapters = dict.fromkeys(each.chapter for each in exercises)
    every = [(answer, each) for chapter in chapters for answer in answers(course, chapter) for each in exercises]
    pairs = [(answer, each) for answer, each in every if each.name in answer.exercises]
    outcomes: Counter[str] = Counter()
    for answer, exercise in rng.sample(pairs, len(pairs)):
        found = chosen(about(course, answer, exercise, known[exercise.name], seed), THREE, [], outcomes, ())
        if not most:
            return
        if found:
            most -= 1
            question = rng.choice(found)
            outcomes.update([question.outcome] if question.outcome else [])
            console.print(Text(f"\n{exercise.name}, {answer.style}: {question.kind} {question.outcome}", style="bold"))
            print_question(question, console)
            print_reply(question, False, console)
