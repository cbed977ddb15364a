"""The known mistakes of a chapter: what its functions and classes that are marked as such say of themselves."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from autograder.core.errors import UsageError
from autograder.course.model import Misconception, pair

Mistakes: TypeAlias = tuple[tuple[Misconception, ...], tuple[Misconception, ...]]
"""Single mistakes, and pairs of them."""


def singles_and_pairs(marked: Sequence[Any], chapter: str) -> Mistakes:
    """Return the mistakes that the functions and classes `marked` are.

    Raises:
        UsageError: two have one id, or one is a pair of what is no known mistake.
    """
    singles = tuple(_misconception(each) for each in marked if len(each.misconception) == 2)
    known = {single.identifier: single for single in singles}
    if twice := [name for name, count in Counter(single.identifier for single in singles).items() if count > 1]:
        raise UsageError(f"{chapter} has two known mistakes called '{twice[0]}'; give one of them another id")
    pairs = tuple(_pair(each, known) for each in marked if len(each.misconception) > 2)
    return singles, pairs


def _misconception(function: Callable[..., Any]) -> Misconception:
    exercise, identifier = function.misconception  # type: ignore[attr-defined]
    text = re.sub(r"[ \t]*\n[ \t]*", "\n", (function.__doc__ or "").strip())
    says, advice, *cure = (_joined(paragraph) for paragraph in f"{text}\n\n".split("\n\n", 2))
    return Misconception(identifier, exercise, function, says, advice, "".join(cure))


def _pair(function: Callable[..., Any], known: Mapping[str, Misconception]) -> Misconception:
    _, *of = function.misconception  # type: ignore[attr-defined]
    if unknown := [name for name in of if name not in known]:
        file = f"{function.__module__.replace('.', '/')}.py"
        raise UsageError(f"{file}: {function.__name__} is a pair of '{unknown[0]}', which is no known mistake")
    one, other = (known[name] for name in of)
    return pair(function, one, other)


def _joined(text: str) -> str:
    return " ".join(text.split())
