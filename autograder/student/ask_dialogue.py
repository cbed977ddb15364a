"""The words of `attend ask`, for a terminal and for a notebook."""

from __future__ import annotations

import sys
import textwrap

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from autograder.asking.question import CodeQuestion, Rows
from autograder.core.text import counted, plain
from autograder.course.course import Course
from autograder.student.check import laid_out
from autograder.student.questions import QuestionRound, letters_of, new_round

ANSWER = "your answer ({} to {}; Enter ends): "
DEEPER = "    "
INTERRUPTED = 130
UNGRADED = "nothing is graded by it"


def ask(course: Course, name: str, seed: int | None, console: Console) -> int:
    """Ask a few questions about an answer that passed, one at a time; without a terminal, print them all.

    Returns:
        The command's exit status: 130 after Ctrl-C.

    Raises:
        UsageError: as for `new_round`.
    """
    with console.status("looking for questions"):
        round_ = new_round(course, name, seed)
    console.print(Text(heading(round_), style="bold"))
    if not at_terminal():
        for number in range(len(round_.questions)):
            print_next(round_, number + 1, console)
        console.print(Text(f"to answer them, type `attend ask {round_.exercise} --seed {round_.seed}` in a terminal"))
        return 0
    try:
        _ask_each(round_, console)
    except KeyboardInterrupt:
        console.print(Text("\nstopped; what you answered is kept"))
        return INTERRUPTED
    console.print(Text(total(round_)))
    return 0


def at_terminal() -> bool:
    """Return whether a person reads what is printed and can type an answer."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def _ask_each(round_: QuestionRound, console: Console) -> None:
    while question := round_.current:
        print_next(round_, len(round_.answers) + 1, console)
        letter = _letter(question)
        if not letter:
            break
        print_reply(question, round_.answer(letter), console)


def _letter(question: CodeQuestion) -> str:
    """Return the letter of a choice that the student types; "" to end."""
    letters = letters_of(question)
    while True:
        try:
            words = input(ANSWER.format(letters[0], letters[-1])).strip().lower().strip("().")
        except EOFError:
            print()
            return ""
        if words == "" or (len(words) == 1 and words in letters):
            return words
        print(f"answer with one of {', '.join(letters)}; Enter ends")


def heading(round_: QuestionRound) -> str:
    """Return what the questions are about."""
    return f"{round_.exercise}: {counted(len(round_.questions), 'question')} about your answer; {UNGRADED}"


def total(round_: QuestionRound) -> str:
    """Return how many answers were right."""
    right = f"{sum(round_.answers)} of {len(round_.answers)} right" if round_.answers else "nothing answered"
    return f"{right}; other questions: attend ask {round_.exercise}"


def print_next(round_: QuestionRound, number: int, console: Console) -> None:
    """Print a question of a round under its number."""
    console.print(Text(f"\nquestion {number} of {len(round_.questions)}", style="bold"))
    print_question(round_.questions[number - 1], console)


def print_question(question: CodeQuestion, console: Console) -> None:
    """Print one question with its code, its call and its choices."""
    width = max(len(str(place)) for place, _ in question.code)
    for place, line in question.code:
        shown = _numbered(place, plain(line), width, console.width - 2) if place else f"{'':>{width}}  …"
        console.print(Padding(Text(shown, style="" if place else "dim"), (0, 0, 0, 2)))
    console.print()
    console.print(Text(f"The call: {_call(question)}, with"))
    _print_rows(question.given, console)
    console.print(Text(question.text, style="bold"))
    _print_rows(question.lines, console)
    _print_rows(tuple(zip(letters_of(question), question.choices, strict=True)), console)


def _numbered(place: int, line: str, digits: int, width: int) -> str:
    """Return a line of code behind its number; what does not fit stands farther in than its own line does."""
    within = digits + 2 + len(line) - len(line.lstrip()) + len(DEEPER)
    if within > width / 2:
        return f"{place:>{digits}}  {line}"
    inner = " " * within
    return textwrap.fill(f"{place:>{digits}}  {line}", width, subsequent_indent=inner, break_on_hyphens=False)


def _call(question: CodeQuestion) -> str:
    build = question.asked.call.build
    if build is None:
        return question.exercise
    return f"{question.exercise}(…)" + (f".{build.method}" if build.method else "")


def print_reply(question: CodeQuestion, is_right: bool, console: Console) -> None:
    """Print whether an answer is right; if it is not, the run that shows it."""
    right = f"{question.letter}: {question.choices[question.right]}"
    console.print(Text(f"✓ {right}", style="green") if is_right else Text(f"✗ it is {right}", style="red"))
    if not is_right:
        console.print(Text("a run of your code shows:", style="dim"))
        _print_rows(question.run, console)
    if question.mistake:
        console.print(Text(f"This change is a known mistake: {question.mistake}", style="dim"))


def _print_rows(rows: Rows, console: Console) -> None:
    if rows:
        console.print(Padding(laid_out(rows), (0, 0, 0, 2)))
