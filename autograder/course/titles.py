"""What a course and its chapters are called, on the map and on every page."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

from autograder.course.course import Course

HEADING = re.compile(r"^# # (?:Chapter \d+ · )?(.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Titles:
    """The title of a course, and by chapter the topic that its text is headed with."""

    course: str = ""
    topics: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, course: Course) -> Self:
        """As its settings and its chapters' files have them."""
        found = {chapter: _heading(course, chapter) for chapter in course.chapters}
        return cls(str(course.settings.get("title", "")), {stem: topic for stem, topic in found.items() if topic})

    def topic(self, chapter: str) -> str:
        """ "Several heads" for "ch05_multihead"; where a chapter has no heading, what its file is called."""
        return self.topics.get(chapter) or chapter.partition("_")[2].replace("_", " ").capitalize() or chapter

    def chapter(self, chapter: str) -> str:
        """ "5 · Several heads" for "ch05_multihead"; what is no chapter's name stays as it is."""
        number = chapter.partition("_")[0].removeprefix("ch")
        return f"{int(number)} · {self.topic(chapter)}" if number.isdigit() else chapter


def _heading(course: Course, chapter: str) -> str:
    found = None
    with contextlib.suppress(OSError, UnicodeDecodeError):
        found = HEADING.search(course.stub(chapter).read_text(encoding="utf-8"))
    return found[1].strip() if found else ""
