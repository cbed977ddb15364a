"""What a teacher decides beside the checks: deadlines, late days, single grades. One small file, policy.toml."""

from __future__ import annotations

import difflib
import math
import tomllib
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal

import msgspec

from autograder import files
from autograder.errors import UsageError
from autograder.grading.names import one_line

NAME = "policy.toml"
DAY = timedelta(days=1)
TEMPLATE = """\
# What a grade is made of besides the checks. Take the # away where a line should count, then run the same
# `attend grade` again, or `attend regrade`: no student's code is run for it.

# deadline = 2026-11-20T23:59:00+01:00    # a date and time with its offset from UTC
# attempt = "latest"                      # or "best": of several attempts the one with the highest grade

# [late]
# grace_minutes = 10       # so much later is not late; after that, late days count from the deadline
# percent_per_day = 10     # of what was earned, for each day begun
# most_percent = 50        # no more than this is taken

# [students."ada"]                        # the name in grades.csv
# deadline = 2026-11-24T23:59:00+01:00    # an extension
# days_late = 0                           # instead of what the clock says
# points = 2                              # added to what was earned, or taken (-2), after the late days
# why = "for the talk on rotary positions"   # the student reads this

# [students."ada".exercises]
# softmax = 8                             # the points of an exercise, instead of the grader's
"""


class Late(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What being late costs."""

    grace_minutes: float = 0
    percent_per_day: float = 0
    most_percent: float = 100


class Adjustment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a person decided about one student."""

    deadline: datetime | None = None
    days_late: int | None = None
    points: float = 0
    why: str = ""
    exercises: dict[str, float] = {}


class Policy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What counts beside the checks."""

    deadline: datetime | None = None
    attempt: Literal["latest", "best"] = "latest"
    late: Late = Late()
    students: dict[str, Adjustment] = {}

    def of(self, student: str) -> Adjustment:
        return self.students.get(student, Adjustment())

    def days_late(self, student: str, submitted: datetime | None, is_late: bool | None) -> int | None:
        """Days begun after the student's deadline; None if it was late and nothing tells by how much."""
        own = self.of(student)
        if own.days_late is not None:
            return own.days_late
        deadline = own.deadline or self.deadline
        if deadline is None or submitted is None:
            return None if is_late and own.deadline is None else 0
        over = submitted - deadline
        return 0 if over <= timedelta(minutes=self.late.grace_minutes) else math.ceil(over / DAY)

    def percent_taken(self, days: int) -> float:
        """How much of what was earned so many late days cost."""
        return min(days * self.late.percent_per_day, self.late.most_percent)

    def check(self, students: Iterable[str], exercises: Mapping[str, float]) -> None:
        """See that it speaks of this class and of these exercises, and gives no more points than there are.

        Raises:
            UsageError: it does not.
        """
        there = list(students)
        for name, own in self.students.items():
            _known(name, there, "student", "grades.csv")
            for exercise, points in own.exercises.items():
                _known(exercise, list(exercises), "exercise", "`attend list`")
                if not 0 <= points <= exercises[exercise]:
                    most = f"{exercises[exercise]:g}"
                    raise UsageError(f"{NAME} gives {one_line(name)} {points:g} points for {exercise}; it has {most}")


NEUTRAL = Policy()


def _known(name: str, names: list[str], kind: str, where: str) -> None:
    if name in names:
        return
    near = difflib.get_close_matches(name, names, n=1)
    mend = f"did you mean '{one_line(near[0])}'?" if near else f"the names are those of {where}"
    raise UsageError(f"{NAME} speaks of the {kind} '{one_line(name)}', and there is none; {mend}")


def read(out: Path) -> Policy:
    """The policy in `out`; one that changes nothing if there is none.

    Raises:
        UsageError: it cannot be read, or says what cannot be.
    """
    path = out / NAME
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path} cannot be read ({one_line(str(error))}); mend that line") from error
    try:
        policy = msgspec.convert(found, Policy)
    except msgspec.ValidationError as error:
        raise UsageError(f"{path}: {one_line(str(error), 200)}") from error
    for where, deadline in _deadlines(policy):
        if deadline.tzinfo is None:
            mend = f"{deadline.isoformat()}+01:00"
            raise UsageError(f"{path}: {where} has no offset from UTC; write it as in {mend}")
    late = policy.late
    if min(late.grace_minutes, late.percent_per_day, late.most_percent) < 0 or late.most_percent > 100:
        raise UsageError(f"{path}: [late] takes no negative numbers, and most_percent at most 100")
    return policy


def _deadlines(policy: Policy) -> Iterable[tuple[str, datetime]]:
    if policy.deadline:
        yield "deadline", policy.deadline
    for name, own in policy.students.items():
        if own.deadline:
            yield f"the deadline of {one_line(name)}", own.deadline


def offer(out: Path) -> None:
    """Put a policy there that changes nothing and shows what could be said, if there is none yet."""
    if not (out / NAME).exists():
        files.write(out / NAME, TEMPLATE)
