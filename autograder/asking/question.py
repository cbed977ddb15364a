"""A question about an answer: what is asked, the choices, and the run that shows which one is right."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from autograder.calls.records import Call

Kind: TypeAlias = Literal["shape", "number", "change"]
Rows: TypeAlias = tuple[tuple[str, str], ...]
KINDS: Final[tuple[Kind, ...]] = ("shape", "number", "change")
LETTERS: Final = "abcd"
CHOICES: Final = len(LETTERS)
MOST_LINES: Final = 16
"""Of an answer are shown with a question."""


@dataclass(frozen=True)
class AskedAbout:
    """What a question is about, for a second run: a call, and a piece of the answer.

    Args:
        line: of the student's text, from 1; 0 where the question names none.
        piece: the expression whose shape is asked for, or the line as it would be.
        entry: the part of the result and the place in it; None for the whole result.
    """

    call: Call
    line: int = 0
    piece: str = ""
    entry: tuple[int | None, tuple[int, ...]] | None = None


@dataclass(frozen=True)
class CodeQuestion:
    """One question with one right choice.

    Args:
        text: the question, with code between backticks.
        code: the lines of the answer that it is about, with their numbers; 0 stands for lines that are left out.
        lines: a line as it is and as it would be.
        given: what the call is given, by argument.
        right: the number of the right choice.
        run: what a run shows, by line of the answer.
        outcome: of a change, what it leads to.
        mistake: what the course says of a known mistake that is this very change.
    """

    exercise: str
    kind: Kind
    text: str
    code: tuple[tuple[int, str], ...]
    given: Rows
    choices: tuple[str, ...]
    right: int
    run: Rows
    asked: AskedAbout
    lines: Rows = ()
    outcome: str = ""
    mistake: str = ""

    @property
    def topic(self) -> str:
        """What it asks about, whatever the inputs are."""
        return _digest([self.exercise, self.kind, str(self.asked.line), self.asked.piece])

    @property
    def key(self) -> str:
        """The same for equal questions, whatever the order of their choices is."""
        return _digest([self.topic, self.text, *(text for row in self.given for text in row)])

    @property
    def letter(self) -> str:
        """The letter of the right choice."""
        return LETTERS[self.right]


def _digest(texts: Sequence[str]) -> str:
    return hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def mixed(right: str, wrong: Sequence[str], rng: random.Random) -> tuple[tuple[str, ...], int]:
    """Return the choices in a random order, and the number of the right one."""
    choices = [right, *wrong]
    rng.shuffle(choices)
    return tuple(choices), choices.index(right)
