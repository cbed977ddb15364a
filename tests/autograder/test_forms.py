"""A fault of form costs once in an exercise, and no wrong number passes beside it."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest
import torch

from autograder.calls.observe import observe
from autograder.calls.records import Call
from autograder.compare.rounding import noise
from autograder.core.encoded import as_json
from autograder.core.reading import decoded
from autograder.core.records import CheckResult, ExerciseResult, Status, SubmissionResult, upgraded
from autograder.core.submission import one_chapter
from autograder.course.course import Course
from autograder.judging.form_costs import costing_once
from autograder.judging.judge import judge
from autograder.judging.lending import settled
from tests.autograder.conftest import CHAPTER, TOY, Grade, exercise, failed
from tests.autograder.exercise_doubles import agreeing, refused

RIGHT = (TOY / "solutions" / f"{CHAPTER}.py").read_text(encoding="utf-8")
PAIR = "total = x.sum(-1)\n    "
X = torch.linspace(-3, 4, 12, dtype=torch.float64).reshape(4, 3)


def pair(body: str) -> str:
    return RIGHT.replace("def mean_and_sum(", "def _right(") + f"\n\ndef mean_and_sum(x):\n    {body}\n"


FORMS = {
    "list": PAIR + "return [total / x.shape[-1], total]",
    "argument": "y = x.clone()\n    if x.grad_fn is None: x.zero_()\n    total = y.sum(-1)\n"
    "    return total / y.shape[-1], total",
    "gradient": PAIR + "x.grad = torch.ones_like(x)\n    return total / x.shape[-1], total",
    "answer": PAIR + "kept = vars(mean_and_sum).setdefault(str(x.shape), total.detach().clone())\n"
    "    if x.grad_fn is None: kept[...] = total\n    return total / x.shape[-1], total if x.grad_fn else kept",
    "kept": PAIR + "kept = vars(mean_and_sum).setdefault(str(id(x)), (x, total))\n"
    "    total = total if x.requires_grad else kept[1]\n    return total / x.shape[-1], total",
    "float32": "total = x.float().sum(-1)\n    return (total / x.shape[-1]).to(x.dtype), total.to(x.dtype)",
}


@pytest.mark.parametrize("form", FORMS)
def test_a_fault_of_form_costs_the_check_with_the_fewest_points(grade: Grade, form: str) -> None:
    answer = exercise(grade(pair(FORMS[form])), "mean_and_sum")
    assert answer.score == answer.max_score - 1
    (lost,) = (check for check in answer.checks if check.status != "passed")
    assert lost.forms == (form,)
    spared = [check for check in answer.checks if check.status == "passed" and check.forms]
    assert spared
    assert all(check.message.headline.startswith(answer.but_for) for check in spared)
    assert all(f"costs once, at “{lost.sentence}”" in check.message.headline for check in spared)


def test_the_check_that_asks_for_the_form_alone_is_the_one_that_fails(grade: Grade) -> None:
    lost = failed(grade(f"{RIGHT}\n\ndef double(x):\n    return (2 * x).float()\n"), "double")
    assert [check.name for check in lost] == ["test_double_works_for_float32_on_any_device"]


BOTH = {
    "a list in the wrong order": PAIR + "return [total, total / x.shape[-1]]",
    "a list of wrong numbers": PAIR + "return [total / (x.shape[-1] + 1), total * x.shape[-1] / (x.shape[-1] + 1)]",
    "a changed argument and wrong numbers": "x += 1\n    " + PAIR + "return total / x.shape[-1], total",
    "float32 and wrong numbers": "total = x.float().sum(-1) * 1.00001\n    return total / x.shape[-1], total",
    "another dtype and wrong numbers": "total = (x.sum(-1) * 1.00001).float()\n    return total / x.shape[-1], total",
    "less than float32 shows": PAIR + "total = total * (1 + 3e-9)\n    return total / x.shape[-1], total",
    "an epsilon": PAIR + "total = total + 1e-8\n    return total / x.shape[-1], total",
}


@pytest.mark.parametrize("body", BOTH.values(), ids=[*BOTH])
def test_wrong_numbers_cost_all_that_they_would_without_it(grade: Grade, body: str) -> None:
    answer = exercise(grade(pair(body)), "mean_and_sum")
    values = next(check for check in answer.checks if check.level == "values")
    assert (values.status, values.forms) == ("failed", ())


def test_of_a_list_with_wrong_numbers_the_numbers_are_told(grade: Grade) -> None:
    lost = failed(grade(pair(BOTH["a list in the wrong order"])), "mean_and_sum")
    assert any("You returned the sum first" in check.message.headline for check in lost)


def test_what_a_module_is_left_with_is_no_fault_of_form(grade: Grade) -> None:
    forward = (
        "def forward(self, x):\n        with torch.no_grad(): self.weight += 1\n        return x * (self.weight - 1)"
    )
    answer = exercise(grade(f"{RIGHT}\n\nclass Scale(Scale):\n    {forward}\n"), "Scale")
    assert answer.score == 0
    assert answer.forms == ()


def test_a_zero_that_is_meant_is_no_number_to_round() -> None:
    agree = agreeing(
        lambda x: x.softmax(-1) * (x > 0), lambda x: (x.float().softmax(-1) * (x > 0) + 1e-9 * (x <= 0)).double()
    )
    failed = refused(
        lambda: agree.satisfies("what is masked is 0", lambda r: bool((r[X <= 0] == 0).all()), X),
        "this should be true, but is not",
    )
    assert failed.forms == ()


def variance(x: torch.Tensor) -> torch.Tensor:
    return x.var(-1, correction=0)


@pytest.mark.parametrize(
    "answer",
    [
        lambda x: (x * x).mean(-1) - x.mean(-1) ** 2,  # loses digits in float64 itself
        lambda x: variance(x.bfloat16()).to(x.dtype),
        lambda x: variance(x.half()).to(x.dtype),
        lambda x: variance(x.float()).to(x.dtype) * (1 + 1e-5),
    ],
)
def test_other_losses_of_digits_are_not_float32(answer: Callable[[torch.Tensor], torch.Tensor]) -> None:
    for x in (X, X + 3e4):
        if torch.allclose(variance(x), answer(x), rtol=1e-9, atol=1e-9):
            continue
        failed = refused(partial(agreeing(variance, answer), x), ".")
        assert failed.forms == ()
        assert "few-digits-float32" not in failed.misconceptions
    with_float32 = refused(partial(agreeing(variance, lambda x: variance(x.float()).to(x.dtype)), X), "float32")
    assert with_float32.forms == ("float32",)


def without_gradient(x: torch.Tensor) -> torch.Tensor:
    return variance(x).float().detach()


def test_of_float32_that_stops_the_gradient_the_gradient_is_told() -> None:
    found = refused(partial(agreeing(variance, without_gradient), X, gradients=True), "no gradient")
    assert found.forms == ()
    wrong = agreeing(variance, lambda x: (variance(x) * 1.00002).float().detach())
    refused(partial(wrong, X, gradients=True), "instead of")


def test_a_known_mistake_of_another_form_is_named_where_more_than_the_form_is_wrong() -> None:
    known = agreeing(variance, without_gradient, without_gradient=without_gradient)
    assert refused(partial(known, X, gradients=True), "without_gradient").misconceptions == ("without_gradient",)


def test_a_gradient_in_which_all_terms_cancel_is_rounded_like_the_others() -> None:
    shifted = lambda x, b: (x + b).softmax(-1)  # noqa: E731 - whose gradient for b is 0
    rounded = agreeing(shifted, lambda x, b: shifted(x.float(), b.float()))
    assert refused(partial(rounded, X, X[:, :1], gradients=True), "float32").forms == ("float32",)


def outcomes(*forms: str, points: tuple[float, ...] = (1, 2, 3), status: Status = "failed") -> list[CheckResult]:
    return [
        CheckResult(f"test_{number}", f"claim {number}", "values", 0, worth, status, forms=tuple(form.split()))
        for number, (form, worth) in enumerate(zip(forms, points, strict=True))
    ]


def test_each_fault_of_form_costs_one_check() -> None:
    made = costing_once(outcomes("list", "list argument", "argument list"), lambda name: name == "test_2")
    assert [each.points for each in made] == [1, 0, 0]
    assert [each.points for each in costing_once(outcomes("list", "", "list"), lambda _: False)] == [0, 0, 3]
    errors = outcomes("list", "list", "list", status="error")
    assert costing_once(errors, lambda _: False) == errors


def test_a_check_that_passes_for_two_reasons_says_the_one_that_counts() -> None:
    once = costing_once(outcomes("list", "list", "list"), lambda _: False)
    better = settled(
        once, [replace(each, points=each.max_points, status="passed", forms=()) for each in once], ["double"]
    )
    assert [each.lent for each in better] == [("double",)] * 3


def test_a_record_keeps_the_fault_of_form() -> None:
    result = ExerciseResult.of(CHAPTER, "double", costing_once(outcomes("list", "list", "list"), lambda _: False))
    read = decoded(as_json(result), ExerciseResult, upgraded)
    assert [each.forms for each in read.checks] == [("list",)] * 3
    assert read.but_for == "right but for the list in place of a tuple"


def test_what_is_returned_in_float32_is_rounded_also_where_no_number_jumps() -> None:
    call = Call("answer", (torch.full((1,), 0.7, dtype=torch.float64),))
    for answer, rounds in (lambda x: x.float(), True), (lambda x: x, False):
        shown = observe({"answer": answer}, call)
        still = partial(observe, {"answer": lambda x, answer=answer: answer(x * 0 + 0.7)})  # the same for every input
        assert any(noise(call, shown, still).values()) == rounds


def test_an_answer_that_is_smooth_does_not_round() -> None:
    call = Call("answer", (X,))
    answers: tuple[tuple[Callable[[torch.Tensor], torch.Tensor], bool], ...] = (
        (torch.sin, False),
        (lambda x: x.sin() + 1e-8, False),
        (lambda x: x.float().sin(), True),
    )
    for answer, rounds in answers:
        shown = observe({"answer": answer}, call)
        assert any(noise(call, shown, partial(observe, {"answer": answer})).values()) == rounds


@pytest.mark.skipif(not hasattr(os, "fork"), reason="graders are not for every system")
@pytest.mark.usefixtures("warm")
def test_behind_the_wall_it_costs_what_it_costs_here(toy: Course, grade: Grade) -> None:
    from autograder.sandbox.handles import Template
    from autograder.sandbox.target import SandboxTarget
    from tests.autograder.processes import AT_EASE

    texts = [pair(body) for body in (*FORMS.values(), *BOTH.values())]
    results: list[SubmissionResult] = []
    with Template(toy.root) as template:
        for text in texts:
            handed_in = one_chapter("someone", CHAPTER, text)
            with SandboxTarget(template, handed_in, AT_EASE) as target:
                judge(toy, toy.exercises, [(handed_in, target)], 1, results.append)
    assert [points(each) for each in results] == [points(grade(text)) for text in texts]


def points(result: SubmissionResult) -> dict[str, list[float]]:
    return {each.exercise: [check.points for check in each.checks] for each in result.exercises}
