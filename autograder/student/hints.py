"""One hint at a time: a nudge, the idea, nearly the code."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import msgspec

from autograder.core import files
from autograder.core.errors import UsageError
from autograder.core.reading import contents, decoded
from autograder.core.text import plain
from autograder.course.course import Course

ONE = "one exercise at a time: attend hint NAME, or attend hint NAME 2 for its second hint"
PLACE = Path(".attend", "hints.json")
Count = Annotated[int, msgspec.Meta(ge=0)]


@dataclass(frozen=True)
class Hint:
    """Hint `level` of `levels` for an exercise; `repeated` if it is the last one once more.

    The instructor kept the last `kept` hints back.
    """

    exercise: str
    level: int
    levels: int
    words: str
    repeated: bool
    kept: int = 0

    def text(self) -> str:
        """Return the hint for display, with the command for the next one."""
        head = f"{self.exercise}, hint {self.level} of {self.levels}"
        if self.repeated:
            head += " (the last one, once more)"
        more = ""
        if self.level < self.levels - self.kept:
            more = f"\n\nmore: attend hint {self.exercise}"
        elif self.kept:
            more = f"\n\n{_with_instructor(self.kept, self.levels)}"
        return f"{head}\n\n{self.words}{more}"


def hint(course: Course, name: str, level: int | None = None, *, remember: bool = True) -> Hint:
    """Return a hint for an exercise: the next one, or the one of `level`.

    A working copy remembers the hints it has shown, in `.attend/hints.json`; elsewhere the next is always the first.

    Args:
        name: an exercise or an unambiguous part of its name.
        level: 1 for the faintest hint; None for the next.
        remember: whether the hint counts as shown.

    Raises:
        UsageError: `name` fits no exercise or several, the level does not exist, or the hints are missing.
    """
    exercise = course.one(name).name
    every = _hints(course, exercise)
    hints = [plain(words) for words in every if words is not None]
    kept = len(every) - len(hints)
    if not hints:
        raise UsageError(f"{exercise}: {_with_instructor(kept, kept)}")
    if level is not None and not 1 <= level <= len(hints):
        held = f"; {_with_instructor(kept, len(every))}" if kept else ""
        raise UsageError(f"there is no hint {level} for {exercise}; choose 1 to {len(hints)}{held}")
    shown = _shown(course)
    before = shown.get(exercise, 0)
    chosen = level or min(before + 1, len(hints))
    if remember and course.is_copy and chosen > before:
        with contextlib.suppress(UsageError):  # in a read-only folder, hints are shown all the same
            files.write(
                files.inside(course.root, PLACE),
                json.dumps(shown | {exercise: chosen}, indent=2, sort_keys=True) + "\n",
            )
    return Hint(exercise, chosen, len(every), hints[chosen - 1], level is None and before >= len(hints), kept)


def asked_for(words: Sequence[str]) -> tuple[str, int | None]:
    """Return the name ("" if there is none) and the level (None for the next) in words such as `softmax 2`.

    Raises:
        UsageError: they hold several of either.
    """
    names, levels = [word for word in words if not word.isdecimal()], [word for word in words if word.isdecimal()]
    if len(names) > 1 or len(levels) > 1:
        raise UsageError(ONE)
    return "".join(names), int(levels[0]) if levels else None


def _with_instructor(kept: int, of: int) -> str:
    if kept == of:
        return "the hints are with your instructor; ask there"
    return f"the {'last hint is' if kept == 1 else f'last {kept} hints are'} with your instructor; ask there"


def _hints(course: Course, exercise: str) -> list[str | None]:
    """Return all hints; None stands for one that was not handed out."""
    path = course.table("hints.json")
    try:
        if hints := decoded(contents(path), dict[str, list[str | None]])[exercise]:
            return hints
    except FileNotFoundError as error:
        raise UsageError(f"there is no {path}; {course.remedy}") from error
    except KeyError as error:
        raise UsageError(f"{path} has no hints for {exercise}; {course.remedy}") from error
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be read ({error}); {course.remedy}") from error
    raise UsageError(f"{path} has no list of hints for {exercise}; {course.remedy}")


def _shown(course: Course) -> dict[str, Count]:
    """Return the number of hints shown, by exercise; a lost or damaged record counts as none."""
    with contextlib.suppress(OSError, ValueError, UsageError):
        return decoded(contents(files.inside(course.root, PLACE)), dict[str, Count])
    return {}
