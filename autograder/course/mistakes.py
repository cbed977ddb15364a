"""The known mistakes of a chapter: what its functions and classes that are marked as such say of themselves."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from types import CellType, FunctionType, ModuleType
from typing import Any, TypeAlias, TypeVar

from autograder.core.errors import UsageError
from autograder.course.model import Misconception, pair

Wrong = TypeVar("Wrong", bound=Callable[..., Any])
Mistakes: TypeAlias = tuple[tuple[Misconception, ...], tuple[Misconception, ...]]
"""Single mistakes, and pairs of them."""
_OF_ITS_CLASS = ("__dict__", "__weakref__")
"""What Python adds to each class anew."""


def misconception(exercise: str, *identifiers: str) -> Callable[[Wrong], Wrong]:
    """Mark a function or class as a known wrong answer to `exercise`.

    The docstring is what the student reads: its first paragraph names the mistake in one sentence, the second is a
    nudge, a third the cure. With several identifiers it is a known pair: these mistakes, each known by itself too, made
    in one answer. Further marks below the first make it a mistake in other exercises of the chapter too, its twins.
    """

    def mark(wrong: Wrong) -> Wrong:
        known = ((exercise, *identifiers), *vars(wrong).get("misconceptions", ()))
        wrong.misconceptions = known  # type: ignore[attr-defined]
        return wrong

    return mark


def singles_and_pairs(marked: Sequence[Any], chapter: str, reference: Callable[[], ModuleType]) -> Mistakes:
    """Return the mistakes that the functions and classes `marked` are, then their twins in other exercises.

    Raises:
        UsageError: two have one id, one is a pair of what is no known mistake, or a twin cannot be made.
    """
    own = [(each, each.misconceptions[0]) for each in marked]
    twins = [(twin(each, mark[0], reference()), mark) for each in marked for mark in each.misconceptions[1:]]
    singles = tuple(_misconception(each, *mark) for each, mark in (*own, *twins) if len(mark) == 2)
    known = {single.identifier: single for single in singles}
    if twice := [name for name, count in Counter(single.identifier for single in singles).items() if count > 1]:
        raise UsageError(f"{chapter} has two known mistakes called '{twice[0]}'; give one of them another id")
    pairs = tuple(_pair(each, mark[1:], known) for each, mark in (*own, *twins) if len(mark) > 2)
    return singles, pairs


def twin(wrong: Any, exercise: str, reference: ModuleType) -> Any:
    """Return a copy of a known mistake with `exercise` in place of the exercise that it is written for.

    Raises:
        UsageError: there is no such exercise, or a decorator keeps the copy from being made.
    """
    written_for, *_ = wrong.misconceptions[0]
    if not hasattr(reference, exercise):
        raise UsageError(f"{_place(wrong)} is marked for '{exercise}', which {reference.__name__} does not define")
    original, right = getattr(reference, written_for, None), getattr(reference, exercise)
    names = vars(sys.modules[wrong.__module__]) | {written_for: right}
    parts = dict(vars(wrong)) if isinstance(wrong, type) else {wrong.__name__: wrong}
    if any(map(_is_decorated, parts.values())):
        raise UsageError(f"{_place(wrong)} has a decorator, so it has no twin in '{exercise}'; write that one out")
    itself = CellType()
    copies = {name: _copied(part, names, itself) for name, part in parts.items() if name not in _OF_ITS_CLASS}
    if not isinstance(wrong, type):
        return copies[wrong.__name__]
    bases = tuple(right if base is original else base for base in wrong.__bases__)
    itself.cell_contents = type(wrong)(wrong.__name__, bases, copies)
    return itself.cell_contents


def _is_decorated(part: object) -> bool:
    """Return whether a decorator has put something around a function; the marks of mistakes do not."""
    inside = part.__code__.co_freevars if isinstance(part, FunctionType) else ()
    return isinstance(part, staticmethod | classmethod | property) or bool({*inside} - {"__class__"})


def _copied(part: Any, names: dict[str, Any], owner: CellType) -> Any:
    """Return a copy of a function with other globals, or `part` itself; `super()` finds its class in `owner`."""
    if not isinstance(part, FunctionType):
        return part
    closure = tuple(owner for _ in part.__code__.co_freevars)
    copy = FunctionType(part.__code__, names, part.__name__, part.__defaults__, closure)
    copy.__kwdefaults__, copy.__doc__, copy.__qualname__ = part.__kwdefaults__, part.__doc__, part.__qualname__
    vars(copy).update(vars(part))
    return copy


def _misconception(function: Callable[..., Any], exercise: str, identifier: str) -> Misconception:
    text = re.sub(r"[ \t]*\n[ \t]*", "\n", (function.__doc__ or "").strip())
    says, advice, *cure = (_joined(paragraph) for paragraph in f"{text}\n\n".split("\n\n", 2))
    return Misconception(identifier, exercise, function, says, advice, "".join(cure))


def _pair(function: Callable[..., Any], of: Sequence[str], known: Mapping[str, Misconception]) -> Misconception:
    if unknown := [name for name in of if name not in known]:
        raise UsageError(f"{_place(function)} is a pair of '{unknown[0]}', which is no known mistake")
    one, other = (known[name] for name in of)
    return pair(function, one, other)


def _place(function: Callable[..., Any]) -> str:
    return f"{function.__module__.replace('.', '/')}.py: {function.__name__}"


def _joined(text: str) -> str:
    return " ".join(text.split())
