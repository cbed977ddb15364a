"""How two observations differ, as plain facts. `words.py` puts them into words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from autograder.calls.records import Data

Stage = Literal["outcome", "structure", "shape", "dtype", "nan", "values", "gradients", "arguments", "again"]
STAGES: tuple[Stage, ...] = (
    "outcome", "structure", "shape", "dtype", "nan", "values", "gradients", "arguments", "again"
)  # fmt: skip

Rule = Literal[
    # outcome
    "absent", "not raised", "unfit", "raised", "none",
    # structure
    "kind", "parts",
    # a leaf
    "shape", "dtype", "device", "nan", "numbers", "plain",
    # gradients, with those of a leaf
    "overwritten", "no gradients", "unreached",
    # arguments
    "argument", "mode", "module", "changed",
    # again
    "unsteady", "another",
]  # fmt: skip
"""What is wrong."""


class PathStep(NamedTuple):
    """A step into a value: to item `key` of `size`, to the key of a dict, or to a part of a module's state."""

    kind: Literal["item", "key", "state"]
    key: Data
    size: int = 0


@dataclass(frozen=True)
class Difference:
    """One difference.

    Args:
        stage: the first stage at which the two disagree.
        rule: what is wrong.
        want, have: the expected and the observed value at the place; some rules use only one of them.
        path: the steps from the result to the place.
        source: where the path starts if not at the result, such as "argument 1" or its gradient.
        tolerance: the distance allowed between two numbers.
        inner: the underlying difference, such as that between two answers to the same call.
    """

    stage: Stage
    rule: Rule
    want: Data = None
    have: Data = None
    path: tuple[PathStep, ...] = ()
    source: str = ""
    tolerance: float | None = None
    inner: Difference | None = None


def unheld(says: str) -> str:
    """Return the headline for a property that an answer lacks."""
    return f"this should be true, but is not: {says}"


class Words(NamedTuple):
    """A difference in words; `wrong` is the share of entries that are wrong."""

    headline: str
    expected: str
    got: str
    advice: str = ""
    wrong: float = 0.0


@dataclass(frozen=True)
class Stated:
    """A failure that a check states itself, because it is not a difference between two values."""

    stage: Stage
    words: Words

    @classmethod
    def unheld(cls, says: str, got: str) -> Stated:
        """Return the statement that a property does not hold."""
        return cls("values", Words(unheld(says), says, got))
