"""What a check asks is made once, and every answer is judged as if it came alone."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
import torch

from autograder.calls.records import Call, Observation
from autograder.core.errors import WorkerLost
from autograder.core.records import SubmissionResult
from autograder.core.submission import Submission, one_chapter
from autograder.course.course import Course
from autograder.judging.judge import judge
from autograder.sandbox.handles import Template
from autograder.sandbox.tape import RecordedCall
from autograder.sandbox.target import SandboxTarget
from autograder.suite import faults, plugin
from autograder.suite.plan import as_now
from tests.autograder.conftest import CHAPTER, TOY
from tests.autograder.processes import AT_EASE

pytestmark = pytest.mark.usefixtures("warm")

RIGHT = (TOY / "solutions" / f"{CHAPTER}.py").read_text(encoding="utf-8")
COUNTS = "\n\ncalls = 0\n\ndef double(x):\n    global calls\n    calls += 1\n    return "
TEXTS = {
    "right": RIGHT,
    "right too": RIGHT + "# by someone else\n",
    "right once more": RIGHT + "# by a third\n",
    "right by other numbers": RIGHT
    + "\n\ndef mean_and_sum(x):\n    mean = x.mean(-1)\n    return mean, mean * x.shape[-1]\n",
    "squares": RIGHT + "\n\ndef double(x):\n    return x ** 2\n",
    "right at first": RIGHT + COUNTS + "2 * x if calls < 10 else 3 * x\n",
    "raises": RIGHT + "\n\ndef double(x):\n    raise ValueError(3)\n",
    "ready-made": RIGHT + "\n\ndef mean_and_sum(x):\n    return torch.var_mean(x, -1)[1], x.sum(-1)\n",
    "ends the process": RIGHT + "\n\nimport os\n\ndef double(x):\n    os._exit(3)\n",
    "unfinished": RIGHT.replace("return total / x.shape[-1], total", "raise NotImplementedError"),
}


@pytest.fixture(scope="module")
def template() -> Iterator[Template]:
    with Template(TOY) as started:
        yield started


def grade(course: Course, template: Template, names: Sequence[str]) -> dict[str, SubmissionResult]:
    """What several submissions come to, one after the other with one judge, but for how long it took."""
    results: list[SubmissionResult] = []

    def jobs() -> Iterator[tuple[Submission, SandboxTarget]]:
        for name in names:
            submission = one_chapter(name, CHAPTER, TEXTS[name])
            with SandboxTarget(template, submission, AT_EASE, name="full") as target:
                yield submission, target

    judge(course, course.exercises, jobs(), 1, results.append)
    return {result.student: replace(result, seconds=0) for result in results}


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The checks whose function was run."""
    names: list[str] = []
    original = plugin.Plan

    def noted(*args: object) -> object:
        names.append(sys._getframe(1).f_locals["pyfuncitem"].name)
        return original(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(plugin, "Plan", noted)
    return names


@pytest.mark.parametrize("other", ["right too", "right by other numbers", "squares", "right at first"])
def test_the_function_of_a_check_runs_once_for_all_answers(
    toy: Course, template: Template, ran: list[str], other: str
) -> None:
    grade(toy, template, ["right", other, "unfinished"])
    assert len(ran) == len(set(ran)) == 10


def test_a_check_whose_failure_is_known_makes_no_plan(toy: Course, template: Template, ran: list[str]) -> None:
    grade(toy, template, ["unfinished"])
    assert "test_mean_and_sum_of_rows" not in ran
    assert ran


@pytest.mark.parametrize("order", [1, -1])
def test_what_others_have_said_before_changes_no_result(toy: Course, template: Template, order: int) -> None:
    together = grade(toy, template, list(TEXTS)[::order])
    alone = {name: grade(toy, template, [name])[name] for name in TEXTS}
    assert together == alone
    assert {result.score for result in alone.values()} == {13, 12, 10, 9, 8}


def test_equal_answers_are_read_once(toy: Course, template: Template) -> None:
    call = Call("double", (torch.ones(2),))
    shown: list[Observation] = []
    for name in ("right", "right too"):
        with SandboxTarget(template, one_chapter(name, CHAPTER, TEXTS[name]), AT_EASE) as target:
            shown.append(target.observe(CHAPTER, call))
    assert shown[0] is shown[1]
    assert isinstance(shown[0].result, torch.Tensor)
    assert shown[0].result.tolist() == [2, 2]


def test_what_has_passed_a_step_is_not_compared_again(
    toy: Course, template: Template, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[object] = []
    original = faults.difference
    monkeypatch.setattr(faults, "difference", lambda *args, **named: (compared.append(1), original(*args, **named))[1])
    grade(toy, template, ["right"])
    once = len(compared)
    grade(toy, template, ["right", "right too", "right once more"])
    assert len(compared) == 2 * once > 0


def test_a_plan_that_does_not_look_at_the_answers_would_be_noticed(
    toy: Course, template: Template, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(faults.Differs, "__call__", lambda *_: None)
    assert grade(toy, template, ["squares"])["squares"].score == 13


def test_a_property_is_kept_with_what_it_refers_to_when_it_is_stated() -> None:
    kept = []
    for wanted in (1, 2):
        drawn = torch.tensor([wanted])
        kept.append(as_now(lambda got, one=drawn: got == wanted and got == one.item()))  # noqa: B023
        drawn.zero_()
    assert [[holds(got) for got in (1, 2)] for holds in kept] == [[True, False], [False, True]]


def test_a_property_may_refer_to_a_variable_that_has_no_value_yet() -> None:
    holds = as_now(lambda got: got == 1 or got == later)
    later = 2
    assert holds(1)
    with pytest.raises(NameError, match="later"):
        holds(later)


def test_a_property_may_refer_to_itself() -> None:
    def even(number: int) -> bool:
        return number == 0 or not even(number - 1)

    kept = as_now(even)
    even = bool  # type: ignore[assignment]
    assert [kept(number) for number in range(4)] == [True, False, True, False]


def heard(
    course: Course, template: Template, text: str, tape: Sequence[RecordedCall] = ()
) -> tuple[object, list[RecordedCall]]:
    submission, results = one_chapter("ada", CHAPTER, text), list[SubmissionResult]()
    with SandboxTarget(template, submission, AT_EASE) as target:
        target.replay(tape)
        judge(course, course.exercises, [(submission, target)], 1, results.append)
        return replace(results[0], seconds=0), target.recorded


@pytest.mark.parametrize("name", TEXTS)
def test_what_was_said_once_is_judged_again_without_running_anything(
    toy: Course, template: Template, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    first, tape = heard(toy, template, TEXTS[name])
    monkeypatch.setattr(template, "_spawn", lambda _: pytest.fail("code is run"))
    assert heard(toy, template, TEXTS[name], tape) == (first, tape)
    assert heard(toy, template, TEXTS[name])[0] != first


def test_a_call_that_is_not_on_the_tape_is_made(toy: Course, template: Template) -> None:
    first, tape = heard(toy, template, RIGHT)
    assert heard(toy, template, RIGHT, tape[: len(tape) // 2]) == (first, tape)


def test_a_call_made_twice_has_two_answers_on_the_tape(template: Template) -> None:
    from autograder.calls.records import Call

    text = "calls = 0\ndef f():\n    global calls\n    calls += 1\n    return calls\n"
    with SandboxTarget(template, one_chapter("ada", CHAPTER, text), AT_EASE) as target:
        said = [target.observe(CHAPTER, Call("f")).result for _ in range(3)]
        tape = target.recorded
    exits = "class Loaded:\n    import os\n    os._exit(1)\n"
    with SandboxTarget(template, one_chapter("ada", CHAPTER, exits), AT_EASE) as again:
        again.replay(tape)
        assert [again.observe(CHAPTER, Call("f")).result for _ in range(3)] == said == [1, 3, 5]
        with pytest.raises(WorkerLost):
            again.observe(CHAPTER, Call("f"))
