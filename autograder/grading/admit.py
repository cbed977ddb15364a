"""What is to be graded: what arrived, whose it is, on which exercises, and by which policy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from autograder.classroom import policy
from autograder.classroom import register as registers
from autograder.classroom.enrol import enrol
from autograder.classroom.person import Download
from autograder.classroom.register import Register
from autograder.classroom.roster import Roster
from autograder.core.errors import AttendError, UsageError
from autograder.core.submission import Submission
from autograder.core.text import join_names
from autograder.course.course import Course
from autograder.course.model import Exercise
from autograder.intake.submissions import Entry
from autograder.report.outputs import drop_result


@dataclass(frozen=True)
class Admitted:
    """A class that is to be graded; `remarks` are sentences about what arrived."""

    register: Register
    entries: Sequence[Entry]
    exercises: Sequence[Exercise]
    remarks: Sequence[str]


def admit(
    course: Course,
    download: Download,
    out: Path,
    names: Sequence[str],
    roster: Path | None = None,
    *,
    in_groups: bool = False,
    drop_departed: bool = False,
) -> Admitted:
    """The class in `download`, to be graded into `out`.

    Without `names` the choice of exercises is that of the last run into `out`. Students graded there who are no longer
    in `download` have left, and their results go.

    Raises:
        UsageError: something cannot be read or speaks of somebody else, `out` holds another class, or students who
            are graded there are not in `download` and nobody said that `drop_departed`.
    """
    before = None
    with suppress(AttendError):  # what is damaged is written anew
        before = registers.read(out)
    chosen = tuple(names) or (before.only if before else ())
    exercises = course.select(chosen)
    told = policy.read(out)
    class_list = Roster.read(roster) if roster else None
    if in_groups and not (class_list and class_list.groups):
        raise UsageError("--groups needs a roster that says who is in which group, in a column group or group_name")
    register, entries = enrol(download, class_list, told.attempt, in_groups=in_groups)
    told = told.resolved(register.everybody)
    told.check([row.student for row in register.everybody], {each.name: each.points for each in exercises})
    register = replace(register, policy=told, only=chosen)
    remarks = [*_choice(before, names, chosen), *register.problems, *register.unmatched, register.undated]
    remarks.append(_drop_gone(out, before, register, drop_departed=drop_departed))
    return Admitted(register, entries, exercises, list(filter(None, remarks)))


def _choice(before: Register | None, names: Sequence[str], chosen: Sequence[str]) -> Iterator[str]:
    if before and not names and chosen:
        yield f"as before: --only {' --only '.join(chosen)}; for another choice name it, or choose another --out"
    elif before and tuple(chosen) != before.only:
        yield "these are other exercises than before, so that all grades change"


def _drop_gone(out: Path, before: Register | None, register: Register, *, drop_departed: bool) -> str:
    """Remove what is there of who has left; a sentence that says so, or "" where nobody has."""
    if not before:
        return ""
    known, there = ({row.stem for row in each.rows} for each in (before, register))
    if known and there and not known & there:
        raise UsageError(f"{out} holds the grades of another class; choose another folder with --out")
    left = [row.student for row in before.rows if row.attempt == row.attempts and row.stem not in there]
    if left and not drop_departed:
        count = f"{len(left)} student{'' if len(left) == 1 else 's'}"
        says = f"{count} graded in {out} {'is' if len(left) == 1 else 'are'} not among the submissions now"
        raise UsageError(
            f"{says}: {join_names(left)}. Give the whole class (what has not changed is kept), or choose another "
            "--out; if they left the class, add --drop-departed, and their grades go"
        )
    for stem in known - there:
        drop_result(out, stem)
    return f"not among the submissions any more, so that what they had is gone: {join_names(left)}" if left else ""


def unwanted(submissions: Mapping[str, Submission], exercises: Sequence[Exercise]) -> str:
    """A sentence on chapters that nobody handed in; "" if there are none.

    Raises:
        UsageError: nobody handed in any.
    """
    chapters = list(dict.fromkeys(exercise.chapter for exercise in exercises))
    there = {chapter for submission in submissions.values() for chapter in submission.chapters}
    missing = [chapter for chapter in chapters if chapter not in there]
    if missing == chapters:
        wanted = f"none of {len(submissions)} submissions holds {join_names([f'{each}.py' for each in chapters], 2)}"
        raise UsageError(f"{wanted}, or a notebook of that name; is it the right download?")
    if not missing:
        return ""
    only = " ".join(f"--only {chapter}" for chapter in chapters if chapter in there)
    count = f"{len(missing)} chapter{'' if len(missing) == 1 else 's'}"
    return f"nobody handed in {join_names(missing, 3)} ({count}), which count as 0; to leave them out: {only}"
