"""Read a graded class back from its folder."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

from autograder.classroom import by_hand, policy, register
from autograder.classroom.grades import Grade, grades
from autograder.classroom.register import Register
from autograder.core.errors import UsageError
from autograder.core.records import SubmissionResult
from autograder.report.outputs import read_result, result_path


@dataclass(frozen=True)
class Book:
    """A graded class: its register, every student's grade, and the students who have no grade yet (`ungraded`)."""

    register: Register
    grades: tuple[Grade, ...]
    ungraded: tuple[str, ...] = ()


def read(out: Path) -> Book:
    """Return the class in the folder `out`, as its tables and pages show it.

    Raises:
        AttendError: the folder holds no graded class, part of it cannot be read, or what a person decided has changed
            since.
    """
    known = register.read(out)
    if known is None:
        raise UsageError(f"{out} holds no results of `attend grade`; give the folder that --out named")
    stems = [row.stem for row in known.rows if result_path(out, row.stem).is_file()]
    results = {stem: read_result(result_path(out, stem)) for stem in stems}
    left = _is_left(results.values())
    rules = policy.read(out).resolved(known.everybody).without(left)
    rules, _ = by_hand.added(rules, out, known.everybody, left=left)
    if rules != known.policy:
        command = (
            "the same `attend grade`"
            if rules.needs_submissions(known.policy)
            else f"`attend regrade {shlex.quote(str(out))}`"
        )
        changed = f"{policy.NAME} or {by_hand.NAME} in {out} has changed"
        raise UsageError(f"{changed} since the grades were written: run {command} first")
    waiting = dict.fromkeys(row.student for row in known.rows if row.stem not in results)
    return Book(known, tuple(grades(known, results)), tuple(waiting))


def _is_left(results: Collection[SubmissionResult]) -> Callable[[str], bool]:
    """Return whether an exercise was not graded; without results, none is known not to be."""
    graded = {each.exercise for result in results for each in result.exercises}
    return lambda name: bool(graded) and name not in graded
