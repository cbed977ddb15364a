"""A name needs more than one value that coincides: other calls, many numbers, or an error that few mistakes raise."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import torch

from autograder.core.records import CheckResult
from autograder.source.parameter_order import other_defaults
from autograder.suite import Agree, Draw
from autograder.suite.plan import Plan, Step
from autograder.suite.play import play
from tests.autograder.exercise_doubles import F64, Judging, agreeing, refused

LONG = torch.tensor([[1.0, -2.0, 3.5], [-4.0, 5.0, -6.5]], dtype=F64)


def played(judging: Judging, ask: Any, name: str = "test_it") -> CheckResult:
    """A whole check, whose steps are played one after the other as those of a plan."""
    steps: list[Step] = []
    check = replace(judging._check, name=name)
    ask(Agree(judging.grading.oracle, check, Draw(1, "it"), steps.append))
    failed = refused(lambda: play(Plan(tuple(steps)), check, judging.grading), ".")
    return settled(judging, CheckResult(name, "", "values", 0, 1, "failed", failed.message, failed.misconceptions))


def settled(judging: Judging, result: CheckResult) -> CheckResult:
    return judging.evidence.settled(result)


def count(width: int, heads: int) -> int:
    return 4 * width * width + 4 * width


def no_bias(width: int, heads: int) -> int:
    return 4 * width * width


def two_slips(width: int, heads: int) -> int:
    return 4 * width * width + 4 * width - 2 * heads * width


def test_one_count_that_coincides_is_a_guess() -> None:
    agree = agreeing(count, two_slips, no_bias=no_bias)
    only = played(agree, lambda agree: agree(8, 2))
    assert only.misconceptions == ("no_bias",)
    assert only.message.headline.startswith("It may be this: no_bias.")


def test_a_count_at_another_size_in_the_same_check_rules_a_name_out() -> None:
    agree = agreeing(count, two_slips, no_bias=no_bias)
    assert played(agree, lambda agree: (agree(8, 2), agree(8, 4))).misconceptions == ()


def test_a_count_at_two_sizes_is_sure() -> None:
    agree = agreeing(count, no_bias, no_bias=no_bias)
    found = played(agree, lambda agree: (agree(8, 2), agree(6, 2)))
    assert found.message.headline.startswith("no_bias.")


def test_a_guess_becomes_sure_where_another_check_confirms_it() -> None:
    agree = agreeing(count, no_bias, no_bias=no_bias)
    first = played(agree, lambda agree: agree(8, 2), "first")
    assert first.message.headline.startswith("It may be this")
    played(agree, lambda agree: agree(6, 3), "second")
    assert settled(agree, first).message.headline.startswith("no_bias.")


def test_a_number_that_no_count_gives_is_sure_at_once() -> None:
    agree = agreeing(
        lambda x: float(x.sum().sin()), lambda x: float(x.sum().cos()), cosine=lambda x: float(x.sum().cos())
    )
    assert played(agree, lambda agree: agree(LONG)).message.headline.startswith("cosine.")


def test_calls_after_the_one_that_fails_cost_nothing_where_they_are_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    agree = agreeing(count, no_bias, no_bias=no_bias)
    monkeypatch.setattr("autograder.suite.play.Student.glimpse", lambda *_: None)
    assert played(agree, lambda agree: (agree(8, 2), agree(6, 2))).misconceptions == ("no_bias",)
    assert not agree.grading.losses


def test_no_further_call_is_made_where_many_numbers_tell() -> None:
    agree = agreeing(lambda x: 2 * x, lambda x: x, once=lambda x: x)
    assert played(agree, lambda agree: (agree(LONG), agree(LONG + 1), agree(0 * LONG))).misconceptions == ("once",)
    assert (agree.evidence.beyond, agree.evidence.agreed) == ([], [])


def first_item(words: list[str]) -> str:
    return words[0] if words else "none"


def test_an_error_that_many_mistakes_raise_is_a_guess() -> None:
    agree = agreeing(first_item, lambda words: words[0], empty_forgotten=lambda words: words[0])
    found = played(agree, lambda agree: agree([]))
    assert found.message.headline == "It may be this: empty_forgotten. (it raised IndexError)"


def test_an_error_that_says_what_it_is_about_is_sure() -> None:
    def unlike(words: list[str]) -> str:
        raise ValueError(f"no word among {len(words)}")

    agree = agreeing(first_item, unlike, empty_refused=unlike)
    assert played(agree, lambda agree: agree(["a"])).message.headline.startswith("empty_refused.")


def wrong_axis(x: torch.Tensor) -> torch.Tensor:
    return x.mean(-2)


def test_a_mistake_that_breaks_on_a_call_that_agreed_is_named_all_the_same() -> None:
    agree = agreeing(lambda x: x.mean(-1), lambda x: x.mean(-1) if x.dim() == 1 else x.mean(-2), wrong_axis=wrong_axis)
    agree(LONG[0])
    assert refused(lambda: agree(LONG.exp()), ".").message.headline.startswith("wrong_axis.")


def test_a_mistake_that_is_wrong_on_a_call_that_agreed_is_not_named() -> None:
    answer = lambda x: x.mean(-1) if len(x) == 3 else x.mean(-2)  # noqa: E731
    agree = agreeing(lambda x: x.mean(-1), answer, wrong_axis=wrong_axis)
    agree(torch.arange(9.0, dtype=F64).reshape(3, 3) ** 2)
    failed = refused(lambda: agree(torch.arange(8.0, dtype=F64).reshape(2, 4) ** 2), ".")
    assert not failed.message.headline.startswith("wrong_axis")


def test_an_error_known_as_a_mistake_is_not_named_where_the_answer_raised_none() -> None:
    agree = agreeing(lambda x: x.mean(-1), lambda x: x.mean(-1) if x.dim() == 1 else x[9], index=lambda x: x[9])
    agree(LONG[0])
    assert refused(lambda: agree(LONG), ".").misconceptions == ()


def test_too_few_numbers_do_not_speak_against_a_name_that_many_numbers_show() -> None:
    """A matrix of two rows has too few to tell what went wrong there."""

    def answer(x: torch.Tensor) -> torch.Tensor:
        return x.exp() if len(x) == 2 else x

    small = LONG[:, :2]
    agree = agreeing(lambda x: 2 * x, answer, undoubled=lambda x: x)
    first = refused(lambda: agree.of("first")(torch.cat([LONG, LONG + 1])), ".")
    assert first.misconceptions == ("undoubled",)
    refused(lambda: agree.of("second")(small), ".")
    result = CheckResult("first", "", "values", 0, 1, "failed", first.message, first.misconceptions)
    assert settled(agree, result).misconceptions == ("undoubled",)


def test_two_mistakes_need_many_numbers_or_two_calls() -> None:
    known = {"once": lambda x: x, "absolute": lambda x: 3 * x.abs(), "once_and_absolute": lambda x: x.abs()}
    small = torch.tensor([1.0, -2.0], dtype=F64)
    agree = agreeing(lambda x: 3 * x, lambda x: x.abs(), **known)
    assert played(agree, lambda agree: agree(small)).misconceptions == ()
    again = agreeing(lambda x: 3 * x, lambda x: x.abs(), **known)
    found = played(again, lambda agree: (agree(small), agree(2 * small)))
    assert found.misconceptions == ("once+absolute",)


def test_one_change_that_explains_all_goes_before_two_mistakes() -> None:
    right = lambda x: 3 * x.relu() + 1  # noqa: E731
    known = {"one": lambda x: x, "other": lambda x: 2 * x, "one_and_other": lambda x: right(-x)}
    agree = agreeing(right, lambda x: right(-x), **known)
    assert played(agree, lambda agree: agree(LONG)).misconceptions == ("negates-x",)


def reaching(score: float, threshold: float = 0.5) -> str:
    return "yes" if score >= threshold else "no"


def answering(code: str, agree: Judging) -> Judging:
    """The text of the answer is `code`."""
    agree.evidence.text = code
    return agree


def test_another_default_goes_before_a_name_that_coincides() -> None:
    def answer(score: float, threshold: float = 0.4) -> str:
        return "yes" if score >= threshold else "no"

    rounded = lambda score, threshold=0.5: reaching(round(score, 1), threshold)  # noqa: E731
    agree = answering("def answer(score, threshold=0.4): ...", agreeing(reaching, answer, rounded=rounded))
    found = played(agree, lambda agree: (agree(0.3), agree(0.46), agree(0.46, 0.75), agree(0.7, threshold=0.75)))
    assert found.misconceptions == ("default-of-threshold",)
    assert found.message.headline.startswith("The default of `threshold` is 0.4 in your signature, and should be 0.5.")


def test_another_default_is_not_told_where_it_does_not_explain_the_answer() -> None:
    agree = answering("def answer(score, threshold=0.4): ...", agreeing(reaching, lambda score, threshold=0.4: "no"))
    assert played(agree, lambda agree: agree(0.7)).misconceptions == ()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("def answer(score, threshold=0.4): ...", {"threshold": (0.4, 0.5)}),
        ("def answer(score, *, threshold=None): ...", {"threshold": (None, 0.5)}),
        ("def answer(score, threshold=0.5): ...", {}),
        ("def answer(score, threshold): ...", {}),
        ("def answer(score, threshold=1 / 2): ...", {}),
        ("def answer(score=1, threshold=[]): ...", {}),
        ("def other(score, threshold=0.4): ...", {}),
        ("def answer(", {}),
    ],
)
def test_the_defaults_of_an_answer_are_read_from_its_text(text: str, found: dict[str, Any]) -> None:
    assert other_defaults(text, "answer", "", reaching) == found


def test_the_default_of_a_method_is_read_too() -> None:
    class Answer:
        def forward(self, x: float, scale: float = 2.0) -> float:
            return x * scale

    text = "class Answer:\n    def forward(self, x, scale=3.0): ..."
    assert other_defaults(text, "Answer", "forward", Answer) == {"scale": (3.0, 2.0)}


def test_what_all_failed_calls_share_goes_with_a_guess_and_with_a_factor() -> None:
    def answer(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return (x[:, None] * y[None]) * (1.5 if len(x) < len(y) else 1)

    agree = agreeing(lambda x, y: x[:, None] * y[None], answer)
    x = torch.arange(1.0, 9.0, dtype=F64) ** 2
    agree(x[:5], x[:2])
    agree(x[:4], x[:3])
    found = played(agree, lambda agree: agree(x[:3], x[:5]), "first")
    played(agree, lambda agree: agree(x[:4], x[:7]), "second")
    headline = settled(agree, found).message.headline
    assert headline.endswith("It goes wrong only where `x.shape[-1]` is smaller than `y.shape[-1]`.")
