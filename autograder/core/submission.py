"""A student's work as text: what intake hands to grading, whatever form it arrived in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from autograder.core.message import Line
from autograder.core.records import ExerciseResult, Status, SubmissionResult


@dataclass(frozen=True)
class Problem:
    """The reason why a chapter's file cannot run: the sentence the student reads, and the line at fault.

    `held` is True where the file may be right and a person should decide.
    """

    status: Status
    message: str
    line: Line | None = None
    held: bool = False


@dataclass(frozen=True)
class PassedOver:
    """A statement at the top level of a file that did not run to its end, so that names it would bind may be missing.

    Args:
        place: where it stands, such as "line 12 of helpers.py".
        names: what it binds or changes.
        why: what happened, in one line.
        status: what it costs an exercise that needs one of the names.
    """

    place: str
    names: tuple[str, ...]
    why: str
    status: Status = "error"

    def __str__(self) -> str:
        return f"{self.place} was passed over: {self.why}"


@dataclass(frozen=True)
class ChapterSource:
    """One chapter's answers: `text` is Python source, `origin` the file it came from.

    `problem` concerns the whole chapter (an unreadable file, a syntax error), `broken` single exercises whose piece of
    the file cannot be read; the others still count, and of what does not compile besides, `passed` tells.
    `artefacts` are the trained models handed in with it, by name; `beside` the texts of the student's own modules that
    it imports, by dotted names.
    """

    chapter: str
    text: str
    origin: str
    problem: Problem | None = None
    broken: Mapping[str, Problem] = field(default_factory=dict)
    artefacts: Mapping[str, bytes] = field(default_factory=dict)
    passed: tuple[PassedOver, ...] = ()
    beside: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Submission:
    """All chapters one student handed in; chapters without a file are not in `chapters`.

    `absent` says, for each chapter without a usable file, what was found instead. `only` names the chapters and
    exercises to grade; empty means all. `seed` is set where the inputs have a seed of their own.
    """

    student: str
    chapters: Mapping[str, ChapterSource]
    absent: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    seed: int | None = None

    def seed_or(self, usual: int) -> int:
        """Return its own seed, or the usual one."""
        return usual if self.seed is None else self.seed

    def part(self, chapter: str) -> Submission:
        """Return a submission of this one chapter."""
        chapters = {chapter: self.chapters[chapter]} if chapter in self.chapters else {}
        absent = {chapter: self.absent[chapter]} if chapter in self.absent else {}
        return Submission(self.student, chapters, absent, only=(chapter,), seed=self.seed)

    def result(
        self,
        exercises: Sequence[ExerciseResult],
        *,
        sandbox: str,
        seed: int,
        versions: dict[str, str],
        seconds: float = 0.0,
    ) -> SubmissionResult:
        """Return the result that these exercises add up to; `seed` counts unless the submission has its own."""
        return SubmissionResult.of(
            self.student,
            exercises,
            sandbox=sandbox,
            seed=self.seed_or(seed),
            versions=versions,
            notes=self.notes,
            seconds=seconds,
        )


def one_chapter(student: str, chapter: str, text: str, artefacts: Mapping[str, bytes] | None = None) -> Submission:
    """Return a submission of one chapter whose file has no problem."""
    source = ChapterSource(chapter, text, f"{chapter}.py", artefacts=artefacts or {})
    return Submission(student, {chapter: source})
