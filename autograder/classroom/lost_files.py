"""What of a submission could not be read or loaded: one cause, however many exercises it takes along.

Most of it may be the fault of the packaging or of the grader's machine. It is no verdict then, and waits for a person.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from autograder.core.records import ExerciseResult, SubmissionResult
from autograder.core.text import join_names, one_line
from autograder.intake.misnamed import not_there

NEWER = "it needs a newer Python"
NEEDS_NEWER = re.compile(r" needs Python \d\.\d+: ")
ABSENT = re.compile(r"ModuleNotFoundError|No module named ")
MODULE = re.compile(r"No module named '([^']+)'")
NOT_DONE = re.compile(r" still to do$| does not define | still raises NotImplementedError$")
NOT_COMPILED = re.compile(r" does not compile")
CELL = re.compile(r" does not compile: (?:cell of \w+|\w+, line )")
FILE = r"\.(?:py|ipynb)\S*"
OTHER = "another reason"
Reasons = Mapping[str, re.Pattern[str]]
# Reasons in words that quote nothing of a submission, each with what the student's message says of a file ...
UNREADABLE: Reasons = {
    NEWER: NEEDS_NEWER,
    "a merge conflict was left in it": re.compile(r"merge conflict"),
    "it does not compile": NOT_COMPILED,
    "it is no readable notebook": re.compile(r" is no readable notebook"),
    "it is not saved as UTF-8": re.compile(r"as UTF-8|-8 text:"),
    "it is damaged, locked or packed in an unusual way": re.compile(
        r" is damaged| cannot be read as a zip | cannot be opened | is locked with | is packed by "
    ),
    "it is too large": re.compile(r" is larger than \d| is too large| more than \d+ (?:KiB|cells)| is one too many: "),
    "it is unclear which file was meant": re.compile(
        r" so none (?:of them )?was read| so it is not clear | so they cannot be read together "
    ),
    "it is another kind of file": re.compile(
        r", not Python\b| is neither a folder nor a zip| is a link, | is not a regular file"
    ),
}
# ... and of one that could be read, while it was loaded.
NOT_LOADED: Reasons = {
    NEWER: NEEDS_NEWER,
    "it needs a module that is not there": ABSENT,
    "it stops when it is loaded": re.compile(
        r" stops when it is loaded\b|` could not be defined: |` needs `\w+`, but "
    ),
    "it takes too long to load": re.compile(rf" was still being loaded after |{FILE} used up the processor time"),
    "it needs too much memory": re.compile(rf"{FILE} raised .*, as happens when more memory"),
    "it reaches for a file, the network or another process": re.compile(
        rf"{FILE} raised .*, as the walls of grading do "
    ),
    "it ends the Python process": re.compile(rf"{FILE} (?:ended (?:the whole|its conversation)|made the Python)"),
    "its answer cannot be read": re.compile(rf"the answer of .*{FILE} cannot be read"),
}
REASONS = {**UNREADABLE, **NOT_LOADED}


@dataclass(frozen=True)
class LostFile:
    """A chapter, or an exercise, of which nothing could be graded.

    Args:
        exercises: those that it takes along.
        says: what the student reads, which may quote the file.
        reason: the same without a quotation, one of `REASONS` or `OTHER`; "" if no file of the chapter was found.
        is_verdict: whether it counts 0, as code that does not compile; else it waits for a person.
    """

    exercises: tuple[str, ...]
    says: str
    reason: str
    is_verdict: bool = False


def lost_files(result: SubmissionResult) -> list[LostFile]:
    """Return what could not be read or loaded, chapter by chapter."""
    chapters = list(_by_chapter(result.exercises))
    if chapters and all(_said(chapter) == not_there(chapter[0].chapter) for chapter in chapters):
        names = tuple(each.exercise for each in result.exercises)
        notes = [note for note in result.notes if not note.startswith("handed in ")]  # for a group: not a reason
        return [LostFile(names, one_line(note, 300), "") for note in notes]
    return [each for chapter in chapters for each in lost_in_chapter(chapter)]


def held(exercises: Sequence[ExerciseResult]) -> list[LostFile]:
    """Return what of these exercises waits for a person, chapter by chapter."""
    return [each for chapter in _by_chapter(exercises) for each in lost_in_chapter(chapter) if not each.is_verdict]


def lost_in_chapter(chapter: Sequence[ExerciseResult]) -> list[LostFile]:
    """Return what of one chapter's exercises could not be read or loaded."""
    begun = [each for each in chapter if each.status not in ("missing", "grader_error")]
    if not begun:
        return _absent(chapter)
    reasons = [_reason(each) for each in begun]
    if all(reasons) and not any(check.status == "passed" for each in begun for check in each.checks):
        return [_lost_file(begun, reasons[0], is_verdict=all(map(_is_verdict, begun)))]
    newer = [each for each, reason in zip(begun, reasons, strict=True) if reason == NEWER]
    return [_lost_file(newer, NEWER)] if newer else []


def lacking(result: SubmissionResult) -> dict[str, list[str]]:
    """Return the modules that were not there, and the exercises that lost points for it though others were graded."""
    taken = {name for each in lost_files(result) for name in each.exercises}
    found: dict[str, list[str]] = {}
    for each in (each for each in result.exercises if each.exercise not in taken):
        lost = (check.message.headline for check in each.checks if check.status not in ("passed", "grader_error"))
        if headline := next(filter(ABSENT.search, lost), ""):
            module = MODULE.search(headline)
            found.setdefault(module[1] if module else "a module", []).append(each.exercise)
    return found


def lacking_says(module: str, exercises: Sequence[str]) -> str:
    """Return the teacher's sentence about exercises that lost points because a module was not there."""
    names = join_names([f"`{each}`" for each in exercises])
    return f"points lost in {names}, as `{one_line(module)}` could not be imported: was a file lost on the way?"


def headline(exercise: ExerciseResult) -> str:
    """Return what the first check says that did not pass."""
    return next((check.message.headline for check in exercise.checks if check.status != "passed"), "")


def _by_chapter(exercises: Sequence[ExerciseResult]) -> Iterator[list[ExerciseResult]]:
    return (list(found) for _, found in groupby(exercises, key=lambda each: each.chapter))


def _lost_file(taken: Sequence[ExerciseResult], reason: str, *, is_verdict: bool = False) -> LostFile:
    says = "; ".join(dict.fromkeys(map(headline, taken)))
    return LostFile(tuple(each.exercise for each in taken), one_line(says, 300), reason, is_verdict)


def _absent(chapter: Sequence[ExerciseResult]) -> list[LostFile]:
    """Return why a chapter of which nothing was begun could not be read, if something was handed in for it."""
    says = _said(chapter)
    if not says or NOT_DONE.search(says) or says == not_there(chapter[0].chapter):
        return []
    return [_lost_file(chapter, _named(says, UNREADABLE))]


def _said(chapter: Sequence[ExerciseResult]) -> str:
    """Return what all checks of a chapter say; "" if they do not, or one was begun."""
    checks = [check for each in chapter for check in each.checks]
    said = {check.message.headline for check in checks}
    return said.pop() if len(said) == 1 and all(check.status == "missing" for check in checks) else ""


def _reason(exercise: ExerciseResult) -> str:
    """Return why nothing of an exercise could be graded; "" if it was, or if that is a verdict on it alone."""
    says = headline(exercise)
    if exercise.status != "syntax":
        return _named(says, NOT_LOADED) if exercise.status not in ("passed", "failed", "forbidden") else ""
    return "" if CELL.search(says) and not NEEDS_NEWER.search(says) else _named(says, UNREADABLE) or OTHER


def _is_verdict(exercise: ExerciseResult) -> bool:
    says = headline(exercise)
    return exercise.status == "syntax" and bool(NOT_COMPILED.search(says)) and not NEEDS_NEWER.search(says)


def _named(says: str, reasons: Reasons) -> str:
    return next((reason for reason, pattern in reasons.items() if pattern.search(says)), "")
