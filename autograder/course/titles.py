"""The titles of a course and its chapters."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Self

from autograder.core.reading import text
from autograder.core.text import one_line
from autograder.course.course import Course

LONGEST = 200  # characters of a title
WORD = re.compile(r"[^\W_]+")
HEADING = re.compile(r"^# # (?:Chapter \d+ · )?(.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Titles:
    """The title of a course, and the topic in the heading of each chapter."""

    course: str = ""
    topics: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, course: Course) -> Self:
        """Read the titles from the course's settings and its chapters' files."""
        found = {chapter: _heading(course, chapter) for chapter in course.chapters}
        return cls(
            one_line(str(course.settings.get("title", "")), LONGEST),
            {stem: topic for stem, topic in found.items() if topic},
        )

    def topic(self, chapter: str) -> str:
        """Return "Several heads" for "ch05_multihead"; without a heading, the name of its file."""
        return self.topics.get(chapter) or chapter.partition("_")[2].replace("_", " ").capitalize() or chapter

    def chapter(self, chapter: str) -> str:
        """Return "5 · Several heads" for "ch05_multihead"; other names stay as they are."""
        number = chapter.partition("_")[0].removeprefix("ch")
        return f"{int(number)} · {self.topic(chapter)}" if number.isdigit() else chapter


def _heading(course: Course, chapter: str) -> str:
    found = None
    with contextlib.suppress(OSError, ValueError):
        found = HEADING.search(text(course.stub(chapter)))
    return one_line(found[1], LONGEST) if found else ""


def assignment_names(chapters: Collection[str]) -> list[str]:
    """Return words that an assignment's name may hold, surest first: of the only chapter, else "attend"."""
    if len(chapters) != 1:
        return ["attend"]
    code, _, topic = next(iter(chapters)).partition("_")
    number = re.sub(r"\D+0*", "", code, count=1)
    return [f"{code} {topic}", f"chapter {number}", code, f"ch {number}", f"ch{number}", topic.replace("_", " ")]


def contains_words(name: str, words: str) -> bool:
    """Return whether a name contains these words in a row, whatever characters separate them."""
    own, wanted = (" ".join(WORD.findall(text.casefold())) for text in (name, words))
    return bool(wanted) and f" {wanted} " in f" {own} "
