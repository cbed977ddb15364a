"""Chapters and exercises, found by the words that people type."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence

from autograder.core.errors import UsageError
from autograder.core.text import join_names
from autograder.course.model import Exercise

SEPARATORS = re.compile(r"[/\\.:]+")
CHAPTER_NUMBER = re.compile(r"(?:chapter|ch)?[ _-]*(\d{1,2})")
NUMBERED = re.compile(r"(?:chapter|ch)?[ _-]*\d{1,2}[ _-]+(.+)")


def find(chapters: Sequence[str], exercises: Sequence[Exercise], name: str) -> tuple[Exercise, ...]:
    """Return the exercises of the chapter, or the one exercise, that `name` stands for.

    Raises:
        UsageError: it is unknown or ambiguous; the error offers the nearest names.
    """
    wanted = bare(name)
    if number := CHAPTER_NUMBER.fullmatch(wanted):
        wanted = f"ch{int(number[1]):02d}"
    of = {chapter: tuple(each for each in exercises if each.chapter == chapter) for chapter in chapters}
    known = {_topic(chapter): of[chapter] for chapter in chapters}
    known |= {chapter.lower(): of[chapter] for chapter in chapters}
    known |= {exercise.name.lower(): (exercise,) for exercise in exercises}
    if wanted in known:
        return known[wanted]
    numbered = NUMBERED.fullmatch(wanted)
    alone = numbered[1] if numbered else wanted
    if alone in known:
        return known[alone]
    hits = [key for key in known if key.startswith(wanted)] if wanted else []
    hits = hits or ([key for key in known if wanted in key] if wanted else [])
    if len({known[key] for key in hits}) == 1:
        return known[hits[0]]
    if hits:
        several = join_names(_proper(chapters, exercises, hits), last="or")
        raise UsageError(f"'{name}' could be {several}; give one more letter or two")
    near = difflib.get_close_matches(alone, known, n=3, cutoff=0.5)
    offer = (
        f"did you mean {join_names(_proper(chapters, exercises, near), last='or')}?"
        if near
        else "`attend list` shows all names"
    )
    raise UsageError(f"there is no chapter or exercise '{name}'; {offer}")


def bare(name: str) -> str:
    """Return the name in lower case, without folders, endings and a chapter before it."""
    whole = name.strip().lower().removesuffix(".py").removesuffix(".ipynb")
    return SEPARATORS.split(whole)[-1].removeprefix("test_")


def _proper(chapters: Sequence[str], exercises: Sequence[Exercise], names: Iterable[str]) -> list[str]:
    proper = {_topic(chapter): chapter for chapter in chapters}
    proper |= {name.lower(): name for name in (*chapters, *(e.name for e in exercises))}
    return list(dict.fromkeys(proper[name] for name in names))


def _topic(chapter: str) -> str:
    """Return the chapter's name without its number: "attention" for "ch03_attention"."""
    return chapter.lower().partition("_")[2]
