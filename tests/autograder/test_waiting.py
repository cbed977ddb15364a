"""Who grades what: a chapter stays with the judge that knows it, as long as there is other work for the others."""

from __future__ import annotations

from autograder.core.submission import Submission
from autograder.judging.waiting import Subject, Waiting

NOBODY: set[Subject] = set()
FIRST, SECOND, THIRD = ("ch01",), ("ch02",), ("ch03",)


def waiting(**students: list[Subject]) -> Waiting:
    """Return what waits of each student, by subject."""
    made = Waiting()
    made.extend(Submission(name, {}, only=subject) for name, subjects in students.items() for subject in subjects)
    return made


def taken(queue: Waiting, known: set[Subject], others: set[Subject], times: int = 1) -> list[tuple[str, Subject]]:
    found = [queue.next(known, others) for _ in range(times)]
    return [(each.student, each.only) for each in found]


def test_a_judge_goes_on_with_what_it_knows_and_leaves_to_others_what_they_know() -> None:
    queue = waiting(ada=[FIRST, SECOND], ben=[FIRST, SECOND])
    assert taken(queue, {SECOND}, {FIRST}, times=2) == [("ada", SECOND), ("ben", SECOND)]


def test_what_nobody_knows_is_for_everyone() -> None:
    queue = waiting(ada=[FIRST, SECOND, THIRD])
    assert taken(queue, NOBODY, {FIRST}) == [("ada", SECOND)]


def test_students_come_one_after_the_other_whatever_a_judge_knows() -> None:
    queue = waiting(ada=[FIRST, SECOND], ben=[FIRST, SECOND])
    order = taken(queue, {FIRST, SECOND}, NOBODY, times=4)
    assert [student for student, _ in order] == ["ada", "ada", "ben", "ben"]


def test_a_chapter_that_more_have_handed_in_does_not_come_before_the_others() -> None:
    queue = waiting(ada=[FIRST, SECOND], ben=[SECOND], cem=[SECOND])
    assert taken(queue, NOBODY, NOBODY) == [("ada", FIRST)]


def test_a_judge_without_work_of_its_own_helps_where_most_is_left() -> None:
    queue = waiting(ada=[FIRST, SECOND], ben=[SECOND])
    assert taken(queue, {THIRD}, {FIRST, SECOND}) == [("ada", SECOND)]


def test_nothing_waits_twice_and_nothing_is_lost() -> None:
    queue = waiting(ada=[FIRST, SECOND], ben=[FIRST])
    taken(queue, NOBODY, NOBODY)
    assert [(each.student, each.only) for each in queue.drain()] == [("ben", FIRST), ("ada", SECOND)]
    assert not queue
