"""What the results of a class say together: pure functions of records."""

from __future__ import annotations

import ast
import inspect
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean, median

from autograder.course import Course
from autograder.records import ExerciseResult, Status, SubmissionResult

# What a person should look at, gravest first: our own faults, then what looks like an attack or an accident.
ATTENTION: tuple[Status, ...] = (
    "grader_error",
    "blocked",
    "forbidden",
    "crash",
    "protocol",
    "timeout",
    "memory",
    "syntax",
)
BINS = 10

Known = Mapping[str, tuple[str, str]]  # misconception id -> what it says, what it advises


@dataclass(frozen=True)
class ExerciseSummary:
    """How a class did on one exercise; the shares are percentages of those who were graded on it."""

    chapter: str
    exercise: str
    mean: float
    full: float
    missing: float


@dataclass(frozen=True)
class MisconceptionSummary:
    """A mistake, what to say about it, and who made it."""

    identifier: str
    exercise: str
    says: str
    advice: str
    students: tuple[str, ...]


@dataclass(frozen=True)
class Incident:
    """One student's exercises that ended in one of the statuses of `ATTENTION`, and the first message."""

    status: Status
    student: str
    exercises: tuple[str, ...]
    message: str


def percent(part: float, whole: float) -> float:
    return 100 * part / whole if whole else 0.0


def shares(results: Sequence[SubmissionResult]) -> list[float]:
    """Each student's percentage."""
    return [percent(result.score, result.max_score) for result in results]


def mean_and_median(results: Sequence[SubmissionResult]) -> tuple[float, float]:
    """Of the students' percentages; zeros for nobody."""
    return (mean(shares(results)), median(shares(results))) if results else (0.0, 0.0)


def distribution(results: Sequence[SubmissionResult]) -> list[int]:
    """How many students lie in 0 to 10 %, 10 to 20 %, ...; 100 % belongs to the last."""
    counts = Counter(min(int(share * BINS / 100), BINS - 1) for share in shares(results))
    return [counts[number] for number in range(BINS)]


def exercises(results: Sequence[SubmissionResult]) -> list[ExerciseSummary]:
    """Every exercise, hardest first. What the grader failed on says nothing about the exercise."""
    found: dict[tuple[str, str], list[ExerciseResult]] = {}
    for result in results:
        for each in result.exercises:
            graded = found.setdefault((each.chapter, each.exercise), [])
            if each.status != "grader_error":
                graded.append(each)
    summaries = [_exercise(*key, graded) for key, graded in found.items() if graded]
    return sorted(summaries, key=lambda summary: summary.mean)


def _exercise(chapter: str, exercise: str, graded: Sequence[ExerciseResult]) -> ExerciseSummary:
    def share(status: Status) -> float:
        return percent(sum(each.status == status for each in graded), len(graded))

    average = mean(percent(each.score, each.max_score) for each in graded)
    return ExerciseSummary(chapter, exercise, average, share("passed"), share("missing"))


def misconceptions(results: Sequence[SubmissionResult], known: Known) -> list[MisconceptionSummary]:
    """The likeliest mistake of each exercise that was not passed, commonest first."""
    who: dict[tuple[str, str], list[str]] = {}
    for result in results:
        for each in result.exercises:
            for identifier in singles(each.misconceptions[:1]):
                who.setdefault((identifier, each.exercise), []).append(result.student)
    summaries = [
        MisconceptionSummary(identifier, exercise, *known.get(identifier, ("", "")), tuple(students))
        for (identifier, exercise), students in who.items()
    ]
    return sorted(summaries, key=lambda summary: -len(summary.students))


def singles(identifiers: Sequence[str]) -> list[str]:
    """Each mistake by itself, also those of a pair."""
    return list(dict.fromkeys(single for identifier in identifiers for single in identifier.split("+")))


def incidents(results: Sequence[SubmissionResult]) -> list[Incident]:
    """What a person should look at, gravest first."""
    return [
        incident for status in ATTENTION for result in results if (incident := _incident(status, result)) is not None
    ]


def _incident(status: Status, result: SubmissionResult) -> Incident | None:
    hit = [each for each in result.exercises if each.status == status]
    if not hit:
        return None
    message = next((check.message for each in hit for check in each.checks if check.status == status), "")
    return Incident(status, result.student, tuple(each.exercise for each in hit), message)


def known_misconceptions(course: Course) -> dict[str, tuple[str, str]]:
    """What the course says about each known mistake, read as text: importing them would import torch."""
    files = [path for chapter in course.chapters for path in course.misconception_files(chapter)]
    nodes = [node for path in files for node in ast.parse(path.read_text(encoding="utf-8")).body]
    return {
        _identifier(decorator): _says(node)
        for node in nodes
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        for decorator in node.decorator_list
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "misconception" and _is_single(decorator)
    }


def _is_single(decorator: ast.Call) -> bool:
    return len(decorator.args) == 2


def _identifier(decorator: ast.Call) -> str:
    return str(ast.literal_eval(decorator.args[1]))


def _says(node: ast.FunctionDef | ast.ClassDef) -> tuple[str, str]:
    says, _, advice = inspect.cleandoc(ast.get_docstring(node) or "").partition("\n\n")
    return " ".join(says.split()), " ".join(advice.split())
