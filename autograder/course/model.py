"""The records of a course: exercises and known mistakes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple


@dataclass(frozen=True)
class Exercise:
    """One function or class of a chapter, and the points of its checks."""

    chapter: str
    name: str
    points: float
    checks: int


@dataclass(frozen=True)
class Misconception:
    """A known wrong answer: `says` names the mistake in one sentence, `advice` is a nudge, and `cure` what to write.

    A check shows the nudge, `attend explain` the cure too. A pair is "one+other".
    """

    identifier: str
    exercise: str
    function: Callable[..., Any]
    says: str
    advice: str
    cure: str = ""


class Catalogue(NamedTuple):
    """The known mistakes of an exercise, its known pairs, and the mistakes of the chapter's other exercises."""

    singles: Sequence[Misconception]
    pairs: Sequence[Misconception]
    others: Sequence[Misconception]


def pair(function: Callable[..., Any], one: Misconception, other: Misconception) -> Misconception:
    """Return the pair of two mistakes of one exercise, both of which `function` makes."""
    says = f"Two mistakes at once. {one.says} And: {other.says}"
    advice, cure = (" ".join(filter(None, texts)) for texts in ((one.advice, other.advice), (one.cure, other.cure)))
    return Misconception(f"{one.identifier}+{other.identifier}", one.exercise, function, says, advice, cure)
