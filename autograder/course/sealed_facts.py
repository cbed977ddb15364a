"""What a sealed copy says of a chapter in plain words: seeds, counts, and what only the instructor checks."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

from autograder.core.errors import UsageError
from autograder.course.model import Exercise, Misconception

FOLDER = "recorded"
AGAIN = "unpack what you were given once more; your answers in exercises/ can stay"


@dataclass(frozen=True)
class Facts:
    """Of one chapter; `sha256` is that of its recorded answers, `held_back` are checks by exercise.

    Of each known mistake it names the exercise, and a number in the place of all else, which is sealed.
    """

    seeds: tuple[int, ...]
    sha256: str
    singles: tuple[Misconception, ...]
    pairs: tuple[Misconception, ...]
    held_back: tuple[Exercise, ...]

    def text(self) -> str:
        """As a file."""
        rows = {
            "seeds": self.seeds,
            "sha256": self.sha256,
            "singles": [each.exercise for each in self.singles],
            "pairs": [each.exercise for each in self.pairs],
            "held_back": [[each.name, each.points, each.checks] for each in self.held_back],
        }
        return json.dumps(rows, indent=1, ensure_ascii=False) + "\n"


def facts(root: Path, chapter: str) -> Facts:
    """What stands in the chapter's file, in a copy at `root`.

    Raises:
        UsageError: it is missing, or not as it was handed out.
    """
    return _read(root / FOLDER / f"{chapter}.json", chapter)


def unchecked(root: Path, chapter: str, visible: Iterable[Exercise]) -> list[Exercise]:
    """The exercises of a sealed chapter that have no check here."""
    names = {exercise.name for exercise in visible}
    return [Exercise(chapter, each.name, 0.0, 0) for each in facts(root, chapter).held_back if each.name not in names]


def checked_here(exercises: Sequence[Exercise]) -> tuple[Exercise, ...]:
    """Those with a check that can be run here.

    Raises:
        UsageError: there is none, as the instructor runs all of them.
    """
    found = tuple(exercise for exercise in exercises if exercise.checks)
    if exercises and not found:
        names = ", ".join(exercise.name for exercise in exercises[:6])
        raise UsageError(f"all checks of {names} are with your instructor, who runs them on what you hand in")
    return found


@cache
def _read(path: Path, chapter: str) -> Facts:
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        return Facts(
            seeds=tuple(rows["seeds"]),
            sha256=rows["sha256"],
            singles=tuple(_sealed(0, rows["singles"])),
            pairs=tuple(_sealed(len(rows["singles"]), rows["pairs"])),
            held_back=tuple(Exercise(chapter, *row) for row in rows["held_back"]),
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{path} is missing, or not as it was handed out; {AGAIN}") from error


def _sealed(first: int, exercises: Sequence[str]) -> Iterator[Misconception]:
    """Mistakes of which nothing is known but the exercise, numbered from `first`."""
    for number, exercise in enumerate(exercises, first):
        yield Misconception(str(number), exercise, not_here, "", "")


def not_here(*_: Any, **__: Any) -> NoReturn:
    """Stands where the code of a mistake stands in the course."""
    raise UsageError("what this mistake gives is recorded for the checks alone; ask your instructor")
