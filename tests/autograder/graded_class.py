"""A graded class with names that break tables, made without grading anything."""

from __future__ import annotations

from pathlib import Path

from autograder.classroom import policy as policies
from autograder.classroom import register
from autograder.classroom.person import Person
from autograder.classroom.register import Register, RegisterRow
from autograder.core.message import of_first_version
from autograder.core.records import CheckResult, ExerciseResult, Status, SubmissionResult
from autograder.report.outputs import write_result

FORMULA = "=cmd|' /C calc'!A0"
PEOPLE = {
    "obrien": Person("O'Brien, Siobhán", "101", "sobrien", "s.obrien@uni.example"),
    "mueller": Person("Müller, Zoë", "102", "zmueller", "zoe@uni.example"),
    "formula": Person(FORMULA, "103", "evil", "evil@uni.example"),
    "li": Person('Li, "Lily", 李莉', "104", "lli", "lily@uni.example"),
    "fred": Person("Faulty, Fred", "106", "ffaulty", "fred@uni.example"),
    "nia": Person("Newcomer, Nia", "999", "nnew", "nia@uni.example"),
}
ABSENT = Person("Doe, Jane", "", "jdoe", "jane@uni.example")
SAYS = "your double is x squared instead of 2 · x"


def exercise(name: str, points: float, most: float, status: Status = "passed", message: str = "", named: str = ""):
    check = CheckResult(
        f"test_{name}",
        f"{name} is right",
        "values",
        points,
        most,
        status,
        of_first_version(message),
        (named,) * bool(named),
    )
    return ExerciseResult.of("ch01_toy", name, [check])


def result(student: str, *exercises: ExerciseResult) -> SubmissionResult:
    score, most = sum(each.score for each in exercises), sum(each.max_score for each in exercises)
    return SubmissionResult(student, score, most, "full", 7, {"attend": "0.1.0"}, exercises, ("a note",), 0.25)


RIGHT = exercise("double", 4, 4), exercise("Scale", 4, 4)
WRONG = exercise("double", 1.5, 4, "failed", f"{SAYS}\n  got       4", "double-squared"), exercise("Scale", 4, 4)
NOTHING = exercise("double", 0, 4, "missing", "double is as it was"), exercise("Scale", 0, 4, "missing", "no Scale")
FAULT = exercise("double", 0, 4, "grader_error", "a judge ended unexpectedly"), exercise("Scale", 4, 4)
RESULTS = {"obrien": RIGHT, "mueller": WRONG, "formula": RIGHT, "li": NOTHING, "fred": FAULT, "nia": RIGHT}
POLICY = """\
[students."Müller, Zoë"]
points = 0.5
why = '=for asking; well, "twice"'
"""


def graded(out: Path, people: dict[str, Person] = PEOPLE, policy: str = POLICY) -> Path:
    """The folder `out` as `attend grade` would leave it."""
    (out / policies.NAME).write_text(policy, encoding="utf-8")
    rows = tuple(RegisterRow(stem, person.name or stem, person) for stem, person in people.items())
    register.write(out, Register("", rows, (ABSENT,), policy=policies.read(out)))
    for row in rows:
        write_result(out, row.stem, result(row.student, *RESULTS[row.stem]))
    return out
