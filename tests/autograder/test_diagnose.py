"""A mistake is named only if it explains all that was seen, and two at once are named as two."""

from __future__ import annotations

import pytest
import torch

from autograder.calls.records import Observation, Opaque
from autograder.compare.alike import alike
from autograder.core.errors import CheckFailed
from autograder.core.records import CheckResult
from tests.autograder.exercise_doubles import F64, agreeing, refused

POSITIVE = torch.tensor([1.0, 2.0], dtype=F64)
MIXED = torch.tensor([1.0, -2.0], dtype=F64)
LONG = torch.tensor([1.0, -2.0, 3.5, -4.0, 5.0, -6.5], dtype=F64)


def right(x):
    return 3 * x


def sign_lost(x):
    return 3 * x.abs()


def scale_lost(x):
    return x


def both_lost(x):
    return x.abs()


def test_a_mistake_that_contradicts_an_earlier_right_answer_is_not_named() -> None:
    def answer(x):
        return 3 * x if (x > 0).all() else x

    agree = agreeing(right, answer, scale_lost=scale_lost)
    agree(POSITIVE)
    assert refused(lambda: agree(MIXED), "at").misconceptions == ()


def test_without_that_earlier_answer_it_is_named() -> None:
    def answer(x):
        return 3 * x if (x > 0).all() else x

    agree = agreeing(right, answer, scale_lost=scale_lost)
    assert refused(lambda: agree(MIXED), "scale_lost").misconceptions == ("scale_lost",)


def test_a_mistake_that_does_not_show_on_the_earlier_call_is_named() -> None:
    agree = agreeing(right, sign_lost, sign_lost=sign_lost, scale_lost=scale_lost)
    agree(POSITIVE)
    assert refused(lambda: agree(MIXED), "sign_lost").misconceptions == ("sign_lost",)


def test_a_property_that_held_says_nothing_about_the_numbers() -> None:
    agree = agreeing(right, lambda x: 3 * x if (x > 0).all() else x, scale_lost=scale_lost)
    agree.satisfies("it is long", lambda result: result.norm() > 4, POSITIVE)
    assert refused(lambda: agree(MIXED), "at").misconceptions == ("scale_lost",)


KNOWN = {"sign_lost": sign_lost, "scale_lost": scale_lost, "sign_lost_and_scale_lost": both_lost}


def test_two_mistakes_at_once_are_both_named() -> None:
    agree = agreeing(right, both_lost, **KNOWN)
    assert refused(lambda: agree(LONG), "at").misconceptions == ("sign_lost+scale_lost",)


def test_a_single_mistake_is_not_taken_for_the_pair() -> None:
    agree = agreeing(right, both_lost, **KNOWN)
    assert refused(lambda: agree(POSITIVE), "scale_lost").misconceptions == ("scale_lost",)


def not_a_number(x):
    return 3 * x * (x / x - 1 + 1) if (x == 0).any() else 3 * x


def named(agree, check: str, x) -> CheckFailed:
    """The failure of another check of the same exercise."""
    other = agree.of(check)
    return refused(lambda: other(x), "it|at|NaN|differ")


def settled(agree, check: str, failed: CheckFailed) -> CheckResult:
    result = CheckResult(check, "", "values", 0, 1, "failed", failed.message, failed.misconceptions)
    return agree.evidence.settled(result)


def test_sizes_that_meet_in_another_order_are_the_same_mistake() -> None:
    def too_long(x):
        return x * torch.ones(x.shape[-1] + 1)

    agree = agreeing(right, lambda x: torch.ones(x.shape[-1] + 1) * x, too_long=too_long)
    assert refused(lambda: agree(MIXED), "too_long").misconceptions == ("too_long",)
    other = agreeing(right, lambda x: torch.ones(x.shape[-1] + 2) * x, too_long=too_long)
    assert refused(lambda: other(MIXED), "do not fit").misconceptions == ()


def test_a_name_that_a_later_answer_disproves_is_taken_back() -> None:
    agree = agreeing(right, lambda x: x if (x < 0).any() else 3 * x, scale_lost=scale_lost)
    first = named(agree, "first", MIXED)
    assert first.misconceptions == ("scale_lost",)
    agree(POSITIVE)
    after = settled(agree, "first", first)
    assert after.misconceptions == ()
    assert "scale_lost" not in after.message.text


def test_a_name_that_later_answers_confirm_is_kept() -> None:
    agree = agreeing(right, scale_lost, scale_lost=scale_lost)
    first = named(agree, "first", MIXED)
    named(agree, "second", POSITIVE)
    assert settled(agree, "first", first).misconceptions == ("scale_lost",)


def test_what_a_nan_suggests_is_taken_back_when_other_numbers_speak_against_it() -> None:
    agree = agreeing(right, lambda x: x / x, holes=not_a_number)
    first = named(agree, "first", torch.zeros(2, dtype=F64))
    assert first.misconceptions == ("holes",)
    named(agree, "second", MIXED)
    assert settled(agree, "first", first).misconceptions == ()


def test_what_many_numbers_say_stands_whatever_else_goes_wrong() -> None:
    long = torch.arange(1.0, 7.0, dtype=F64)
    agree = agreeing(right, lambda x: x if len(x) > 2 else -x, scale_lost=scale_lost)
    first = named(agree, "first", long)
    named(agree, "second", POSITIVE)
    assert settled(agree, "first", first).misconceptions == ("scale_lost",)


def dithered(x, size):
    return x + size * torch.rand_like(x)


def flat(x, size):
    return dithered(x, size).flatten()


def other_flat(x, size):
    return (x + size * (1 - torch.rand_like(x))).flatten()


def other_low(x, size):
    return x - 1 if size else x.flatten()


@pytest.mark.parametrize(("answer", "causes"), [(other_flat, ("flat",)), (other_low, ())])
def test_of_random_numbers_the_kind_of_fault_speaks_for_a_name_or_against_it(answer, causes) -> None:
    agree = agreeing(dithered, answer, flat=flat)
    first = refused(lambda: agree(MIXED[None], 0.0), "flat")
    assert first.misconceptions == ("flat",)
    other = agree.of("second")
    refused(
        lambda: other.satisfies("none is below x", lambda r: bool((r >= MIXED).all()), MIXED[None], 1.0), "below|shape"
    )
    assert settled(agree, "test_it", first).misconceptions == causes


def test_a_number_rounded_to_float32_does_not_speak_against_a_name() -> None:
    def rounded(x):
        return float(3 * x.float().sum()) if (x > 0).all() else float(x.sum())

    agree = agreeing(
        lambda x: float(3 * x.sum()), rounded, scale_lost=lambda x: float((3 - 2 * (x < 0).any()) * x.sum())
    )
    agree(POSITIVE / 7, tolerance=1e-4)
    assert refused(lambda: agree(MIXED), "scale_lost").misconceptions == ("scale_lost",)


def test_a_mistake_is_known_by_what_rounding_left_of_it() -> None:
    agree = agreeing(right, lambda x: (x.float() / 7 * 7).double(), scale_lost=scale_lost)
    assert refused(lambda: agree(MIXED.repeat(3) / 3), "scale_lost").misconceptions == ("scale_lost",)


def test_a_mistake_that_is_off_by_rounding_alone_is_not_taken_for_another() -> None:
    agree = agreeing(right, lambda x: 3 * x + 2e-5, a_little=lambda x: 3 * x + 1e-5)
    assert refused(lambda: agree(MIXED), "at").misconceptions == ()


def test_gradients_may_be_rounded_too_where_a_mistake_is_known_by_more() -> None:
    def answer(x):
        return (x.float() * 0.3 / 0.3).double()

    agree = agreeing(right, answer, scale_lost=scale_lost)
    failed = refused(lambda: agree(MIXED / 3, gradients=True), "scale_lost")
    assert failed.misconceptions == ("scale_lost",)


def test_of_a_relation_every_answer_speaks_for_a_name_or_against_it() -> None:
    says, twice = "twice the input, twice the answer", lambda a, b: torch.allclose(2 * a, b)
    agree = agreeing(right, lambda x: x if x[0] == 1 else 7 * x, scale_lost=scale_lost)
    failed = refused(lambda: agree.relates(says, twice, (POSITIVE,), (2 * POSITIVE,)), "should be true, but is not")
    assert failed.misconceptions == ()
    known = agreeing(right, lambda x: x + 1, shifted=lambda x: x + 1)
    failed = refused(lambda: known.relates(says, twice, (POSITIVE,), (2 * POSITIVE,)), "shifted")
    assert failed.misconceptions == ("shifted",)


def test_of_two_mistakes_that_raise_the_one_with_the_same_error_comes_first() -> None:
    def one_more(x):
        raise IndexError(f"{len(x)} of {min(len(x), 3)}")

    def all_of_it(x):
        raise IndexError(f"{len(x)} of {len(x)}")

    agree = agreeing(right, one_more, all_of_it=all_of_it, one_more=one_more)
    first = named(agree, "first", POSITIVE)
    assert first.misconceptions == ("all_of_it", "one_more")
    named(agree, "second", torch.ones(5, dtype=F64))
    assert settled(agree, "first", first).misconceptions == ("one_more", "all_of_it")


@pytest.mark.filterwarnings("error")
def test_complex_numbers_are_numbers_to_know_a_mistake_by() -> None:
    def unreal(x):
        return torch.complex(x, x)

    agree = agreeing(right, unreal, unreal=unreal)
    failed = refused(lambda: agree(torch.arange(1.0, 5.0, dtype=F64)), "unreal")
    assert failed.misconceptions == ("unreal",)
    (failure,) = agree.evidence.failures.values()
    assert failure.telling


def test_a_known_mistake_that_gives_no_data_explains_no_other_answer() -> None:
    generator = Observation(Opaque("generator"))
    assert not alike(generator, Observation(torch.ones(3)))
    assert alike(generator, generator)


def test_a_pair_taken_for_its_values_is_told_in_plain_words() -> None:
    agree = agreeing(lambda x: x - x.amax(-1, keepdim=True), lambda x: x - x.max(-1, keepdim=True))
    said = refused(lambda: agree(MIXED), "pair").message.text
    assert "take its `.values`" in said
    assert said.startswith("it takes the pair that `max`")


def test_numbers_for_a_mask_are_told_to_become_booleans() -> None:
    agree = agreeing(lambda x: x > 0, lambda x: (x > 0).to(F64))
    assert "dtype=torch.bool" in refused(lambda: agree(MIXED), "float64 instead of bool").message.text
