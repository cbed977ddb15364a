"""What is wrong: known misconceptions, each a small function with what to say about it."""

from collections.abc import Callable
from typing import TypeVar

Wrong = TypeVar("Wrong", bound=Callable)


def misconception(exercise: str, *identifiers: str) -> Callable[[Wrong], Wrong]:
    """Mark a function or class as a known wrong answer to `exercise`.

    The docstring is what the student reads: its first paragraph names the mistake in one
    sentence, the rest says what to do about it. With several identifiers it is a known pair:
    these mistakes, each known by itself too, made in one answer; the student reads what stands there.

    Below the mark of the exercise that it is written for, further marks make it a mistake in other exercises of the
    chapter too, its twins: the same code with that exercise in place of the first, and the same words.
    """

    def mark(wrong: Wrong) -> Wrong:
        wrong.misconceptions = ((exercise, *identifiers), *vars(wrong).get("misconceptions", ()))
        return wrong

    return mark
