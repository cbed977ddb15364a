"""What could be read of a class's submissions, what could not, each with its one cause, and what waits for a person."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from autograder.classroom.grades import Grade
from autograder.core.records import ExerciseResult, SubmissionResult

# Reasons in words that quote nothing of a submission, each with what the student's message says.
REASONS: dict[str, re.Pattern[str]] = {
    "a merge conflict was left in it": re.compile(r"merge conflict"),
    "it does not compile": re.compile(r" does not compile"),
    "it is no readable notebook": re.compile(r" is no readable notebook"),
    "it needs a newer Python": re.compile(r" needs Python \d\.\d+: "),
    "it is damaged, locked or packed in an unusual way": re.compile(
        r" is damaged| cannot be read as a zip | cannot be opened | is locked with | is packed by | would grow "
    ),
    "it is too large": re.compile(r" is larger than \d| is too large| more than \d+ (?:KiB|cells)| is one too many: "),
    "it is unclear which file was meant": re.compile(
        r" so none (?:of them )?was read| so it is not clear | so they cannot be read together "
    ),
    "it is another kind of file": re.compile(
        r", not Python; | is neither a folder nor a zip| is a link, | is not a regular file"
    ),
}
OTHER = "another reason"


@dataclass(frozen=True)
class Unread:
    """A file, or a whole submission, that could not be read: one cause, however many exercises it takes along.

    Args:
        says: what the student reads, which may quote the file.
        reason: the same without a quotation, one of `REASONS` or `OTHER`.
    """

    student: str
    chapters: tuple[str, ...]
    says: str
    reason: str


def unread(results: Sequence[SubmissionResult]) -> list[Unread]:
    """Return what could not be read, in the order of the submissions."""
    found = list[Unread]()
    for result in results:
        by_cause: dict[str, list[str]] = {}
        for chapter, exercises in _by_chapter(result).items():
            if _reason(exercises):
                by_cause.setdefault(_headline(exercises[0]), []).append(chapter)
        found += [Unread(result.student, tuple(names), says, _named(says)) for says, names in by_cause.items()]
    return found


def undecided(grades: Sequence[Grade]) -> dict[str, list[str]]:
    """Return the students whom each open sentence is about."""
    found: dict[str, list[str]] = {}
    for grade in grades:
        for sentence in grade.open:
            found.setdefault(sentence, []).append(grade.student)
    return found


def readable(result: SubmissionResult) -> SubmissionResult:
    """Return the result with only the exercises whose file could be read."""
    kept = [each for exercises in _by_chapter(result).values() if not _reason(exercises) for each in exercises]
    return replace(result, exercises=tuple(kept))


def tried(result: SubmissionResult) -> list[ExerciseResult]:
    """Return the exercises that say something about the student: begun, in a file that could be read, and graded."""
    return [each for each in readable(result).exercises if each.status not in ("missing", "grader_error")]


def shares_of(grades: Sequence[Grade]) -> list[float]:
    """Return the percentages of the final grades of those who handed in something that could be read.

    Points that a person gave count too, even where nothing could be read.
    """
    final = [(grade, grade.result) for grade in grades if grade.result and grade.is_final]
    counted = [grade for grade, result in final if grade.score > 0 or not _is_lost(result)]
    return [100 * grade.score / grade.max_score if grade.max_score else 0.0 for grade in counted]


def _is_lost(result: SubmissionResult) -> bool:
    """Return whether nothing of the submission could be read, and not because nothing was begun."""
    rest = readable(result).exercises
    return len(rest) < len(result.exercises) and all(each.status == "missing" for each in rest)


def _by_chapter(result: SubmissionResult) -> dict[str, list[ExerciseResult]]:
    return {name: list(exercises) for name, exercises in groupby(result.exercises, key=lambda each: each.chapter)}


def _reason(exercises: Sequence[ExerciseResult]) -> str:
    """Return why a chapter's file could not be read; "" where it could be, or where there is none."""
    statuses = {each.status for each in exercises}
    if statuses == {"syntax"}:
        return _named(_headline(exercises[0]))
    if statuses != {"missing"}:
        return ""
    first, *others = {check.message.headline for each in exercises for check in each.checks} or {""}
    named = OTHER if others else _named(first)
    return "" if named == OTHER else named


def _headline(exercise: ExerciseResult) -> str:
    return next((check.message.headline for check in exercise.checks if check.status != "passed"), "")


def _named(headline: str) -> str:
    return next((reason for reason, pattern in REASONS.items() if pattern.search(headline)), OTHER)
