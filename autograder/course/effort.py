"""The author's estimate of each exercise's difficulty and time, and whether it is a draft."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated

import msgspec

from autograder.core.reading import contents, decoded
from autograder.core.text import join_names
from autograder.course.course import Course
from autograder.course.model import Exercise

NAME = "effort.json"
HARDEST = 3


@dataclass(frozen=True)
class Effort:
    """`difficulty` from 1 to 3; `minutes` for a learner who has read the chapter up to there.

    `core` exercises are those of the core path, and the `last` of them come after all others there; the checks of a
    `draft` are not proven yet.
    """

    difficulty: Annotated[int, msgspec.Meta(ge=1, le=HARDEST)]
    minutes: Annotated[int, msgspec.Meta(ge=0, le=10_000)]
    core: bool = False
    draft: bool = False
    last: bool = False

    @property
    def marks(self) -> str:
        """Return the difficulty as "●●○"."""
        return "●" * self.difficulty + "○" * (HARDEST - self.difficulty)


def efforts(course: Course) -> dict[str, Effort]:
    """Return the efforts by exercise; none where the estimates are missing or damaged."""
    try:
        return decoded(contents(course.table(NAME)), dict[str, Effort])
    except (OSError, ValueError):  # no verdict depends on them
        return {}


def minutes(exercises: Iterable[Exercise], known: Mapping[str, Effort]) -> int:
    """Return the minutes of all exercises together."""
    return sum(known[exercise.name].minutes for exercise in exercises if exercise.name in known)


def is_core(exercise: Exercise, known: Mapping[str, Effort]) -> bool:
    """Return whether the exercise is on the core path."""
    return exercise.name in known and known[exercise.name].core


def draft_line(exercises: Iterable[Exercise], known: Mapping[str, Effort]) -> str:
    """Which of them are drafts; "" if none is."""
    names = [exercise.name for exercise in exercises if exercise.name in known and known[exercise.name].draft]
    return f"draft, checks not proven yet: {join_names(names)}" if names else ""


def duration(total: int) -> str:
    """Return 95 minutes as "1 h 35 min"."""
    hours, rest = divmod(total, 60)
    return " ".join([*([f"{hours} h"] if hours else []), *([f"{rest} min"] if rest or not hours else [])])
