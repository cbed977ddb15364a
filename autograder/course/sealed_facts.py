"""The readable facts about a sealed chapter: seeds, counts, and checks that only the instructor runs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any, NoReturn

import msgspec

from autograder.core.errors import UsageError
from autograder.core.reading import Identifier, contents, decoded
from autograder.course.check_list import MOST_POINTS
from autograder.course.model import Exercise, Misconception

FOLDER = "recorded"
AGAIN = "unpack what you were given once more; your answers in exercises/ can stay"


@dataclass(frozen=True)
class SealedFacts:
    """The facts about one chapter.

    `sha256` is that of its recorded answers; `held_back` counts the instructor's checks by exercise. Known mistakes
    have their exercise and a number; everything else about them is sealed.
    """

    seeds: tuple[int, ...]
    sha256: str
    singles: tuple[Misconception, ...]
    pairs: tuple[Misconception, ...]
    held_back: tuple[Exercise, ...]

    def text(self) -> str:
        """Return the facts as the text of a file."""
        rows = {
            "seeds": self.seeds,
            "sha256": self.sha256,
            "singles": [each.exercise for each in self.singles],
            "pairs": [each.exercise for each in self.pairs],
            "held_back": [[each.name, each.points, each.checks] for each in self.held_back],
        }
        return json.dumps(rows, indent=1, ensure_ascii=False) + "\n"


class _Rows(msgspec.Struct, frozen=True):
    """The facts as their file has them."""

    seeds: tuple[int, ...]
    sha256: str
    singles: list[Identifier]
    pairs: list[Identifier]
    held_back: list[tuple[Identifier, Annotated[float, msgspec.Meta(ge=0, le=MOST_POINTS)], int]]


def facts(root: Path, chapter: str) -> SealedFacts:
    """Return the facts about a chapter of the copy at `root`.

    Raises:
        UsageError: their file is missing, or was changed.
    """
    return _read(root / FOLDER / f"{chapter}.json", chapter)


def unchecked(root: Path, chapter: str, visible: Iterable[Exercise]) -> list[Exercise]:
    """Return the exercises of a sealed chapter that have no check here."""
    names = {exercise.name for exercise in visible}
    return [Exercise(chapter, each.name, 0.0, 0) for each in facts(root, chapter).held_back if each.name not in names]


def checked_here(exercises: Sequence[Exercise]) -> tuple[Exercise, ...]:
    """Return the exercises with a check that can be run here.

    Raises:
        UsageError: there is none, because the instructor runs all checks.
    """
    found = tuple(exercise for exercise in exercises if exercise.checks)
    if exercises and not found:
        names = ", ".join(exercise.name for exercise in exercises[:6])
        raise UsageError(f"all checks of {names} are with your instructor, who runs them on what you hand in")
    return found


@cache
def _read(path: Path, chapter: str) -> SealedFacts:
    try:
        rows = decoded(contents(path), _Rows)
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} is missing, or not as it was handed out; {AGAIN}") from error
    return SealedFacts(
        seeds=rows.seeds,
        sha256=rows.sha256,
        singles=tuple(_sealed(0, rows.singles)),
        pairs=tuple(_sealed(len(rows.singles), rows.pairs)),
        held_back=tuple(Exercise(chapter, *row) for row in rows.held_back),
    )


def _sealed(first: int, exercises: Sequence[str]) -> Iterator[Misconception]:
    """Yield mistakes with nothing but their exercise and a number, from `first` on."""
    for number, exercise in enumerate(exercises, first):
        yield Misconception(str(number), exercise, not_here, "", "")


def not_here(*_: Any, **__: Any) -> NoReturn:
    """Stand in for the code of a sealed mistake."""
    raise UsageError("the results of this mistake are recorded for the checks alone; ask your instructor")
