"""`attend regrade`: judge the same submissions again, and show what would change before writing anything.

The store holds the replies of the students' code. So a change of points, of a tolerance or of the reference runs none
of it again; the code runs only for calls that were never made before.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Collection, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from autograder.classroom import by_hand, policy
from autograder.classroom import register as registers
from autograder.classroom.grades import grades
from autograder.classroom.policy import Policy
from autograder.classroom.register import Register
from autograder.core.errors import AttendError, UsageError
from autograder.core.records import ExerciseResult, SubmissionResult
from autograder.core.text import counted, is_stem, shortened
from autograder.course.course import Course
from autograder.grading.class_session import Session
from autograder.grading.digests import look
from autograder.grading.run import GradingOptions, close, grade
from autograder.grading.seeds import kept
from autograder.grading.store import DamagedStoreError, Store
from autograder.report.outputs import STORE, faults, prepare_out, read_result, result_path

MOST_SHOWN = 40
LONGEST_NAME = 24
BY = f"by {policy.NAME} or {by_hand.NAME}"


def regrade(course: Course, out: Path, options: GradingOptions, *, yes: bool, console: Console) -> int:
    """Judge the class in `out` again, and return the exit status of the command."""
    if not (out / STORE).is_file():
        raise UsageError(f"{out} holds no results of `attend grade`; give the folder that --out named")
    try:
        return _regrade(course, out, options, yes=yes, console=console)
    except DamagedStoreError as error:
        raise UsageError(
            f"{out / STORE} is damaged ({error}); use `attend grade`, which grades everything again"
        ) from error


def _regrade(course: Course, out: Path, options: GradingOptions, *, yes: bool, console: Console) -> int:
    prepare_out(out)
    with closing(Store(out / STORE)) as store, tempfile.TemporaryDirectory() as scratch:
        if store.seed is None:
            raise UsageError(f"{out} holds no class that was graded; use `attend grade`")
        exercises = [each for each in course.exercises if each.name in store.exercises]
        submissions = kept(store)
        before = registers.read(out) or Register.of({stem: each.student for stem, each in submissions.items()})
        _refuse_another_class(out, before, submissions)
        rules, precedence = _policy(course, out, before)
        for sentence in precedence:
            console.print(sentence, style="yellow", soft_wrap=True, markup=False)
        after = replace(before, policy=rules, look=look())
        tried = Session(course, Path(scratch), exercises, store.seed, options.limits, store, submissions, after)
        prepare_out(tried.out)
        if grade(tried, options, console):
            console.print("stopped: nothing was written")
            return 1
        if why := faults(list(tried.results.values())):
            console.print(f"{why}\nnothing was written", style="red", soft_wrap=True, markup=False)
            return 1
        changes = [*_changes(out, tried.results), *decided(before, after, tried.results)]
        _show(changes, len({row.student for row in after.everybody}), console)
        if after.undated:
            console.print(after.undated, style="yellow", soft_wrap=True, markup=False)
        if not (_is_wanted(yes, console) if changes else after != before):
            return 0
        final = replace(tried, out=out)
        final.begin()
        status = close(final, None, console)
        console.print("written")
        return status


def _refuse_another_class(out: Path, register: Register, submissions: Collection[str]) -> None:
    if not {row.stem for row in register.rows} >= {*submissions} or not all(map(is_stem, submissions)):
        raise UsageError(f"{STORE} in {out} holds another class than {registers.NAME}; use `attend grade`")


def _changes(out: Path, results: dict[str, SubmissionResult]) -> Iterator[tuple[str, str, str]]:
    """Yield student, exercise and change for every result that changes."""
    for stem, new in results.items():
        try:
            old = read_result(result_path(out, stem))
        except AttendError:
            yield new.student, "all", f"no result before, now {new.score:g}/{new.max_score:g}"
            continue
        before = {(each.chapter, each.exercise): each for each in old.exercises}
        for exercise in new.exercises:
            if change := _difference(before.get((exercise.chapter, exercise.exercise)), exercise):
                yield new.student, exercise.exercise, change


def _policy(course: Course, out: Path, before: Register) -> tuple[Policy, list[str]]:
    """Return what a person has decided, as it is now, and sentences on what takes precedence."""
    points = {each.name: each.points for each in course.select(before.only)}
    left = {each.name for each in course.exercises} - points.keys()
    rules = policy.read(out).resolved(before.everybody).without(left.__contains__)
    rules.check([row.student for row in before.everybody], points)
    if why := rules.needs_submissions(before.policy):
        raise UsageError(f"{policy.NAME} now {why}: use `attend grade`, with the submissions")
    return by_hand.added(rules, out, before.everybody, points, left.__contains__)


def decided(before: Register, after: Register, results: dict[str, SubmissionResult]) -> Iterator[tuple[str, str, str]]:
    """Yield student, "grade" and change for every grade that a person's decisions change, those of the policy too."""
    for old, new in zip(grades(before, results), grades(after, results), strict=True):
        if old.max_score != new.max_score:
            was, now = (f"{each.score:g}/{each.max_score:g}" for each in (old, new))
            yield new.student, "grade", f"{was} becomes {now}, {BY}"
        elif old.is_final != new.is_final:
            was, now = (f"{each.score:g}" if each.is_final else "no grade yet" for each in (old, new))
            yield new.student, "grade", f"{was} becomes {now}, {BY}"
        elif old.score != new.score:
            yield new.student, "grade", f"{old.score:g} becomes {new.score:g}, {BY}"
        elif (old.remarks, old.comments) != (new.remarks, new.comments):
            yield new.student, "grade", f"another text, the same points, {BY}"


def _difference(old: ExerciseResult | None, new: ExerciseResult) -> str:
    now = f"{new.score:g}/{new.max_score:g}"
    if old is None:
        return f"new: {now}"
    if (old.score, old.max_score) != (new.score, new.max_score):
        return f"{old.score:g}/{old.max_score:g} becomes {now}"
    if old.misconceptions != new.misconceptions:
        return f"named {_named(new)} instead of {_named(old)}"
    return "another text, the same points" if old.checks != new.checks else ""


def _named(result: ExerciseResult) -> str:
    return ", ".join(result.misconceptions[:2]) or "nothing"


def _show(changes: list[tuple[str, str, str]], students: int, console: Console) -> None:
    touched = len({student for student, *_ in changes})
    if not changes:
        console.print(f"nothing would change for {counted(students, 'student')}")
        return
    table = Table("student", "exercise", "change", box=None, header_style="bold")
    everybody = dict.fromkeys(student for student, *_ in changes)
    names = dict(zip(everybody, shortened(list(everybody), LONGEST_NAME), strict=True))
    for student, exercise, change in changes[:MOST_SHOWN]:
        table.add_row(Text(names[student]), Text(exercise), Text(change))
    console.print(table)
    if len(changes) > MOST_SHOWN:
        console.print(f"and {len(changes) - MOST_SHOWN} more changes")
    console.print(f"{touched} of {counted(students, 'student')} would change")


def _is_wanted(yes: bool, console: Console) -> bool:
    if yes:
        return True
    if not sys.stdin.isatty():
        console.print("nothing is written; the same command with --yes writes it")
        return False
    return typer.confirm("Write this?", default=False)
