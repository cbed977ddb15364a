"""A graded class read back from its folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from autograder.classroom import policy, register
from autograder.classroom.grades import Grade, grades
from autograder.classroom.register import Register
from autograder.errors import UsageError
from autograder.grading.outputs import read_result, result_path


@dataclass(frozen=True)
class Book:
    """A graded class: its register and every student's grade."""

    register: Register
    grades: tuple[Grade, ...]


def read(out: Path) -> Book:
    """The class in the folder `out`, with the policy that stands there now.

    Raises:
        AttendError: the folder holds no graded class, or part of it cannot be read.
    """
    known = register.read(out)
    if known is None:
        raise UsageError(f"{out} holds no results of `attend grade`; give the folder that --out named")
    stems = [row.stem for row in known.rows if result_path(out, row.stem).is_file()]
    results = {stem: read_result(result_path(out, stem)) for stem in stems}
    return Book(known, tuple(grades(known, results, policy.read(out))))
