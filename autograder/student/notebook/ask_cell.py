"""%ask: one question after the other, in cells; the answer to the last one is a letter."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from rich.console import Console
from rich.text import Text

from autograder.core.errors import UsageError
from autograder.course.course import Course
from autograder.student.ask_dialogue import heading, print_next, print_reply, total
from autograder.student.cell_lines import as_magics
from autograder.student.notebook.history import submission
from autograder.student.pictures.notebook_picture import plain_text
from autograder.student.questions import QuestionRound, letters_of, new_round

LETTER = 1
"""A word of this length is an answer: no exercise has so short a name."""
_open: dict[Path, QuestionRound] = {}
"""By the folder of the working copy, the questions that are being asked."""


def next_words(course: Course, word: str, seed: int | None) -> str:
    """Return what a notebook shows: questions about the exercise `word`, or the reply to an answer and what follows.

    Raises:
        UsageError: as for `new_round`, or there is no question to which a letter could be the answer.
    """
    if len(word) == LETTER:
        return as_magics(plain_text(partial(_answer, _open.get(course.root), word.lower())))
    round_ = new_round(course, word, seed, partial(submission, course))
    _open[course.root] = round_
    return as_magics(plain_text(partial(_begin, round_)))


def _begin(round_: QuestionRound, console: Console) -> None:
    console.print(Text(heading(round_)))
    _ask(round_, console)


def _answer(round_: QuestionRound | None, letter: str, console: Console) -> None:
    question = round_.current if round_ else None
    if round_ is None or question is None:
        raise UsageError("no question waits for an answer; %ask NAME asks about an exercise that has passed")
    if letter not in letters_of(question):
        raise UsageError(f"answer with one of {', '.join(letters_of(question))}, such as %ask a")
    print_reply(question, round_.answer(letter), console)
    _ask(round_, console)


def _ask(round_: QuestionRound, console: Console) -> None:
    question = round_.current
    if question is None:
        console.print(Text(total(round_)))
        return
    print_next(round_, len(round_.answers) + 1, console)
    console.print(Text("answer with %ask a, %ask b and so on"))
