"""What could be read and loaded of a class's submissions, what not, each with its one cause, and what is undecided."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from autograder.classroom import by_hand, policy
from autograder.classroom.grades import LATE, Grade
from autograder.classroom.lost_files import lost_files
from autograder.core.records import ExerciseResult, SubmissionResult
from autograder.core.text import counted, join_names, rounded

MOST_LINES = 6  # students for whom the terminal shows what to write


@dataclass(frozen=True)
class Unread:
    """A file, or a whole submission, that could not be read or loaded, and how many chapters it takes along.

    Args:
        says: what the student reads, which may quote the file.
        reason: the same without a quotation.
    """

    student: str
    chapters: tuple[str, ...]
    says: str
    reason: str


def unread(results: Sequence[SubmissionResult]) -> list[Unread]:
    """Return what could not be read or loaded, each cause once, in the order of the submissions."""
    found = list[Unread]()
    for result in results:
        chapters = {each.exercise: each.chapter for each in result.exercises}
        by_cause: dict[tuple[str, str], list[str]] = {}
        for each in (each for each in lost_files(result) if each.reason):
            by_cause.setdefault((each.says, each.reason), []).append(chapters[each.exercises[0]])
        found += [Unread(result.student, tuple(names), *cause) for cause, names in by_cause.items()]
    return found


def undecided(grades: Sequence[Grade]) -> dict[str, list[str]]:
    """Return the students whom each open sentence is about."""
    found: dict[str, list[str]] = {}
    for grade in grades:
        for sentence in grade.open:
            found.setdefault(sentence, []).append(grade.student)
    return found


def decided(grades: Sequence[Grade]) -> list[Unread]:
    """Return what could not be read or loaded and waits for no decision, as it counts 0 or a person has decided."""
    waiting = {(grade.student, says) for grade in grades for says in grade.held}
    found = unread([grade.result for grade in grades if grade.result])
    return [each for each in found if (each.student, each.says) not in waiting]


def what_waits(grades: Sequence[Grade], out: Path) -> str:
    """Return whose grades wait for a decision, and what makes it; "" if none does.

    Args:
        out: the folder of the results; one without a policy takes no decisions.
    """
    held = [grade for grade in grades if grade.held]
    if not held:
        return ""
    who = f"no grade yet for {counted(len(held), 'student')}: {join_names([each.student for each in held])}"
    file = out / policy.NAME
    if not file.is_file():
        return f"{who}; {out / 'students.html'} says why"
    return "\n".join(
        [
            f"{who}; {out / 'students.html'} says why. They may hand in again, or you decide, in {out / by_hand.NAME} "
            f"('{by_hand.DECIDED[0]}' in the column {by_hand.DECISION}, or points, but no days late) or in {file}:",
            *(f"  {line}" for each in held[:MOST_LINES] for line in _lines(each)),
            *([f"  and likewise for {len(held) - MOST_LINES} more"] if len(held) > MOST_LINES else []),
            f"then run `attend regrade {shlex.quote(str(out))}`",
        ]
    )


def _lines(grade: Grade) -> list[str]:
    """Return the lines of policy.toml that settle a grade."""
    earned, most = (rounded(points) for points in (grade.score, grade.max_score))
    days = "days_late = 0    # or as many days as it was late"
    decided = f"decided = true   # it stays at {earned} of {most}; points = 2 adds 2"
    wanted = [days] * (LATE in grade.held) + [decided] * any(says != LATE for says in grade.held)
    return [f"[students.{json.dumps(grade.student, ensure_ascii=False)}]", *wanted]


def readable(result: SubmissionResult) -> SubmissionResult:
    """Return the result without the exercises that a file took along that could not be read or loaded."""
    taken = {name for each in lost_files(result) if each.reason for name in each.exercises}
    return replace(result, exercises=tuple(each for each in result.exercises if each.exercise not in taken))


def tried(result: SubmissionResult) -> list[ExerciseResult]:
    """Return the exercises that say something about the student: begun, in a file that could be read, and graded."""
    return [each for each in readable(result).exercises if each.status not in ("missing", "grader_error")]


def shares_of(grades: Sequence[Grade]) -> list[float]:
    """Return the percentages of the final grades of those who handed in something that could be read.

    Points that a person gave count too, even where nothing could be read.
    """
    final = [(grade, grade.result) for grade in grades if grade.result and grade.is_final]
    counts = [grade for grade, result in final if grade.score > 0 or not _is_lost(result)]
    return [100 * grade.score / grade.max_score if grade.max_score else 0.0 for grade in counts]


def _is_lost(result: SubmissionResult) -> bool:
    """Return whether nothing of the submission could be read, and not because nothing was begun."""
    rest = readable(result).exercises
    return len(rest) < len(result.exercises) and all(each.status == "missing" for each in rest)
