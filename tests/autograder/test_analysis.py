"""What a class's results say together: means and correlations to the number, and what says nothing left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from autograder.core.message import of_first_version
from autograder.core.records import CheckResult, ExerciseResult, Status, SubmissionResult
from autograder.course.course import Course
from autograder.report import analysis
from autograder.report.known import KnownMistakes
from autograder.report.unread import unread

KNOWN = {"a-one": ("You did one.", "Do not."), "a-two": ("You did two.", "Do not.")}


def exercise(
    name: str,
    status: Status,
    named: Sequence[str] = (),
    worth: float = 2.0,
    chapter: str = "ch01_toy",
    says: str = "why",
) -> ExerciseResult:
    points = worth if status == "passed" else 0.0
    return ExerciseResult.of(
        chapter,
        name,
        [CheckResult("test", "it is", "values", points, worth, status, of_first_version(says), tuple(named))],
    )


def handed_in(student: str, *exercises: ExerciseResult) -> SubmissionResult:
    score, most = sum(each.score for each in exercises), sum(each.max_score for each in exercises)
    return SubmissionResult(student, score, most, "full", 1, {}, exercises)


def random_class(size: int) -> list[SubmissionResult]:
    rng = np.random.default_rng(1)
    names: tuple[Status, Status] = ("failed", "passed")
    return [
        handed_in(str(n), *(exercise(name, names[int(rng.random() < 0.6)], worth=1.0 + n % 2) for name in "abcd"))
        for n in range(size)
    ]


def test_exercises_stand_in_the_order_of_the_course_and_our_faults_do_not_make_them_harder() -> None:
    results = [
        handed_in("a", exercise("hard", "missing"), exercise("easy", "passed")),
        handed_in("b", exercise("hard", "failed"), exercise("easy", "grader_error")),
    ]
    hard, easy = analysis.exercises(results)
    assert (hard.exercise, hard.tried, hard.mean, hard.failed, hard.missing) == ("hard", 1, 0, 1, 1)
    assert (easy.exercise, easy.tried, easy.mean, easy.failed, easy.missing) == ("easy", 1, 100, 0, 0)


def test_a_file_that_does_not_compile_is_one_failure_and_makes_none_of_its_exercises_harder() -> None:
    broken = [exercise(name, "syntax") for name in "xy"]
    results = [
        handed_in("a", *broken, exercise("z", "passed", chapter="ch02_toy")),
        handed_in("b", exercise("x", "passed"), exercise("y", "failed"), exercise("z", "missing", chapter="ch02_toy")),
    ]
    found = {each.exercise: (each.tried, each.mean, each.failed, each.missing) for each in analysis.exercises(results)}
    assert found == {"x": (1, 100, 0, 0), "y": (1, 0, 1, 0), "z": (1, 100, 0, 1)}
    assert [each.exercise for each in analysis.stuck(results, KNOWN)] == ["y"]
    assert [(each.student, each.chapters) for each in unread(results)] == [("a", ("ch01_toy",))]
    assert [(each.mean, each.tried) for each in analysis.chapters(analysis.exercises(results), results)] == [
        (50, 1),
        (100, 1),
    ]


def test_a_cell_that_does_not_compile_fails_its_own_exercise() -> None:
    results = [handed_in("a", exercise("x", "syntax"), exercise("y", "passed"))]
    assert [(each.tried, each.failed) for each in analysis.exercises(results)] == [(1, 1), (1, 0)]
    assert unread(results) == []


def test_an_answer_that_is_right_but_for_another_exercise_counts_as_passed_and_the_cause_once() -> None:
    check = replace(exercise("y", "passed").checks[0], lent=("x",))
    results = [handed_in("a", exercise("x", "failed", ["a-one"]), ExerciseResult.of("ch01_toy", "y", [check]))]
    assert [(each.mean, each.failed) for each in analysis.exercises(results)] == [(0, 1), (100, 0)]
    assert [each.exercise for each in analysis.misconceptions(results, KNOWN)] == ["x"]


def test_discrimination_is_pearsons_correlation_with_the_rest_of_the_score() -> None:
    results = random_class(40)
    for number, found in enumerate(analysis.exercises(results)):
        own = [result.exercises[number].score / result.exercises[number].max_score for result in results]
        rest = [
            (result.score - result.exercises[number].score) / (result.max_score - result.exercises[number].max_score)
            for result in results
        ]
        assert found.discrimination == pytest.approx(np.corrcoef(own, rest)[0, 1])


@pytest.mark.parametrize(
    "results",
    [
        random_class(9),
        [handed_in(str(n), exercise("a", "passed"), exercise("b", "passed")) for n in range(20)],
        [handed_in(str(n), exercise("a", "passed" if n % 2 else "failed")) for n in range(20)],
        [handed_in(str(n), exercise("a", "passed"), exercise("b", "grader_error")) for n in range(20)],
    ],
    ids=["too few", "all alike", "no other exercise", "nothing else graded"],
)
def test_there_is_no_discrimination_where_it_would_say_nothing(results: list[SubmissionResult]) -> None:
    found = analysis.exercises(results)
    assert [each.discrimination for each in found] == [None] * len(found)
    assert not any(each.is_contrary for each in found)


def test_discrimination_is_over_what_was_tried() -> None:
    tried = random_class(40)
    absent = [handed_in(f"m{n}", *(exercise(name, "missing") for name in "abcd")) for n in range(20)]
    broken = [handed_in(f"s{n}", *(exercise(name, "syntax") for name in "abcd")) for n in range(20)]
    one = [
        handed_in(f"o{n}", exercise("a", "passed"), *(exercise(name, "missing") for name in "bcd")) for n in range(5)
    ]
    expected = [each.discrimination for each in analysis.exercises(tried)]
    found = analysis.exercises([*tried, *absent, *broken, *one])
    assert [each.discrimination for each in found] == expected
    assert [(each.tried, each.paired) for each in found] == [(45, 40), (40, 40), (40, 40), (40, 40)]


def test_unnamed_are_those_who_tried_and_failed_without_a_known_mistake() -> None:
    results = [
        handed_in("a", exercise("x", "failed")),
        handed_in("b", exercise("x", "crash")),
        handed_in("c", exercise("x", "failed", ["a-one"])),
        handed_in("d", exercise("x", "missing")),
        handed_in("e", exercise("x", "passed")),
    ]
    (found,) = analysis.exercises(results)
    assert (found.tried, found.failed, found.unnamed, found.mistake) == (4, 3, 1, "a-one")  # a crash says why by itself


def test_a_chapters_mean_is_weighted_by_points() -> None:
    results = [
        handed_in("a", exercise("x", "passed", worth=3.0), exercise("y", "failed", worth=1.0)),
        handed_in("b", exercise("x", "grader_error", worth=3.0), exercise("y", "passed", worth=1.0)),
        handed_in("c", exercise("z", "missing", chapter="ch02_toy")),
    ]
    first, second = analysis.chapters(analysis.exercises(results), results)
    assert (first.chapter, first.mean, [each.exercise for each in first.exercises]) == ("ch01_toy", 80, ["x", "y"])
    assert (second.chapter, second.mean, second.tried) == ("ch02_toy", None, 0)  # no answer says anything about it


def test_an_exercise_that_counts_nothing_has_no_mean_and_makes_no_chapter_worse() -> None:
    results = [
        handed_in(str(n), exercise("x", "passed", worth=0.0), exercise("y", "passed" if n % 2 else "failed"))
        for n in range(12)
    ]
    x, y = summaries = analysis.exercises(results)
    assert (x.tried, x.mean, x.discrimination) == (12, None, None)
    assert (y.mean, [each.mean for each in analysis.chapters(summaries, results)]) == (50, [50])
    alone = [handed_in("a", exercise("x", "passed", worth=0.0))]
    assert [each.mean for each in analysis.chapters(analysis.exercises(alone), alone)] == [None]


@pytest.mark.parametrize(("correlation", "is_contrary"), [(-0.02, False), (-0.28, False), (-0.3, True), (0.5, False)])
def test_an_exercise_is_flagged_where_chance_hardly_explains_it(correlation: float, is_contrary: bool) -> None:
    (found,) = analysis.exercises([handed_in("a", exercise("x", "passed"))])
    assert replace(found, discrimination=correlation, paired=47).is_contrary is is_contrary


def test_the_likeliest_mistake_counts_and_of_a_pair_both() -> None:
    results = [
        handed_in("a", exercise("x", "failed", ["a-two", "a-one"])),
        handed_in("b", exercise("x", "failed", ["a-one+a-two"])),
        handed_in("c", exercise("x", "grader_error")),
        handed_in("d", exercise("x", "missing")),
        handed_in("e", exercise("x", "syntax")),
    ]
    found = analysis.misconceptions(results, KNOWN)
    assert [(each.identifier, each.students, each.tried) for each in found] == [
        ("a-two", ("a", "b"), 2),
        ("a-one", ("b",), 2),
    ]


def test_a_mistake_that_is_in_no_catalogue_is_told_in_the_words_that_the_student_read() -> None:
    says = "You exchange q and k."
    for headline in (says, f"{says} (the result[0] is 3 instead of 4)"):  # of which the numbers are one student's
        results = [handed_in("a", exercise("x", "failed", ["exchanges-q-k"], says=headline))]
        (found,) = analysis.misconceptions(results, KNOWN)
        assert (found.identifier, found.says) == ("exchanges-q-k", says)
        (stuck,) = analysis.stuck(results, KNOWN)
        assert stuck.causes == ((says, ("a",)),)


def test_who_is_stuck_where_comes_by_mistake_the_nameless_last() -> None:
    results = [
        handed_in("a", exercise("x", "failed"), exercise("y", "passed")),
        handed_in("b", exercise("x", "timeout"), exercise("y", "missing")),
        handed_in("c", exercise("x", "failed", ["a-one"]), exercise("y", "grader_error")),
    ]
    assert analysis.stuck(results, KNOWN) == [
        analysis.Stuck("ch01_toy", "x", (("(takes too long)", ("b",)), ("You did one.", ("c",)), ("", ("a",))))
    ]


def test_what_needs_a_person_comes_gravest_first_with_ours_before_theirs() -> None:
    statuses: list[Status] = ["passed", "timeout", "syntax", "failed", "crash", "blocked", "missing", "grader_error"]
    found = analysis.incidents([handed_in(status, exercise("x", status)) for status in statuses])
    assert [each.status for each in found] == ["grader_error", "blocked", "crash", "timeout", "syntax"]


def test_every_share_has_its_place_in_the_distribution() -> None:
    assert analysis.distribution([-5, 0, 9.99, 10, 50, 100, 110]) == [3, 1, 0, 0, 0, 1, 0, 0, 0, 2]
    assert analysis.mean_and_median([]) == (0.0, 0.0)


def test_what_the_course_says_is_read_as_it_is_imported(toy: Course) -> None:
    imported = {each.identifier: (each.says, each.advice) for each in toy.misconceptions("ch01_toy")}
    assert dict(KnownMistakes(toy)) == imported


def test_only_the_file_of_a_mistake_that_is_looked_up_is_parsed(toy_copy: Course) -> None:
    (whole,) = toy_copy.misconception_files("ch01_toy")
    text = whole.read_text(encoding="utf-8")
    folder = whole.with_suffix("")
    folder.mkdir()
    whole.rename(folder / "a.py")
    (folder / "b.py").write_text(text.replace('"double-', '"other-') + "\nthis does not parse\n", encoding="utf-8")
    known = KnownMistakes(toy_copy)
    assert known["double-squared"] == known.get("double-squared")
    with pytest.raises(SyntaxError):
        known["other-squared"]
