"""The magics of a notebook, such as %check and %hint. Each loads what it needs on first use."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from IPython.display import display
from rich import get_console

from autograder.core.errors import AttendError, UsageError
from autograder.core.reading import text
from autograder.course.course import Course
from autograder.course.model import Exercise
from autograder.course.sealed_facts import checked_here
from autograder.student.cell_lines import as_magics
from autograder.student.hints import ONE, Hint, asked_for
from autograder.student.hints import hint as next_hint
from autograder.student.notebook.kernel_session import follow

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

SEED = re.compile(r"--seed[ =]+(\d+)")
ANYWAY = "--anyway"
ESCAPE = "" if os.name == "nt" else "\\"
"""What takes the meaning from the character after it; paths on Windows are full of backslashes."""
OF_IPYTHON = frozenset({"in", "out", "dhist", "array"})
"""What IPython's own %reset takes."""
RELOAD = "to see it here: File, Reload Notebook from Disk; then run its cell again"
NOT_SAVED = (
    "{0} is as it was handed out in the saved files, but you have run an answer that is not in them. If the notebook "
    "still shows it, save the notebook, then %reset {0} again; if it shows the original, run that cell"
)
Magic = Callable[[str], None]


def register(shell: InteractiveShell) -> None:
    """Register the magics with `shell`, and follow its cells from now on."""
    follow(shell)
    for magic in MAGICS:
        name = magic.__name__
        shell.magics_manager.register_function(_with_messages(magic, shell), "line", name)


def _with_messages(magic: Callable[[InteractiveShell, str], None], shell: InteractiveShell) -> Magic:
    """Return the magic with its help, printing the message of an error that the student can fix."""

    def run(line: str) -> None:
        with _last_error():
            try:
                magic(shell, line)
            except AttendError as error:
                print(as_magics(str(error)))

    run.__doc__ = magic.__doc__
    return run


@contextmanager
def _last_error() -> Iterator[None]:
    """Keep the last error of the student's own cells for %debug, as pytest overwrites it at each failed check."""
    kept = {name: value for name, value in vars(sys).items() if name.startswith("last_")}
    try:
        yield
    finally:
        for name in [name for name in vars(sys) if name.startswith("last_")]:
            delattr(sys, name)
        vars(sys).update(kept)


def check(shell: InteractiveShell, line: str) -> None:
    """Check answers: %check NAME..., with an exercise, a chapter or a part of a name; all of yours without one."""
    words, seed = _words(line)
    course = Course.find()
    exercises = checked_here(course.select(words) if words else _defined(course, shell))
    from autograder.student.notebook.cell_check import check as run

    screen = _Screen(live=len(exercises) > 1 and hasattr(shell, "kernel"))
    screen.last(run(course, exercises, seed, screen.next))


def hint(_: InteractiveShell, line: str) -> None:
    """Show one hint at a time: %hint NAME, or %hint NAME LEVEL with 1 a nudge, 2 the idea, 3 nearly the code."""
    words, _seed = _words(line)
    name, level = asked_for(words)
    if not name:
        raise UsageError(ONE)
    display(Advice(next_hint(Course.find(), name, level)))


def explain(_: InteractiveShell, line: str) -> None:
    """Explain the mistake that the last check named, or after a pass what the piece is for: %explain NAME."""
    words, _seed = _words(line)
    if len(words) != 1:
        raise UsageError("one at a time: %explain NAME")
    from autograder.student.notebook.displays import explained

    display(explained(Course.find(), words[0]))


def show(_: InteractiveShell, line: str) -> None:
    """Show a picture of what your answer returns beside what is expected: %show NAME."""
    words, seed = _words(line)
    if len(words) != 1:
        raise UsageError("one exercise at a time: %show NAME")
    course = Course.find()
    from autograder.student.notebook.displays import picture as of_answer

    (exercise,) = checked_here([course.one(words[0])])
    display(of_answer(course, exercise, seed))


def picture(_: InteractiveShell, line: str) -> None:
    """Show a picture of the lesson, drawn by your own answers once they have passed: %picture NAME."""
    words, _seed = _words(line)
    if len(words) != 1:
        raise UsageError("one picture at a time: %picture NAME")
    from autograder.student.pictures.lesson_picture import lesson_picture

    display(FigureInCell(lesson_picture(Course.find(), words[0])))


def solution(_: InteractiveShell, line: str) -> None:
    """Show the course's own answer, once yours has passed: %solution NAME; before that %solution NAME --anyway."""
    words = [word for word in line.split() if word != ANYWAY]
    if len(words) != 1:
        raise UsageError("one exercise at a time: %solution NAME")
    from autograder.student.answers import solution as answer

    display(Solution(answer(Course.find(), words[0], anyway=ANYWAY in line.split())))


def reset(shell: InteractiveShell, line: str) -> None:
    """Put back an exercise as it was handed out; your answer is kept: %reset NAME.

    Without a name, or with options, it is IPython's own %reset, which deletes variables.
    """
    words = line.split()
    if not words or words[0].startswith("-") or {*words} <= OF_IPYTHON:
        shell.magics_manager.registry["NamespaceMagics"].reset(line)
        return
    if len(words) != 1:
        raise UsageError("one exercise at a time: %reset NAME")
    from autograder.student.answers import reset as give_back

    course = Course.find()
    done = give_back(course, words[0])
    if not done.changed and _has_answer(course, course.one(words[0])):
        print(NOT_SAVED.format(done.exercise))
        return
    print("\n".join([done.text(), *([RELOAD] if done.changed else [])]))


def _has_answer(course: Course, exercise: Exercise) -> bool:
    """Return whether the kernel has run an answer other than the stub."""
    from autograder.source.stub import is_stub_answer
    from autograder.student.notebook.history import submission

    source = submission(course, exercise.chapter).chapters[exercise.chapter]
    stub = text(course.stub(exercise.chapter))
    return exercise.name not in source.broken and not is_stub_answer(source.text, stub, exercise.name)


def train(_: InteractiveShell, line: str) -> None:
    """Train a capstone from your own answers: %train NAME [--resume] [--device cuda] [--seed 1].

    `--data PATH` is for sentiment, `--weights PATH` for meaning. Without a name it lists them.
    """
    parser = _Parser(prog="%train", add_help=False, exit_on_error=False, allow_abbrev=False)
    parser.add_argument("name", nargs="?")
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--data", type=Path, dest="place")
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--seed", type=int)
    try:
        wish = vars(parser.parse_args(words_of(line)))
    except (argparse.ArgumentError, ValueError) as error:
        raise UsageError(f"{error}; such as %train digits, or %train digits --resume") from error
    if wish["name"] is None:
        from autograder.student.capstones.train_command import overview
        from autograder.student.pictures.notebook_picture import plain_text

        print(as_magics(plain_text(lambda console: console.print(overview(Course.find())))))
        return
    from autograder.student.capstones.training_run import Wish
    from autograder.student.notebook.train import run

    run(Course.find(), Wish(**wish))


def sample(_: InteractiveShell, line: str) -> None:
    """Prompt a model that you have trained: %sample NAME [PROMPT] [--length 300] [--temperature 0.8] [--top-p 0.95].

    `--seed 1` repeats an answer.
    """
    parser = _Parser(prog="%sample", add_help=False, exit_on_error=False, allow_abbrev=False)
    parser.add_argument("name")
    parser.add_argument("prompt", nargs="*")
    for option, kind in (("--length", int), ("--temperature", float), ("--top-p", float), ("--seed", int)):
        parser.add_argument(option, type=kind, default=argparse.SUPPRESS)
    try:
        asked = vars(parser.parse_args(words_of(line)))
    except (argparse.ArgumentError, ValueError) as error:
        raise UsageError(
            f"{error}; use it as in %sample reverse 123, or %sample shakespeare 'To be' --length 80"
        ) from error
    from autograder.student.capstones.recipe import Sampling
    from autograder.student.capstones.sampling import run

    name, prompt = asked.pop("name"), " ".join(asked.pop("prompt")) or None
    run(Course.find(), name, prompt, Sampling(**asked), get_console())


def ask(_: InteractiveShell, line: str) -> None:
    """Ask about your own answer that has passed: %ask NAME, or %ask alone; then %ask b answers with choice b."""
    words, seed = _words(line)
    if len(words) > 1:
        raise UsageError("one at a time: %ask NAME, then %ask a, %ask b and so on")
    from autograder.student.notebook.ask_cell import next_words

    print(next_words(Course.find(), "".join(words), seed))


def words_of(line: str) -> list[str]:
    """Split a line as a shell does.

    Raises:
        ValueError: a quote does not end.
    """
    words = shlex.shlex(line, posix=True)
    words.whitespace_split, words.commenters, words.escape = True, "", ESCAPE
    return [*words]


class _Parser(argparse.ArgumentParser):
    """Raises ValueError on wrong use, where argparse would end the kernel."""

    def error(self, message: str) -> NoReturn:
        raise ValueError(message)


@dataclass(frozen=True)
class Solution:
    """The course's answer as a notebook shows it."""

    code: str

    def __repr__(self) -> str:
        return self.code

    def _repr_markdown_(self) -> str:
        return f"```python\n{self.code}\n```"


@dataclass(frozen=True)
class FigureInCell:
    """A picture of a lesson as a notebook shows it; as text its caption and what each part says."""

    html: str

    def __repr__(self) -> str:
        parts = re.findall(r'aria-label="([^"]*)"|<figcaption[^>]*>(.*?)</figcaption>', self.html)
        return unescape("\n".join(label or caption for label, caption in parts))

    def _repr_html_(self) -> str:
        return self.html


@dataclass(frozen=True)
class Advice:
    """A hint as a notebook shows it."""

    hint: Hint

    def __repr__(self) -> str:
        return as_magics(self.hint.text())

    def _repr_markdown_(self) -> str:
        head, _, words = repr(self).partition("\n")
        return f"**{head}**\n{words}"


class _Screen:
    """Displays the output of a check: after each exercise if it is `live`, else once."""

    def __init__(self, live: bool) -> None:
        self._live = live
        self._handle: Any = None

    def next(self, output: Any) -> None:
        """Display an output that is not complete."""
        if self._live:
            self.last(output)

    def last(self, output: Any) -> None:
        """Display the complete output."""
        if self._handle is None:
            self._handle = display(output, display_id=self._live or None)
        else:
            self._handle.update(output)


def _words(line: str) -> tuple[list[str], int | None]:
    seed = SEED.search(line)
    return SEED.sub(" ", line).replace(",", " ").split(), int(seed[1]) if seed else None


def _defined(course: Course, shell: InteractiveShell) -> tuple[Exercise, ...]:
    found = tuple(exercise for exercise in course.exercises if exercise.name in shell.user_ns)
    if not found:
        raise UsageError("no exercise is defined yet: run the cells with your answers (Shift+Enter), then %check again")
    return found


MAGICS = (check, hint, explain, show, picture, solution, reset, train, sample, ask)
