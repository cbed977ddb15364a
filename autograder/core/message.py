"""The message of a failed check: one record, from the check that makes it to every page that shows it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from autograder.core.text import plain

LONGEST: Final = 6000
"""Characters kept of each part: a student's own text may be endless."""

_FIRST_VERSION: Final = re.compile(r"  (called|expected|got|try) +(.*)")


@dataclass(frozen=True)
class Line:
    """A line of the student's code.

    Args:
        number: the line in the graded module; 0 where only `text` is known.
        text: the code of the line.
        caret: the column a syntax error points at; None for any other line.
        place: the line's name where its number means nothing, such as "cell [7]".
    """

    number: int
    text: str = ""
    caret: int | None = None
    place: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", plain(self.text)[:LONGEST])

    @classmethod
    def of(cls, number: int | None, text: str) -> Line | None:
        """Return the line of an error; None where it is not in the student's code."""
        return cls(number, text.strip()) if number else None

    def __str__(self) -> str:
        place = self.place or (f"line {self.number}" if self.number else "")
        return ": ".join(filter(None, [place, self.text]))


@dataclass(frozen=True)
class Example:
    """A small call on which an answer is wrong.

    Args:
        given: the names of the arguments and parameters, and their values in full.
        expected, got: the right result, and the student's.
    """

    given: tuple[tuple[str, str], ...]
    expected: str
    got: str

    def __post_init__(self) -> None:
        rows = tuple((plain(name), plain(text)[:LONGEST]) for name, text in self.given)
        object.__setattr__(self, "given", rows)
        for name in ("expected", "got"):
            object.__setattr__(self, name, plain(getattr(self, name))[:LONGEST])

    @property
    def rows(self) -> list[tuple[str, str]]:
        """Return all of it as names and values."""
        return [*self.given, ("expected", self.expected), ("got", self.got)]


@dataclass(frozen=True)
class Message:
    """The message of a failed check.

    Args:
        headline: one sentence that names the problem.
        called: the call that was made.
        expected, got: the right answer, and the student's.
        advice: what to do.
        line: the line of the student's code where it happened.
        wrong: the share of wrong entries, from 0 to 1.
        example: the smallest example that was found.
    """

    headline: str = ""
    called: str = ""
    expected: str = ""
    got: str = ""
    advice: str = ""
    line: Line | None = None
    wrong: float = 0.0
    example: Example | None = None

    def __post_init__(self) -> None:
        for name in ("headline", "called", "expected", "got", "advice"):
            text = plain(getattr(self, name)).strip("\n")
            object.__setattr__(self, name, text if len(text) <= LONGEST else text[:LONGEST] + " … (cut)")

    @property
    def sentence(self) -> str:
        """Return the headline's sentence about a mistake, without the numbers of one answer after it."""
        says, aside, _ = self.headline.partition(". (")
        return f"{says}." if aside else self.headline

    @property
    def excerpt(self) -> str:
        """Return the line that does not compile, with a caret below it; "" for any other message."""
        if self.line is None or self.line.caret is None:
            return ""
        return f"{self.line.text}\n{' ' * self.line.caret}^"

    @property
    def rows(self) -> list[tuple[str, str]]:
        """Return the parts below the headline, each with its label."""
        where = "" if self.line is None or self.excerpt else str(self.line)
        labelled = ("called", self.called), ("expected", self.expected), ("got", self.got), ("where", where)
        return [(label, text) for label, text in (*labelled, ("try", self.advice)) if text]

    @property
    def text(self) -> str:
        """Return the whole message as plain text."""
        excerpt = [f"    {line}" for line in self.excerpt.split("\n") if line]
        return "\n".join([self.headline, *excerpt, *(f"  {label:<9} {text}" for label, text in self.rows)])


def still_to_do(exercise: str) -> Message:
    """Return the message for an answer that is still the stub."""
    return Message(f"{exercise} is still to do", advice=f"`attend hint {exercise}` helps to begin")


def of_first_version(text: str) -> Message:
    """Return the message that version 1 of the results stored as one text."""
    headline, *lines = text.split("\n")
    found = [_FIRST_VERSION.fullmatch(line) for line in lines]
    parts = {match[1]: match[2] for match in found if match}
    if len(parts) < len(lines):  # lines of another kind, such as an excerpt
        return Message(headline, got="\n".join(lines))
    called, expected, got, advice = (parts.get(label, "") for label in ("called", "expected", "got", "try"))
    return Message(headline, called, expected, got, advice)


def stands_in(text: str, part: str) -> bool:
    """Return whether the text contains `part`; a number must stand alone, not inside a longer one."""
    around = (r"(?<![\d.])", r"(?!\d)") if part.isdigit() else ("", "")
    return re.search(around[0] + re.escape(part) + around[1], text) is not None
