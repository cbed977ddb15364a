"""One hint at a time: a nudge, the idea, nearly the code."""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.core import files
from autograder.core.errors import UsageError
from autograder.course.course import Course


@dataclass(frozen=True)
class Hint:
    """Hint number `level` of `levels` for an exercise; `repeated` where the last one was asked for again.

    The instructor has the last `kept` of them.
    """

    exercise: str
    level: int
    levels: int
    words: str
    repeated: bool
    kept: int = 0

    def text(self) -> str:
        """The hint for a person, and how to get the next one."""
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
    """The next hint for the exercise that `name` means, or the one asked for.

    A working copy remembers what was shown, in `.attend/hints.json`; elsewhere the first one comes each time.

    Args:
        name: an exercise or an unambiguous part of one.
        level: 1 for the faintest hint; None for the one after those already shown.
        remember: whether it counts as shown.

    Raises:
        UsageError: the name means no exercise or several, the level does not exist, or the hints are missing.
    """
    exercise = course.one(name).name
    every = _hints(course, exercise)
    hints = [words for words in every if words is not None]
    kept = len(every) - len(hints)
    if not hints:
        raise UsageError(f"{exercise}: {_with_instructor(kept, kept)}")
    if level is not None and not 1 <= level <= len(hints):
        held = f"; {_with_instructor(kept, len(every))}" if kept else ""
        raise UsageError(f"there is no hint {level} for {exercise}; choose 1 to {len(hints)}{held}")
    state = course.root / ".attend" / "hints.json"
    shown = _shown(state)
    before = shown.get(exercise, 0)
    chosen = level or min(before + 1, len(hints))
    if remember and course.is_copy and chosen > before:
        with contextlib.suppress(UsageError):  # a folder that cannot be written to costs no one a hint
            files.write(state, json.dumps(shown | {exercise: chosen}, indent=2, sort_keys=True) + "\n")
    return Hint(exercise, chosen, len(every), hints[chosen - 1], level is None and before >= len(hints), kept)


def _with_instructor(kept: int, of: int) -> str:
    if kept == of:
        return "the hints are with your instructor; ask there"
    return f"the {'last hint is' if kept == 1 else f'last {kept} hints are'} with your instructor; ask there"


def _hints(course: Course, exercise: str) -> list[str | None]:
    """All hints; None stands for one that was not handed out."""
    path = course.exercises_dir / "hints.json"
    mend = f"run `attend start {course.root}`" if course.is_copy else "run `attend build`"
    try:
        hints = _read(path)[exercise]
        if isinstance(hints, list) and hints:
            return [None if words is None else str(words) for words in hints]
    except FileNotFoundError as error:
        raise UsageError(f"there is no {path}; {mend} to get the hints") from error
    except KeyError as error:
        raise UsageError(f"{path} has no hints for {exercise}; {mend} to bring it up to date") from error
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be read ({error}); {mend} to restore it") from error
    raise UsageError(f"{path} has no list of hints for {exercise}; {mend} to restore it")


def _shown(state: Path) -> dict[str, int]:
    """How many hints were shown per exercise; a lost or spoilt record means none."""
    try:
        return {name: count for name, count in _read(state).items() if isinstance(count, int)}
    except (OSError, ValueError):
        return {}


def _read(path: Path) -> dict[str, Any]:
    value = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(value, dict):
        raise ValueError("it is no JSON object")
    return value
