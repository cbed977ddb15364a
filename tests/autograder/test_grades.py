"""The grade of a student: the checks' verdict, changed by the clock and by a person, and nothing changed in silence."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from autograder.classroom import register
from autograder.classroom.grades import Grade, grades
from autograder.classroom.person import Person
from autograder.classroom.policy import Adjustment, Late, Policy
from autograder.classroom.policy import read as read_policy
from autograder.classroom.register import Register, RegisterRow
from autograder.core.errors import AttendError, UsageError
from autograder.core.message import of_first_version
from autograder.core.records import CheckResult, ExerciseResult, Status, SubmissionResult
from autograder.grading import book
from autograder.report.outputs import write_result

DEADLINE = datetime(2026, 11, 20, 22, 59, tzinfo=UTC)
WITH_DEADLINE = Policy(deadline=DEADLINE, late=Late(percent_per_day=10, most_percent=50))


def result(softmax: float = 6, scores: float = 4, status: Status = "failed", student: str = "ada") -> SubmissionResult:
    exercises = tuple(
        ExerciseResult.of("ch03_attention", name, [CheckResult("test", "", "values", points, 8, one)])
        for name, points, one in (("softmax", softmax, status), ("scores", scores, "failed"))
    )
    return SubmissionResult(student, softmax + scores, 16, "full", 1, {}, exercises)  # type: ignore[arg-type]


def one(policy: Policy = WITH_DEADLINE, late_by: timedelta | None = None, **about: object) -> Grade:
    row = RegisterRow("ada", "ada", submitted=None if late_by is None else DEADLINE + late_by, **about)  # type: ignore[arg-type]
    return grades(Register("plain", (row,), policy=policy), {"ada": result()})[0]


def with_ada(**adjustment: object) -> Policy:
    return Policy(DEADLINE, late=WITH_DEADLINE.late, students={"ada": Adjustment(**adjustment)})  # type: ignore[arg-type]


def test_without_a_policy_the_checks_alone_decide():
    grade = one(Policy())
    assert (grade.score, grade.max_score, grade.remarks, grade.open) == (10, 16, (), ())


def test_each_late_day_takes_its_share_of_what_was_earned_and_is_told():
    grade = one(late_by=timedelta(days=1, hours=2))
    assert grade.score == 8
    assert grade.remarks == ("Handed in late: 2 days begun, 2 points taken.",)


def test_what_is_taken_is_told_to_two_digits_as_the_pages_show_points():
    grade = one(Policy(DEADLINE, late=Late(percent_per_day=3.333)), late_by=timedelta(hours=1))
    assert (grade.score, grade.remarks) == (9.6667, ("Handed in late: 1 day begun, 0.33 points taken.",))


def test_in_time_nothing_is_taken_and_nothing_told():
    assert one(late_by=timedelta(0)).remarks == ()


def test_what_the_clock_cannot_tell_is_left_to_a_person_and_costs_nothing():
    grade = one(is_late=True)
    assert grade.score == 10
    assert "days_late in policy.toml" in grade.open[0]
    decided = one(with_ada(days_late=1), is_late=True)
    assert decided.score == 9
    assert decided.open == ()


def test_a_person_can_grade_one_exercise_and_the_student_reads_why():
    grade = one(with_ada(exercises={"softmax": 8.0}, why="another convention"))
    assert grade.score == 12
    assert grade.exercises == {"softmax": 8, "scores": 4}
    assert grade.remarks == (
        "softmax counts 8 points instead of 6: graded by a person.",
        "Why: another convention",
    )


def test_added_points_come_after_the_late_days_and_no_grade_is_below_zero():
    assert one(with_ada(points=3), late_by=timedelta(hours=1)).score == 12
    assert one(with_ada(points=-30)).score == 0


def test_an_adjustment_that_says_what_was_so_already_is_no_remark():
    assert one(with_ada(exercises={"softmax": 6.0}, why="looked at it")).remarks == ()


def test_what_the_grader_failed_on_is_no_grade_until_a_person_gives_one():
    class_of_one, found = Register("plain", (RegisterRow("ada", "ada"),)), {"ada": result(0, 4, "grader_error")}
    open_grade = grades(class_of_one, found)[0]
    assert not open_grade.is_final
    assert "softmax" not in open_grade.exercises
    given = grades(replace(class_of_one, policy=with_ada(exercises={"softmax": 8.0})), found)[0]
    assert given.is_final
    assert given.score == 12
    assert "instead of what the grader could not decide" in given.remarks[0]


@pytest.mark.parametrize(("rule", "stem", "score"), [("latest", "ada", 4), ("best", "ada.attempt-2", 11)])
def test_of_several_attempts_the_rule_chooses(rule: str, stem: str, score: float):
    rows = tuple(
        RegisterRow(stem, "ada", attempt=number, attempts=3)
        for number, stem in enumerate(("ada.attempt-1", "ada.attempt-2", "ada"), 1)
    )
    found = {"ada.attempt-1": result(7, 4), "ada.attempt-2": result(7, 4), "ada": result(2, 2)}
    chosen = grades(Register("canvas", rows, policy=Policy(attempt=rule)), found)  # type: ignore[arg-type]
    assert [(grade.stem, grade.score) for grade in chosen] == [(stem, score)]


def test_the_students_page_is_that_of_the_attempt_that_counts_and_says_so() -> None:
    rows = (
        RegisterRow("ada.attempt-1", "ada", attempt=1, attempts=2),
        RegisterRow("ada", "ada", attempt=2, attempts=2),
    )
    found = {"ada.attempt-1": result(8, 4), "ada": result(2, 2)}
    (best,) = grades(Register("canvas", rows, policy=Policy(attempt="best")), found)
    assert (best.stem, best.page) == ("ada.attempt-1", "ada")
    assert best.remarks == ("Attempt 1 of 2 counts, as the best of them.",)
    (latest,) = grades(Register("canvas", rows), found)
    assert (latest.stem, latest.page, latest.remarks) == ("ada", "ada", ())


def test_the_best_attempt_is_the_best_after_its_late_days():
    rows = (
        RegisterRow("ada.attempt-1", "ada", submitted=DEADLINE),
        RegisterRow("ada", "ada", submitted=DEADLINE + timedelta(days=3)),
    )
    found = {"ada.attempt-1": result(6, 4), "ada": result(8, 4)}
    policy = Policy(DEADLINE, "best", WITH_DEADLINE.late)
    assert grades(Register("canvas", rows, policy=policy), found)[0].stem == "ada.attempt-1"


def test_who_handed_in_nothing_has_no_result_and_no_points():
    absent = Register("canvas", (RegisterRow("ada", "ada"),), absent=(Person("Bob Ray", login="bray"),))
    *_, nobody = grades(absent, {"ada": result()})
    assert (nobody.student, nobody.result, nobody.score, nobody.max_score) == ("Bob Ray", None, 0, 16)


def test_what_a_person_gives_counts_for_who_handed_in_nothing_too():
    own = Adjustment(points=2, why="the talk", exercises={"softmax": 5})
    policy = Policy(DEADLINE, students={"Bob Ray": own})
    absent = Register("canvas", (RegisterRow("ada", "ada"),), absent=(Person("Bob Ray", login="bray"),), policy=policy)
    *_, bob = grades(absent, {"ada": result()})
    assert (bob.result, bob.score, bob.exercises) == (None, 7, {"softmax": 5})
    assert bob.remarks == (
        "softmax counts 5 points instead of nothing: graded by a person.",
        "2 points added by a person.",
        "Why: the talk",
    )


UNREAD = "ch03_attention.py was not handed in, but solution.py was; rename it to ch03_attention.py and hand it in again"


def absent(says: str) -> tuple[str, str]:
    """What is said of both exercises of a chapter that is not there."""
    return says, says


def missing(
    messages: tuple[str, str], notes: tuple[str, ...] = (), status: Status = "missing", second: str = "ch03_attention"
) -> SubmissionResult:
    made = [
        ExerciseResult.of(chapter, name, [CheckResult("test", "", "values", 0, 8, status, of_first_version(says))])
        for chapter, name, says in zip(("ch03_attention", second), ("softmax", "scores"), messages, strict=True)
    ]
    return SubmissionResult("ada", 0, 16, "full", 1, {}, tuple(made), notes)


def open_about(found: SubmissionResult, policy: Policy = WITH_DEADLINE) -> tuple[str, ...]:
    row = RegisterRow("ada", "ada", submitted=DEADLINE)
    return grades(Register("plain", (row,), policy=policy), {"ada": found})[0].open


NEITHER = "neither ch03_attention.py nor ch03_attention.ipynb was handed in"


def test_what_was_handed_in_and_not_read_is_for_a_person_to_look_at():
    assert open_about(missing(absent(UNREAD))) == (f"no grade yet: {UNREAD}",)
    assert open_about(missing(absent(NEITHER), ("no file of the course was handed in, but a.pdf",))) == (
        "no grade yet: no file of the course was handed in, but a.pdf",
    )


def test_a_file_that_is_there_and_empty_is_for_a_person_to_look_at():
    says = "ch03_attention.py is empty"
    assert open_about(missing((says, says))) == (f"no grade yet: {says}",)


def test_what_is_still_to_do_is_nothing_to_look_at():
    assert open_about(missing(("softmax is still to do", "scores is still to do"))) == ()
    assert open_about(missing(absent(NEITHER))) == ()
    assert open_about(missing(absent(NEITHER), ("handed in for group one",))) == ()


def test_a_damaged_file_is_for_a_person_to_look_at_and_one_that_does_not_compile_is_graded():
    says = "ch03_attention.py is damaged: line 1 holds a NUL byte; save it again from your editor"
    assert open_about(missing(absent(says), status="syntax")) == (f"no grade yet: {says}",)
    assert open_about(missing(absent("ch03_attention.py does not compile: line 3"), status="syntax")) == ()


def test_one_reason_for_several_chapters_is_said_once():
    says = "homework.zip cannot be read as a zip file (File is not a zip file)"
    assert open_about(missing(absent(says), second="ch04_masking")) == (f"no grade yet: {says}",)


@pytest.mark.parametrize(
    "decided", [{"points": 4, "decided": True}, {"decided": True}, {"exercises": {"softmax": 0.0}}]
)
def test_who_was_given_points_by_a_person_or_none_was_looked_at(decided: dict[str, object]):
    assert open_about(missing(absent(UNREAD)), with_ada(**decided)) == ()


def test_a_grade_that_a_person_lets_stand_says_so_and_why():
    grade = one(with_ada(decided=True, why="it was no code"))
    assert (grade.score, grade.remarks) == (10, ("A person looked at it, and it stands.", "Why: it was no code"))


@pytest.mark.parametrize(
    ("form", "mend"),
    [("Moodle", "grading worksheet as --roster"), ("folder", "days_late in policy.toml, to 0 if they were in time")],
)
def test_where_nothing_tells_when_somebody_handed_in_no_deadline_counts_and_that_is_said(form: str, mend: str):
    rows = (
        RegisterRow("ada", "ada"),
        RegisterRow("bob", "bob", submitted=DEADLINE),
        RegisterRow("cy", "cy", is_late=False),
    )
    said = Register(form, rows, policy=WITH_DEADLINE).undated
    assert said.startswith("it is not known when ada handed in, so no deadline counts there")
    assert mend in said
    assert Register(form, rows).undated == ""
    assert Register(form, rows, policy=with_ada(days_late=0)).undated == ""


def test_a_graded_folder_is_read_back_as_it_was(tmp_path: Path):
    known = Register(
        "canvas", (RegisterRow("ada", "ada", Person("Ada", "7"), DEADLINE, True, 2, 2),), (Person("Bob"),), ("x",)
    )
    register.write(tmp_path, known)
    write_result(tmp_path, "ada", result())
    (tmp_path / "policy.toml").write_text("[students.ada]\npoints = 1\n")
    with pytest.raises(UsageError, match=r"has changed since the grades were written: run `attend regrade"):
        book.read(tmp_path)
    known = replace(known, policy=read_policy(tmp_path))
    register.write(tmp_path, known)
    found = book.read(tmp_path)
    assert found.register == known
    assert [(grade.student, grade.score) for grade in found.grades] == [("ada", 11), ("Bob", 0)]


def test_a_folder_without_a_class_and_a_damaged_register_are_told_apart(tmp_path: Path):
    with pytest.raises(UsageError, match="holds no results of `attend grade`"):
        book.read(tmp_path)
    (tmp_path / register.NAME).write_text('{"form": "canvas"')
    with pytest.raises(AttendError, match="grade the class again"):
        book.read(tmp_path)
    (tmp_path / register.NAME).write_text('{"form": "canvas", "rows": [], "version": 99}')
    with pytest.raises(AttendError, match="format 99"):
        book.read(tmp_path)
