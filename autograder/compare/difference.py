"""Where two observations part, as facts: what compares has no words, and `words.py` finds them."""

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
"""What was broken."""


class Step(NamedTuple):
    """A step into a value: to item `key` of `size`, to the key of a dict, or to a part of a module's state."""

    kind: Literal["item", "key", "state"]
    key: Data
    size: int = 0


@dataclass(frozen=True)
class Difference:
    """One difference.

    Args:
        stage: how far both agree.
        rule: what was broken.
        want, have: the two values at the place; what else they are depends on the rule.
        path: the steps from the result to the place.
        source: what the path starts from, if it is not the result, such as "argument 1" or its gradient.
        tolerance: what was allowed between two numbers.
        inner: the difference that this one is about, such as that between two answers to one call.
    """

    stage: Stage
    rule: Rule
    want: Data = None
    have: Data = None
    path: tuple[Step, ...] = ()
    source: str = ""
    tolerance: float | None = None
    inner: Difference | None = None


class Words(NamedTuple):
    """A difference in words; `wrong` is the share of entries that are wrong."""

    headline: str
    expected: str
    got: str
    advice: str = ""
    wrong: float = 0.0


@dataclass(frozen=True)
class Stated:
    """What a check itself says is wrong, where it is not two values that differ."""

    stage: Stage
    words: Words

    @classmethod
    def unheld(cls, says: str, got: str) -> Stated:
        """Return the statement that a property does not hold."""
        return cls("values", Words(f"this does not hold: {says}", says, got))
