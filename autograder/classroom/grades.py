"""The grade of each student: the points of the checks, changed by late days and by a person's decisions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from autograder.classroom.lost_files import lacking, lacking_says, lost_files
from autograder.classroom.person import Person
from autograder.classroom.policy import Adjustment, Policy
from autograder.classroom.register import Register, RegisterRow
from autograder.core.records import CheckResult, ExerciseResult, SubmissionResult
from autograder.core.text import join_names, one_line, rounded

FEW_DIGITS = "few-digits"
"""How the names begin of the mistakes of an answer that is right but for precision."""
MOST_COMMENT = 2000  # characters
LATE = "it was late, and by how much is not known yet"
WHOSE = "it is not clear yet whose it is, as another submission has the same name or number"
PERHAPS = "perhaps handed in: a submission with the same name or number matches nobody"
NOT_YET = "no grade yet: "


@dataclass(frozen=True)
class Grade:
    """The grade of one student.

    Args:
        result: of the attempt that counts; None if nothing was handed in.
        page: the stem of the student's page, which is that of the last attempt whichever counts.
        score: the points that count: `result.score`, changed as the `remarks` say.
        exercises: points by exercise, including those that a person gave; without those that the grader failed on, and
            those of a file that could not be read or loaded, until a person has decided.
        remarks: sentences for student and teacher: late days, single grades, and why.
        comments: what a person wrote about exercises, for student and teacher; it changes no points.
        open: sentences for the teacher alone, about what the teacher has to decide.
        held: why there is no grade until then, for the student; empty if the grade does not wait for it.
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
    held: tuple[str, ...] = ()
    comments: tuple[str, ...] = ()

    @property
    def is_final(self) -> bool:
        """Whether every exercise has points."""
        return self.result is None or all(each.exercise in self.exercises for each in self.result.exercises)

    @property
    def is_failed(self) -> bool:
        """Whether the grader failed on a part for which no person gave points."""
        failed = [each for each in self.result.exercises if each.status == "grader_error"] if self.result else []
        return any(each.exercise not in self.exercises for each in failed)


def grades(register: Register, results: Mapping[str, SubmissionResult]) -> list[Grade]:
    """Return a grade for each student with a result, by the rule for attempts, then for each absent one.

    Args:
        results: the results so far, by stem.
    """
    policy = register.policy
    by_student: dict[str, list[RegisterRow]] = {}
    for row in register.rows:
        if row.stem in results:
            by_student.setdefault(row.student, []).append(row)
    made = [_counting([grade(row, results[row.stem], policy) for row in rows], policy) for rows in by_student.values()]
    most = max((each.max_score for each in made), default=0.0)
    absent = [_absent(row, policy, most) for row in register.absentees]
    return made + [replace(each, open=(PERHAPS,)) if each.person in register.unclear else each for each in absent]


def _counting(attempts: list[Grade], policy: Policy) -> Grade:
    """Return the attempt that counts; among equally good ones the last."""
    if policy.attempt == "latest" or len(attempts) == 1:
        return attempts[-1]
    number, best = max(enumerate(attempts, 1), key=lambda numbered: (numbered[1].score, numbered[0]))
    counts = f"Attempt {number} of {len(attempts)} counts, as the best of them."
    return replace(best, page=attempts[-1].stem, remarks=(counts, *best.remarks))


def _absent(row: RegisterRow, policy: Policy, most: float) -> Grade:
    """Return the grade of a student who handed in nothing; points that a person gave count all the same."""
    own, given = policy.of(row.student), policy.given(row.student)
    remarks = _reasoned([*_given(given, {}, "nothing"), *_added(own)], own)
    score = round(max(0.0, sum(given.values()) + own.added), 6)
    return Grade("", row.student, row.person, None, "", score, most, given, remarks, comments=_comments(own))


def grade(row: RegisterRow, result: SubmissionResult, policy: Policy) -> Grade:
    """Return the grade that one submission would get."""
    own = policy.of(row.student)
    result = _weighed(result, policy)
    waiting = [each for each in lost_files(result) if not each.is_verdict and not own.settles(each.exercises)]
    without = {each.exercise for each in result.exercises if each.status == "grader_error"}
    without |= {name for each in waiting for name in each.exercises}
    unclear = {each.exercise for each in result.exercises if row.contested and not own.settles([each.exercise])}
    without |= unclear
    graded = {each.exercise: each.score for each in result.exercises if each.exercise not in without}
    given = {name: points for name, points in policy.given(row.student).items() if points != graded.get(name)}
    points = {each.exercise: given.get(each.exercise, each.score) for each in result.exercises}
    earned = sum(points.values())
    days = policy.days_late(row.student, row.submitted, row.is_late)
    taken = earned * policy.percent_taken(days or 0) / 100
    score = round(max(0.0, earned - taken + own.added), 6)
    remarks = _reasoned([*_given(given, graded), *_late(days, taken), *_added(own)], own)
    held = (*([LATE] if days is None else []), *dict.fromkeys(each.says for each in waiting))
    counted, most, opened = graded | given, result.max_score, tuple(_open(result, own, held))
    if unclear:
        held, opened = (WHOSE, *held), (f"{NOT_YET}this {row.contested}", *opened)
    made = Grade(row.stem, row.student, row.person, result, row.stem, score, most, counted, remarks, opened, held)
    return replace(made, comments=_comments(own))


def _weighed(result: SubmissionResult, policy: Policy) -> SubmissionResult:
    """Return the result with the points that exercises and nearly right answers count by the policy."""
    if not policy.weights and not policy.few_digits:
        return result
    exercises = [_weighed_exercise(each, policy) for each in result.exercises]
    sums = SubmissionResult.of(result.student, exercises)
    return replace(result, exercises=sums.exercises, score=sums.score, max_score=sums.max_score)


def _weighed_exercise(result: ExerciseResult, policy: Policy) -> ExerciseResult:
    weight = policy.weights.get(result.exercise, 1.0)
    checks = [_weighed_check(check, weight, policy.few_digits) for check in result.checks]
    return ExerciseResult.of(result.chapter, result.exercise, checks)


def _weighed_check(check: CheckResult, weight: float, few_digits: float) -> CheckResult:
    nearly = len(check.misconceptions) == 1 and check.misconceptions[0].startswith(FEW_DIGITS)
    share = few_digits if nearly else 0.0
    points = max(check.points, share * check.max_points)
    return replace(check, points=round(weight * points, 6), max_points=round(weight * check.max_points, 6))


def _open(result: SubmissionResult, own: Adjustment, held: Sequence[str]) -> Iterator[str]:
    """Yield what the teacher has to decide: what the grade waits for, then what it does not wait for."""
    for says in held:
        yield "late; by how much is not known: give days_late in policy.toml" if says == LATE else f"{NOT_YET}{says}"
    for module, names in lacking(result).items():
        if not own.settles(names):
            yield lacking_says(module, names)


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
    if own.decided:
        of = f" at {join_names(own.standing)}" if own.standing else " at it"
        yield f"A person looked{of}, and it stands."


def _comments(own: Adjustment) -> tuple[str, ...]:
    return tuple(f"{exercise}: {one_line(text, MOST_COMMENT)}" for exercise, text in own.comments.items())


def _points(number: float) -> str:
    return f"{rounded(number)} point{'' if number == 1 else 's'}"
