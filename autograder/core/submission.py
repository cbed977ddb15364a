"""A student's work as text: what intake hands to grading, whatever form it arrived in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from autograder.core.message import Line
from autograder.core.records import Status


@dataclass(frozen=True)
class Problem:
    """Why a chapter's file cannot be run at all: the sentence the student reads, and the line that is to blame."""

    status: Status
    message: str
    line: Line | None = None


@dataclass(frozen=True)
class ChapterSource:
    """One chapter's answers: `text` is Python source, `origin` the file it came from.

    `problem` stands for the whole chapter (an unreadable file, a syntax error). `broken` names
    single exercises whose own notebook cell could not be read, the others still count. `artefacts` are trained models
    that were handed in with it, by name.
    """

    chapter: str
    text: str
    origin: str
    problem: Problem | None = None
    broken: Mapping[str, Problem] = field(default_factory=dict)
    artefacts: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True)
class Submission:
    """All chapters one student handed in; chapters without a file are not in `chapters`.

    `absent` says, per chapter without a usable file, what was looked for and found instead. `only` are the chapters
    and exercises that are to be graded, all if it is empty. `seed` is that of its inputs, where it has one of its own.
    """

    student: str
    chapters: Mapping[str, ChapterSource]
    absent: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    seed: int | None = None

    def seed_or(self, usual: int) -> int:
        """Its own seed, or the usual one."""
        return usual if self.seed is None else self.seed

    def part(self, chapter: str) -> Submission:
        """One chapter of it, by itself."""
        chapters = {chapter: self.chapters[chapter]} if chapter in self.chapters else {}
        absent = {chapter: self.absent[chapter]} if chapter in self.absent else {}
        return Submission(self.student, chapters, absent, only=(chapter,), seed=self.seed)


def one_chapter(student: str, chapter: str, text: str, artefacts: Mapping[str, bytes] | None = None) -> Submission:
    """A submission of one chapter, whose file is as it should be."""
    source = ChapterSource(chapter, text, f"{chapter}.py", artefacts=artefacts or {})
    return Submission(student, {chapter: source})
