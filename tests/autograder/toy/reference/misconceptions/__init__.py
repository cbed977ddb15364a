"""What is wrong: known misconceptions, each a small function with what to say about it."""

from collections.abc import Callable
from typing import TypeVar

Wrong = TypeVar("Wrong", bound=Callable)


def misconception(exercise: str, *identifiers: str) -> Callable[[Wrong], Wrong]:
    """Mark a function or class as a known wrong answer to `exercise`.

    The docstring is what the student reads: its first paragraph names the mistake in one
    sentence, the rest says what to do about it.
    """

    def mark(wrong: Wrong) -> Wrong:
        wrong.misconceptions = ((exercise, *identifiers), *vars(wrong).get("misconceptions", ()))
        return wrong

    return mark
