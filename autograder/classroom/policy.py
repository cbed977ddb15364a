"""The teacher's decisions beside the checks: deadlines, late days, single grades, in one small file, policy.toml."""

from __future__ import annotations

import difflib
import math
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, Literal, Protocol

import msgspec

from autograder.classroom.person import Person
from autograder.core import files, reading
from autograder.core.errors import UsageError
from autograder.core.text import join_names, one_line
from autograder.course.model import Exercise

NAME = "policy.toml"
Pattern = str | dict[str, str]  # of a file's name: of the only chapter, or by chapter
DAY = timedelta(days=1)
MOST_WEIGHT = 100
MOST_QUESTIONS = 5
MOST_GRACE = 365 * 24 * 60
FORMS = "a time is written 2026-11-20T23:59:00+01:00, a name in quotes, and points of exercises under .exercises"
TYPES = {
    **{"float": "a number", "int": "a whole number", "str": "a text in quotes", "bool": "true or false"},
    **{"datetime": "a date and time with its offset", "date": "a date alone", "time": "a time alone"},
    **{"array": "a list in brackets", "object": "a section or { ... }"},
}
"""What msgspec calls a type, in words."""
TEMPLATE = """\
# Decisions that change grades beside the checks. Remove the # from a line to make it count, then run the same
# `attend grade` again, or `attend regrade`, which first shows what changes (all but `attempt` and `file`).

# deadline = 2026-11-20T23:59:00+01:00    # a date and time with its offset from UTC
# attempt = "latest"                      # or "best": the attempt with the highest grade
# file = "*solution*.py"                  # the file to read as the chapter; if several: {{ {chapter} = "a*.py" }}

# few_digits = 0.5                        # the share that a check keeps whose numbers are right but for precision

# [weights]
# {twice:<24} # this exercise counts twice; 0 leaves it out of the sum

# [late]
# grace_minutes = 10       # up to this much later is not late; after that, late days count from the deadline
# percent_per_day = 10     # of what was earned, for each day begun
# most_percent = 50        # the most that is taken

# [ask]                    # questions about their own code, by `attend ask --sheet`; they change no grade
# exercises = ["{name}"]   # only about these exercises or chapters
# questions = 3            # so many for each student

# [students."ada"]                        # the name in grades.csv
# deadline = 2026-11-24T23:59:00+01:00    # an extension
# days_late = 0                           # instead of the days by the clock
# points = 2                              # added to what was earned, or taken (-2), after the late days
# decided = true                          # you looked at it, and it stands, also what was held back
# why = "for the talk on rotary positions"   # the student reads this
# file = "part one/answers.py"            # the file to read, as above

# [students."ada".exercises]
# {most:<39} # the points of an exercise, instead of the grader's, before its weight

# [students."ada".comments]
# {comment:<39} # the student reads this
"""


class NamedStudent(Protocol):
    """A student whom a policy may name; `stem` is that of the student's files."""

    @property
    def stem(self) -> str: ...
    @property
    def student(self) -> str: ...
    @property
    def person(self) -> Person: ...


class Late(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The cost of being late."""

    grace_minutes: float = 0
    percent_per_day: float = 0
    most_percent: float = 100


class Adjustment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A person's decisions about one student.

    `decided` says that what was earned stands, also where it was held back: true for everything, or the exercises of
    whose chapters it is true. `exercises` and `comments` hold points and texts by exercise.
    """

    deadline: datetime | None = None
    days_late: int | None = None
    points: float | None = None
    decided: bool | tuple[str, ...] = False
    why: str = ""
    file: Pattern = ""
    exercises: dict[str, float] = {}
    comments: dict[str, str] = {}

    @property
    def added(self) -> float:
        return self.points or 0.0

    @property
    def standing(self) -> tuple[str, ...]:
        """The exercises that stand by a person's word; none where all or nothing does."""
        return () if isinstance(self.decided, bool) else self.decided

    def without(self, left: Callable[[str], bool]) -> Adjustment:
        """Return the decisions without those about exercises for which `left` is true."""
        return msgspec.structs.replace(
            self,
            exercises={name: points for name, points in self.exercises.items() if not left(name)},
            comments={name: text for name, text in self.comments.items() if not left(name)},
            decided=tuple(name for name in self.standing if not left(name)) or self.decided is True,
        )

    def settles(self, exercises: Iterable[str]) -> bool:
        """Whether a person has decided on the points of some of these exercises, if only that they stand."""
        return self.decided is True or not {*self.exercises, *self.standing}.isdisjoint(exercises)


class QuestionRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What `attend ask --sheet` asks about: chapters or exercises, all if none is named, and how many questions."""

    exercises: tuple[str, ...] = ()
    questions: Annotated[int, msgspec.Meta(ge=1, le=MOST_QUESTIONS)] = 3


class Policy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What decides grades beside the checks."""

    deadline: datetime | None = None
    attempt: Literal["latest", "best"] = "latest"
    late: Late = Late()
    few_digits: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.0
    weights: dict[str, Annotated[float, msgspec.Meta(ge=0, le=MOST_WEIGHT)]] = {}
    file: Pattern = ""
    students: dict[str, Adjustment] = {}
    ask: QuestionRules = QuestionRules()

    def of(self, student: str) -> Adjustment:
        return self.students.get(student, Adjustment())

    def given(self, student: str) -> dict[str, float]:
        """Return the points that a person gave for exercises, weighed as those of the checks are."""
        own = self.of(student).exercises
        return {name: round(points * self.weights.get(name, 1.0), 6) for name, points in own.items()}

    def without(self, left: Callable[[str], bool]) -> Policy:
        """Return the policy without what it says of exercises for which `left` is true."""
        weights = {name: weight for name, weight in self.weights.items() if not left(name)}
        students = {student: own.without(left) for student, own in self.students.items()}
        return msgspec.structs.replace(self, weights=weights, students=students)

    def files(self, student: str, chapters: Sequence[str]) -> dict[str, str]:
        """Return the pattern of the file to read for each of these chapters that has one.

        Raises:
            UsageError: a pattern is for no chapter, or might be for several.
        """
        found: dict[str, str] = {}
        for pattern in (self.file, self.of(student).file):
            if not pattern:
                continue
            if isinstance(pattern, str) and len(chapters) != 1:
                raise UsageError(f'{NAME}: several chapters are graded; write file = {{ {chapters[0]} = "{pattern}" }}')
            by_chapter: dict[str, str] = {chapters[0]: pattern} if isinstance(pattern, str) else pattern
            _refuse(_unknown(chapter, list(chapters), "chapter", "what is graded here") for chapter in by_chapter)
            found |= by_chapter
        return found

    def needs_submissions(self, before: Policy) -> str:
        """Return what it says that `before` did not and that needs the submissions themselves; "" for nothing."""
        if self.attempt == "best" != before.attempt:
            return "asks for the best attempt, which may not be graded"
        return "" if self._files == before._files else "names other files to read"

    @property
    def _files(self) -> tuple[Pattern, dict[str, Pattern]]:
        return self.file, {student: own.file for student, own in self.students.items() if own.file}

    def days_late(self, student: str, submitted: datetime | None, is_late: bool | None) -> int | None:
        """Return the days begun after the student's deadline; None if it was late by an unknown time.

        A time without a zone is taken to be in the deadline's zone.
        """
        own = self.of(student)
        if own.days_late is not None:
            return own.days_late
        deadline = own.deadline or self.deadline
        if deadline is None or submitted is None:
            return None if is_late and own.deadline is None else 0
        over = (submitted if submitted.tzinfo else submitted.replace(tzinfo=deadline.tzinfo)) - deadline
        return 0 if over <= timedelta(minutes=self.late.grace_minutes) else math.ceil(over / DAY)

    def percent_taken(self, days: int) -> float:
        """Return the percentage of the earned points that this many late days cost."""
        return min(days * self.late.percent_per_day, self.late.most_percent)

    def resolved(self, rows: Iterable[NamedStudent]) -> Policy:
        """Return a policy with each student under the name in grades.csv, instead of a login, number or address.

        Raises:
            UsageError: one student is written twice, or a word means two of them.
        """
        found: dict[str, Adjustment] = {}
        meant, problems = whom(rows), list[str]()
        for word, own in self.students.items():
            students = meant(word) or {word}
            if len(students) > 1 or found.keys() & students:
                names = join_names(sorted(students))
                problems.append(f"{NAME}: {one_line(word)} means {names}; write each of them once")
            found[students.pop()] = own
        _refuse(problems)
        return msgspec.structs.replace(self, students=found)

    def check(self, students: Iterable[str], exercises: Mapping[str, float]) -> None:
        """Check that the policy names only students and exercises of this class, and gives possible points.

        Args:
            exercises: what each exercise is worth by its checks, before its weight.

        Raises:
            UsageError: it does not; every such line is told, each in a sentence of its own.
        """
        _refuse([*self._strange_names(list(students), list(exercises)), *self._impossible_points(exercises)])

    def _strange_names(self, students: list[str], exercises: list[str]) -> Iterator[str]:
        given = [name for own in self.students.values() for name in (*own.exercises, *own.standing, *own.comments)]
        for name in dict.fromkeys([*self.weights, *given]):
            yield _unknown(name, exercises, "exercise", "what is graded here")
        for name in self.students:
            yield _unknown(name, students, "student", "grades.csv")

    def _impossible_points(self, exercises: Mapping[str, float]) -> Iterator[str]:
        most = {name: points * self.weights.get(name, 1.0) for name, points in exercises.items()}
        for name, own in self.students.items():
            if not abs(own.added) <= sum(most.values()):  # true of nan, too
                says = f"{NAME} gives {one_line(name)} {own.added:g} extra points"
                yield f"{says}; there are {sum(most.values()):g} in all"
            for exercise, points in own.exercises.items():
                if exercise in exercises and not 0 <= points <= exercises[exercise]:
                    highest = f"{exercises[exercise]:g}{', before its weight' * (exercise in self.weights)}"
                    yield f"{NAME} gives {one_line(name)} {points:g} points for {exercise}; it has {highest}"


NEUTRAL = Policy()


def whom(rows: Iterable[NamedStudent]) -> Callable[[str], set[str]]:
    """Return a function that returns the students whom a name, login, number or address means.

    What a roster or a platform says about a person takes precedence over a submission's name, which others choose.
    """
    known: dict[str, set[str]] = {}
    shown: dict[str, set[str]] = {}
    for row in rows:
        for word in filter(None, astuple(row.person)):
            known.setdefault(word, set()).add(row.student)
        for word in filter(None, (row.student, row.stem)):  # who is absent has no stem
            shown.setdefault(word, set()).add(row.student)

    def meant(word: str) -> set[str]:
        students = known.get(word) or shown.get(word) or set()
        return {word} if word in students and shown.get(word) == {word} else {*students}

    return meant


def _unknown(name: str, names: list[str], kind: str, where: str) -> str:
    """Return a sentence about a name that does not exist, "" if it does."""
    if name in names:
        return ""
    near = difflib.get_close_matches(name, names, n=1)
    remedy = (
        f"did you mean '{one_line(near[0])}'?"
        if near
        else f"the names are those of {where}{'; remove students who left' * (kind == 'student')}"
    )
    return f"{NAME} names the {kind} '{one_line(name)}', which does not exist; {remedy}"


def _refuse(problems: Iterable[str]) -> None:
    if found := list(filter(None, problems)):
        raise UsageError("\n".join(found))


def read(out: Path) -> Policy:
    """Return the policy in `out`, without what changes no grade; one that changes nothing if there is none.

    Raises:
        UsageError: it cannot be read, or holds impossible values.
    """
    return msgspec.structs.replace(_read(out), ask=QuestionRules())


def asked_about(out: Path) -> QuestionRules:
    """Return what the policy in `out` says about questions.

    Raises:
        UsageError: as for `read`.
    """
    return _read(out).ask


def _read(out: Path) -> Policy:
    path = out / NAME
    text = ""
    try:
        text = reading.text(path) if path.exists() else ""
        found = reading.settings(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path}{_as_it_should_be(text, str(error))} ({one_line(str(error))})") from error
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be read ({one_line(str(error))}); {FORMS}") from error
    try:
        policy = msgspec.convert(found, Policy)
    except msgspec.ValidationError as error:
        raise UsageError(f"{path}: {_readable(str(error))}; {FORMS}") from error
    for where, deadline in _deadlines(policy):
        if deadline.tzinfo is None:
            proper = f"{deadline.isoformat()}+01:00"
            raise UsageError(f"{path}: {where} has no offset from UTC; write it as in {proper}")
    _refuse_odd_numbers(path, policy)
    return policy


def _as_it_should_be(text: str, error: str) -> str:
    """Return how the line that is no TOML should look, by its key if that is known, and how it looks."""
    at = re.search(r"at line (\d+)", error)
    line = text.splitlines()[int(at[1]) - 1] if at else ""
    shapes = [each.removeprefix("# ").partition("  ")[0] for each in TEMPLATE.splitlines() if each.startswith("# ")]
    key = line.partition("=")[0].strip()
    shape = next((each for each in shapes if key and "{" not in each and each.partition("=")[0].strip() == key), "")
    where = f": line {at[1]}" if at else ""
    return (
        f"{where} should look like `{shape}`, and is `{one_line(line)}`"
        if shape
        else f"{where} cannot be read; {FORMS}"
    )


def _refuse_odd_numbers(path: Path, policy: Policy) -> None:
    late = policy.late
    percentages = (late.percent_per_day, late.most_percent)
    if not 0 <= late.grace_minutes <= MOST_GRACE or not all(0 <= each <= 100 for each in percentages):
        raise UsageError(f"{path}: [late] takes percentages from 0 to 100, and grace_minutes of at most a year")
    for name, own in policy.students.items():
        if own.days_late is not None and own.days_late < 0:
            raise UsageError(f"{path}: days_late of {one_line(name)} is less than 0; an extension is a deadline")


def _readable(error: str) -> str:
    """Return msgspec's error in the words of the file."""
    says, _, where = error.partition(" - at `")
    place = where.rstrip("`").removeprefix("$").removeprefix(".").replace("[...]", ".NAME")
    says = says.replace("Object contains unknown field", "there is no")
    says = re.sub(r"Invalid enum value '(.*)'", r"there is no attempt '\1', but latest and best", says)
    says = re.sub(r"Expected `([^`]*)`", lambda told: f"this should be {_in_words(told[1])}", says)
    says = re.sub(r", got `([^`]*)`", lambda told: f", and is {_in_words(told[1])}", says)
    says = says.replace(", and is a number", ", and is a number with a fraction")
    says = says.replace("Invalid RFC3339 encoded datetime", f"this should be {TYPES['datetime']}, without quotes")
    says = says.replace(" >= ", " of at least ").replace(" <= ", " of at most ")
    return one_line(f"{says} (at {place})" if place else says, 200)


def _in_words(kinds: str) -> str:
    """Return the types that msgspec names, such as "float | null", in words."""
    return " or ".join(TYPES.get(kind, kind) for kind in kinds.split(" | ") if kind != "null")


def _deadlines(policy: Policy) -> Iterable[tuple[str, datetime]]:
    if policy.deadline:
        yield "deadline", policy.deadline
    for name, own in policy.students.items():
        if own.deadline:
            yield f"the deadline of {one_line(name)}", own.deadline


def offer(out: Path, exercise: Exercise) -> None:
    """Write a policy that changes nothing and shows every setting, by one exercise, unless there is one already."""
    if not (out / NAME).exists():
        files.write(out / NAME, example(exercise))


def example(exercise: Exercise) -> str:
    """Return a policy in which every line is a comment, and each can be taken as it stands."""
    return TEMPLATE.format(
        chapter=exercise.chapter,
        name=exercise.name,
        twice=f"{exercise.name} = 2",
        most=f"{exercise.name} = {exercise.points:g}",
        comment=f'{exercise.name} = "well explained"',
    )
