"""The grade of each student: the points of the checks, changed by late days and by a person's decisions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from autograder.classroom.person import Person
from autograder.classroom.policy import Adjustment, Policy
from autograder.classroom.register import Register, Row
from autograder.classroom.weights import weighed
from autograder.core.records import ExerciseResult, SubmissionResult
from autograder.core.text import one_line, rounded
from autograder.intake.misnamed import not_there


@dataclass(frozen=True)
class Grade:
    """The grade of one student.

    Args:
        result: of the attempt that counts; None if nothing was handed in.
        page: the stem of the student's page, which is that of the last attempt whichever counts.
        score: the points that count: `result.score`, changed as the `remarks` say.
        exercises: points by exercise, including those that a person gave; without those that the grader failed on.
        remarks: sentences for student and teacher: late days, single grades, and why.
        open: sentences for the teacher alone, about what the teacher has to decide.
    """

    stem: str
    student: str
    person: Person
    result: SubmissionResult | None
    page: str
    score: float
    max_score: float
    exercises: Mapping[str, float]
    remarks: tuple[str, ...] = ()
    open: tuple[str, ...] = ()

    @property
    def is_final(self) -> bool:
        """Whether every exercise has points."""
        return self.result is None or all(each.exercise in self.exercises for each in self.result.exercises)


def grades(register: Register, results: Mapping[str, SubmissionResult]) -> list[Grade]:
    """Return a grade for each student with a result, by the rule for attempts, then for each absent one.

    Args:
        results: the results so far, by stem.
    """
    policy = register.policy
    by_student: dict[str, list[Row]] = {}
    for row in register.rows:
        if row.stem in results:
            by_student.setdefault(row.student, []).append(row)
    made = [_counting([grade(row, results[row.stem], policy) for row in rows], policy) for rows in by_student.values()]
    most = max((each.max_score for each in made), default=0.0)
    return made + [_absent(person, policy, most) for person in register.absent]


def _counting(attempts: list[Grade], policy: Policy) -> Grade:
    """Return the attempt that counts; among equally good ones the last."""
    if policy.attempt == "latest" or len(attempts) == 1:
        return attempts[-1]
    number, best = max(enumerate(attempts, 1), key=lambda numbered: (numbered[1].score, numbered[0]))
    counts = f"Attempt {number} of {len(attempts)} counts, as the best of them."
    return replace(best, page=attempts[-1].stem, remarks=(counts, *best.remarks))


def _absent(person: Person, policy: Policy, most: float) -> Grade:
    """Return the grade of a student who handed in nothing; points that a person gave count all the same."""
    own = policy.of(person.called)
    remarks = _reasoned([*_given(own.exercises, {}, "nothing"), *_added(own)], own)
    score = round(max(0.0, sum(own.exercises.values()) + own.added), 6)
    return Grade("", person.called, person, None, "", score, most, own.exercises, remarks)


def grade(row: Row, result: SubmissionResult, policy: Policy) -> Grade:
    """Return the grade that one submission would get."""
    own = policy.of(row.student)
    result = weighed(result, policy.weights, policy.few_digits)
    graded = {each.exercise: each.score for each in result.exercises if each.status != "grader_error"}
    given = {name: points for name, points in own.exercises.items() if points != graded.get(name)}
    points = {each.exercise: given.get(each.exercise, each.score) for each in result.exercises}
    earned = sum(points.values())
    days = policy.days_late(row.student, row.submitted, row.is_late)
    taken = earned * policy.percent_taken(days or 0) / 100
    score = round(max(0.0, earned - taken + own.added), 6)
    remarks = _reasoned([*_given(given, graded), *_late(days, taken), *_added(own)], own)
    late = ("late; by how much is not known: give days_late in policy.toml",) if days is None else ()
    undecided = (*late, *(() if own.settles else unread(result)))
    shown = graded | given
    most = result.max_score
    return Grade(row.stem, row.student, row.person, result, row.stem, score, most, shown, remarks, undecided)


def unread(result: SubmissionResult) -> Iterator[str]:
    """Yield once each why a chapter that was handed in counts 0, such as a wrong name, so that a person can look at it.

    That code does not compile is a verdict; that a file is damaged is not.
    """
    reasons = [_reason(list(found)) for _, found in groupby(result.exercises, key=lambda each: each.chapter)]
    shown = [says for says, is_there in reasons if says and is_there]
    if reasons and not any(is_there for _, is_there in reasons):
        shown = [note for note in result.notes if not note.startswith("handed in ")]  # for a group: not a reason
    yield from (f"counts 0: {one_line(says, 300)}" for says in dict.fromkeys(shown))


def _reason(chapter: Sequence[ExerciseResult]) -> tuple[str, bool]:
    """Return the reason why a whole chapter counts 0, "" if there is none; and whether a file was handed in."""
    headlines = {check.message.headline for each in chapter for check in each.checks}
    (first,) = headlines if len(headlines) == 1 else ("",)
    is_damaged = {each.status for each in chapter} == {"syntax"} and " does not compile" not in first
    own = any((each.status != "missing" and not is_damaged) or each.exercise in first for each in chapter)
    return "" if own else first, first != not_there(chapter[0].chapter)


def _given(
    given: Mapping[str, float], graded: Mapping[str, float], other: str = "what the grader could not decide"
) -> Iterator[str]:
    for name, points in given.items():
        before = rounded(graded[name]) if name in graded else other
        yield f"{name} counts {_points(points)} instead of {before}: graded by a person."


def _reasoned(remarks: Sequence[str], own: Adjustment) -> tuple[str, ...]:
    """Add the person's reason, if there are any remarks to explain."""
    return (*remarks, f"Why: {one_line(own.why, 300)}") if own.why and remarks else tuple(remarks)


def _late(days: int | None, taken: float) -> Iterator[str]:
    if days:
        cost = f"{_points(taken)} taken" if taken else "nothing is taken"
        yield f"Handed in late: {days} {'day' if days == 1 else 'days'} begun, {cost}."


def _added(own: Adjustment) -> Iterator[str]:
    if own.added:
        yield f"{_points(abs(own.added))} {'added' if own.added > 0 else 'taken'} by a person."
    elif own.points is not None:
        yield "A person looked at it, and it stands."


def _points(number: float) -> str:
    return f"{rounded(number)} point{'' if number == 1 else 's'}"
