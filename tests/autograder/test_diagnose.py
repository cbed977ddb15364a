"""A mistake is named only if it explains all that was seen, and two at once are named as two."""

from __future__ import annotations

import torch

from tests.autograder.asking import F64, agreeing, refused

POSITIVE = torch.tensor([1.0, 2.0], dtype=F64)
MIXED = torch.tensor([1.0, -2.0], dtype=F64)


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


def test_a_property_that_held_counts_as_an_earlier_right_answer() -> None:
    agree = agreeing(right, lambda x: 3 * x if (x > 0).all() else x, scale_lost=scale_lost)
    agree.satisfies("it is long", lambda result: result.norm() > 4, POSITIVE)
    assert refused(lambda: agree(MIXED), "at").misconceptions == ()


KNOWN = {"sign_lost": sign_lost, "scale_lost": scale_lost, "sign_lost_and_scale_lost": both_lost}


def test_two_mistakes_at_once_are_both_named() -> None:
    agree = agreeing(right, both_lost, **KNOWN)
    assert refused(lambda: agree(MIXED), "at").misconceptions == ("sign_lost+scale_lost",)


def test_a_single_mistake_is_not_taken_for_the_pair() -> None:
    agree = agreeing(right, both_lost, **KNOWN)
    assert refused(lambda: agree(POSITIVE), "scale_lost").misconceptions == ("scale_lost",)
