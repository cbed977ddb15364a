"""Several judges at work: nothing is lost when one of them dies. Code runs in the judges here, so it can kill them."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.calls.local import LocalTarget
from autograder.calls.records import Call
from autograder.core.records import SubmissionResult
from autograder.core.submission import ChapterSource, Submission
from autograder.course.course import Course
from autograder.judging.coordinator import Coordinator
from autograder.judging.judge import warm_up
from autograder.judging.process import Hand, Orders
from autograder.sandbox.handles import Template
from autograder.sandbox.target import SandboxTarget
from tests.autograder.conftest import CHAPTER, TOY
from tests.autograder.processes import AT_EASE

pytestmark = pytest.mark.usefixtures("warm")

RIGHT = (TOY / "solutions" / f"{CHAPTER}.py").read_text(encoding="utf-8")
KILLS_ITS_JUDGE = RIGHT + "\n\nimport os\n\ndef double(x):\n    os._exit(3)\n"


def submission(name: str, text: str = RIGHT) -> Submission:
    return Submission(name, {CHAPTER: ChapterSource(CHAPTER, text, f"{CHAPTER}.py")})


def grade(
    course: Course, *submissions: Submission, jobs: int = 2, hire: Hand = LocalTarget
) -> dict[str, SubmissionResult]:
    warm_up()
    results: list[SubmissionResult] = []
    orders = Orders(course, course.exercises, seed=1)
    Coordinator(orders, lambda: hire, results.append, lambda: None).grade(submissions, jobs)
    assert len({result.student for result in results}) == len(results), "a submission was graded twice"
    return {result.student: result for result in results}


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_every_submission_is_graded_once_whatever_the_number_of_judges(toy: Course, jobs: int) -> None:
    results = grade(toy, *(submission(f"s{number}") for number in range(4)), jobs=jobs)
    assert sorted(results) == ["s0", "s1", "s2", "s3"]
    assert all(result.score == result.max_score for result in results.values())


def test_a_judge_that_dies_whenever_it_grades_a_submission_costs_only_that_one_and_is_our_fault(toy: Course) -> None:
    results = grade(toy, submission("killer", KILLS_ITS_JUDGE), submission("a"), submission("b"), jobs=1)
    assert {exercise.status for exercise in results["killer"].exercises} == {"grader_error"}
    assert "exit status 3" in results["killer"].exercises[0].checks[0].message.text
    assert results["a"].score == results["b"].score == results["a"].max_score


@pytest.mark.parametrize("times", [1, 2])
def test_a_judge_that_dies_is_replaced_and_its_submission_tried_again(toy: Course, tmp_path: Path, times: int) -> None:
    dies = f"""

import os, pathlib

def double(x):
    folder = pathlib.Path({str(tmp_path)!r})
    died = len(list(folder.iterdir()))
    if died < {times}:
        (folder / str(died)).touch()
        os._exit(3)
    return 2 * x
"""
    results = grade(toy, submission("unlucky", RIGHT + dies), submission("other"), jobs=1)
    assert len(list(tmp_path.iterdir())) == times
    assert results["unlucky"].score == results["unlucky"].max_score


def test_an_interruption_stops_all_judges_and_keeps_what_was_finished(toy: Course) -> None:
    done: list[str] = []

    def stop_after_one(result: SubmissionResult) -> None:
        done.append(result.student)
        raise KeyboardInterrupt

    coordinator = Coordinator(Orders(toy, toy.exercises, 1), lambda: LocalTarget, stop_after_one, lambda: None)
    with pytest.raises(KeyboardInterrupt):
        coordinator.grade([submission(f"s{number}") for number in range(6)], 2)
    assert len(done) == 1
    assert coordinator._judges == []


on_linux = pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="cores can be chosen on Linux only")


@on_linux
def test_with_a_judge_for_every_core_each_stays_on_its_own_and_with_fewer_all_are_free(
    toy: Course, tmp_path: Path
) -> None:
    cores = os.sched_getaffinity(0)

    def seen(jobs: int) -> list[str]:
        place = tmp_path / str(jobs)
        place.mkdir()
        tells = f"\nimport os, pathlib\nplace = pathlib.Path({str(place)!r}, str(os.getpid()))\n"
        tells += "place.write_text(repr(sorted(os.sched_getaffinity(0))))\nimport time\n"
        # No judge takes a second submission before each has one.
        tells += f"while len(list(place.parent.iterdir())) < {jobs}: time.sleep(0.01)\n"
        grade(toy, *(submission(f"s{number}", RIGHT + tells) for number in range(2 * jobs)), jobs=jobs)
        return sorted(path.read_text(encoding="utf-8") for path in place.iterdir())

    assert seen(len(cores)) == sorted(repr([core]) for core in cores)
    if len(cores) > 1:
        assert seen(1) == [repr(sorted(cores))]
    assert os.sched_getaffinity(0) == cores


def test_a_judge_goes_on_with_the_exercise_that_it_knows(toy: Course, tmp_path: Path) -> None:
    few, many = (exercise.name for exercise in toy.exercises[:2])
    mark = f"import pathlib, time; mark = pathlib.Path({str(tmp_path / 'begun')!r})\n"
    begins, waits = f"{mark}mark.touch()", f"{mark}while not mark.exists(): time.sleep(0.01)"
    texts = [(many, waits), (few, ""), (many, ""), (few, begins), (many, ""), (many, "")]
    parts = [
        replace(submission(f"s{number}", f"{RIGHT}\n{more}\n"), only=(name,))
        for number, (name, more) in enumerate(texts)
    ]
    order: list[str] = []
    orders = Orders(toy, toy.exercises, seed=1)
    coordinator = Coordinator(orders, lambda: LocalTarget, lambda _: None, lambda: None)
    coordinator.tape = lambda part: order.append(part.only[0]) or ()
    coordinator.grade(parts, 2)
    assert order[:3] == [many, few, few], "the second judge takes what it knows, though another part came before"
    assert sorted(order) == sorted(name for name, _ in texts)


@on_linux
def test_a_worker_is_kept_where_its_judge_is_kept() -> None:
    cores, text = os.sched_getaffinity(0), "import os\ndef f(): return sorted(os.sched_getaffinity(0))"

    def where(template: Template) -> object:
        with SandboxTarget(template, submission("ada", text), AT_EASE) as target:
            return target.observe(CHAPTER, Call("f")).result

    with Template(TOY) as template:
        try:
            for core in cores:
                os.sched_setaffinity(0, {core})
                assert where(template) == [core]
        finally:
            os.sched_setaffinity(0, cores)
        assert where(template) == sorted(cores)
