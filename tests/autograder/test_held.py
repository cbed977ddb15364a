"""What may be the fault of the packaging or of the machine is no zero: it is counted once, and waits for a person."""

from __future__ import annotations

import pytest

from autograder.classroom.lost_files import NEWER, OTHER
from autograder.core.errors import WorkerLost
from autograder.report import analysis
from autograder.report.unread import shares_of, unread
from tests.autograder.held_class import (
    FILE,
    LACKING,
    NEEDS_NEWER,
    NOT_COMPILED,
    NOT_DONE,
    RIGHT,
    STOPS,
    UNDEFINED,
    chapter,
    graded,
    lost,
    not_loaded,
)

LOST = [*lost(FILE).items(), *not_loaded().items()]


@pytest.mark.parametrize(("reason", "verdict"), LOST, ids=[verdict.message.headline[:50] for _, verdict in LOST])
def test_a_file_that_does_not_load_is_no_grade_and_one_failure(reason: str, verdict: WorkerLost) -> None:
    says = verdict.message.headline
    grade = graded(*chapter((verdict.status, says), (verdict.status, says), NOT_DONE))
    assert (grade.held, grade.open) == ((says,), (f"no grade yet: {says}",))
    assert (grade.is_final, grade.is_failed, dict(grade.exercises)) == (False, False, {"scale": 0.0})
    assert grade.result
    (found,) = unread([grade.result])
    assert (found.says, found.reason) == (says, reason)
    assert [each.tried for each in analysis.exercises([grade.result])] == [0, 0, 0]
    assert shares_of([grade]) == []


OTHER_KIND = "it is another kind of file"
KINDS = {
    "is a web page, not Python; download the file itself": OTHER_KIND,
    "is a PDF, not Python; hand in the file itself": OTHER_KIND,
    "is rich text (RTF), not Python; save it again as plain text": OTHER_KIND,
    "is not UTF-8 text: line 1 cannot be read; save it as UTF-8": "it is not saved as UTF-8",
    "is damaged: line 2 holds a NUL byte": "it is damaged, locked or packed in an unusual way",
    "is of a kind that has no name": OTHER,
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_of_another_kind_is_no_grade(kind: str) -> None:
    says = f"{FILE} {kind}"
    grade = graded(*chapter(("syntax", says), ("syntax", says)))
    assert (grade.held, dict(grade.exercises)) == ((says,), {})
    assert grade.result
    assert [each.reason for each in unread([grade.result])] == [KINDS[kind]]


@pytest.mark.parametrize("reason", lost("double"))
def test_what_a_call_does_is_a_verdict(reason: str) -> None:
    verdict = lost("double")[reason]
    grade = graded(*chapter((verdict.status, verdict.message.headline), NOT_DONE))
    assert (grade.held, grade.open, grade.is_final) == ((), (), True)


def test_an_error_that_all_exercises_share_is_a_verdict_where_the_file_was_loaded() -> None:
    grade = graded(*chapter(*[("error", "it raised ValueError: ch01_toy.py does not compile in line 3")] * 3))
    assert (grade.held, grade.is_final) == ((), True)


def test_what_was_tried_no_more_after_the_file_was_slow_twice_belongs_to_it() -> None:
    slow = not_loaded()["it takes too long to load"].message.headline
    first = chapter(("timeout", slow), ("timeout", slow))
    skipped = chapter(("timeout", "not tried: 2 checks of double timed out before"))[0]
    both = type(skipped).of("ch01_toy", "double", [*first[0].checks, *skipped.checks])
    assert graded(both, first[1]).held == (slow,)


def test_code_that_does_not_compile_is_a_verdict_that_counts_once_and_is_told_though_others_are_missing() -> None:
    grade = graded(*chapter(("syntax", NOT_COMPILED), ("syntax", NOT_COMPILED), NOT_DONE))
    assert (grade.score, grade.is_final, grade.held, grade.open) == (0, True, (), ())
    assert grade.result
    assert [(each.says, each.reason) for each in unread([grade.result])] == [(NOT_COMPILED, "it does not compile")]
    assert [each.tried for each in analysis.exercises([grade.result])] == [0, 0, 0]


def test_a_cell_that_does_not_compile_is_a_verdict_on_its_exercise_alone() -> None:
    says = "ch01_toy.ipynb does not compile: cell of double, line 1: invalid syntax"
    grade = graded(*chapter(("syntax", says), NOT_DONE))
    assert (grade.is_final, grade.held) == (True, ())
    assert grade.result
    assert [each.tried for each in analysis.exercises([grade.result])] == [1, 0]


def test_definitions_that_all_fail_are_one_failure_with_each_line() -> None:
    lines = [UNDEFINED.format("double"), LACKING.format("mean")]
    grade = graded(*chapter(*(("error", says) for says in lines), NOT_DONE))
    assert grade.held == ("; ".join(lines),)
    assert grade.result
    assert len(unread([grade.result])) == 1


def test_a_definition_that_fails_among_others_that_were_graded_is_a_lost_exercise() -> None:
    for other in (RIGHT, ("failed", "it is upside down")):
        grade = graded(*chapter(("error", UNDEFINED.format("double")), other))
        assert (grade.held, grade.open, grade.is_final) == ((), (), True)
        assert grade.result
        assert [each.tried for each in analysis.exercises([grade.result])] == [1, 1]


@pytest.mark.parametrize(
    "says", [LACKING.format("double"), "it raised ModuleNotFoundError: No module named 'my_utils'"]
)
def test_an_absent_module_among_others_that_were_graded_is_to_be_decided_and_not_held(says: str) -> None:
    answers = chapter(("error", says), RIGHT, ("error", says))
    grade = graded(*answers)
    assert (grade.held, grade.is_final) == ((), True)
    assert grade.open == (
        "points lost in `double` and `scale`, as `my_utils` could not be imported: was a file lost on the way?",
    )
    assert graded(*answers, exercises={"double": 2.0}).open == ()


def test_an_exercise_of_which_a_check_passed_was_graded_though_another_needs_an_absent_module() -> None:
    (right,), (lost_,) = chapter(RIGHT), chapter(("error", "it raised ModuleNotFoundError: No module named 'scipy'"))
    grade = graded(type(right).of("ch01_toy", "double", [*right.checks, *lost_.checks]))
    assert (grade.held, grade.score, grade.is_final) == ((), 2, True)
    assert "`scipy`" in grade.open[0]


def test_what_only_a_newer_python_understands_is_no_grade_even_in_one_exercise() -> None:
    grade = graded(*chapter(RIGHT, ("syntax", NEEDS_NEWER), ("failed", "it is upside down")))
    assert (grade.held, dict(grade.exercises)) == ((NEEDS_NEWER,), {"double": 2.0, "scale": 0.0})
    assert grade.result
    assert [each.reason for each in unread([grade.result])] == [NEWER]
    assert [each.tried for each in analysis.exercises([grade.result])] == [1, 0, 1]
    cell = f"{FILE} does not compile: cell of double, line 3 needs Python 3.12: an f-string"
    assert graded(*chapter(("syntax", cell), NOT_DONE)).held == (cell,)


def test_a_fault_of_the_grader_in_the_same_chapter_stays_one() -> None:
    grade = graded(*chapter(("error", STOPS), ("grader_error", "a judge ended")))
    assert (grade.is_failed, grade.held) == (True, (STOPS,))


def test_a_file_called_like_an_exercise_is_held_like_any_other() -> None:
    says = "double.py is locked with a password; hand it in without"
    assert graded(*chapter(("missing", says), ("missing", says))).held == (says,)


@pytest.mark.parametrize("says", ["double is still to do", f"{FILE} does not define double"])
def test_what_is_not_done_in_the_only_exercise_is_a_verdict(says: str) -> None:
    assert graded(*chapter(("missing", says))).is_final


@pytest.mark.parametrize(
    ("decided", "score"),
    [
        ({"decided": True}, 0),
        ({"decided": True, "points": 3}, 3),
        ({"decided": ("mean",)}, 0),
        ({"exercises": {"double": 1.5}}, 1.5),
    ],
)
def test_what_a_person_decides_makes_it_a_grade(decided: dict[str, object], score: float) -> None:
    grade = graded(*chapter(("error", STOPS), ("error", STOPS)), **decided)
    assert (grade.score, grade.is_final, grade.held, grade.open) == (score, True, (), ())
    assert grade.remarks


@pytest.mark.parametrize("given", [{"points": 2}, {"points": 0}, {"comments": {"double": "seen"}}, {"why": "ill"}])
def test_points_for_another_reason_do_not_settle_what_is_held(given: dict[str, object]) -> None:
    grade = graded(*chapter(("error", STOPS), ("error", STOPS)), **given)
    assert (grade.is_final, grade.held) == (False, (STOPS,))


def test_a_decision_about_one_chapter_decides_nothing_about_another() -> None:
    other = chapter(*[("syntax", "ch02_toy.py is a PDF, not Python; hand in the file itself")] * 2, of="ch02_toy")
    for decided in ({"exercises": {"double": 1.0}}, {"decided": ("double",), "points": 1.0}):
        grade = graded(*chapter(("error", STOPS)), *other, **decided)
        assert grade.held == ("ch02_toy.py is a PDF, not Python; hand in the file itself",)
        assert list(grade.exercises) == ["double"]
