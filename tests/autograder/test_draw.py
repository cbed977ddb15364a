"""Inputs: named axes, distinct sizes, the same again from the same seed."""

from __future__ import annotations

import pytest
import torch

from autograder.suite import Draw


@pytest.mark.parametrize("seed", range(20))
def test_all_sizes_of_a_check_differ_and_are_above_one(seed: int) -> None:
    draw = Draw(seed, "check")
    sizes = draw("B H Tq Tk d e").shape
    assert len(set(sizes)) == 6
    assert min(sizes) >= 2


def test_a_name_keeps_its_size_and_a_number_stands_for_itself() -> None:
    draw = Draw(1, "check")
    assert draw("B 1 T").shape == (draw.size("B"), 1, draw.size("T"))
    assert draw("B T").shape == (draw.size("B"), draw.size("T"))


def test_a_fixed_size_is_not_given_to_another_axis() -> None:
    for seed in range(20):
        draw = Draw(seed, "check")
        draw.fix(T=5)
        assert draw("B T D H").shape.count(5) == 1


def test_an_axis_has_no_name_where_its_size_is_something_else_by_chance() -> None:
    draw = Draw(1, "check")
    draw.fix(D=12)
    built, drawn = draw.size("F"), draw("B").shape[0]
    assert draw.names() == {12: "D", built: "F", drawn: "B"}
    assert draw.names(but=[12, built, drawn]) == {12: "D", built: "F"}


@pytest.mark.parametrize("seed", range(20))
def test_an_axis_given_as_a_number_is_not_mistaken_for_a_named_one(seed: int) -> None:
    draw = Draw(seed, "check")
    assert 9 not in draw("B T 9").shape[:2]
    early = Draw(seed, "check")
    first = early.size("B")
    early(f"T {first}")
    assert "B" not in early.sizes, "its size means two axes now, so neither is named"


def test_the_seed_and_the_check_decide_the_numbers() -> None:
    same = [Draw(3, "check")("B T"), Draw(3, "check")("B T")]
    assert torch.equal(*same)
    others = [Draw(4, "check")("3 3"), Draw(3, "other")("3 3")]
    assert not any(torch.equal(Draw(3, "check")("3 3"), other) for other in others)


@pytest.mark.parametrize("seed", range(20))
def test_every_row_of_a_mask_allows_something_and_the_mask_blocks_something(seed: int) -> None:
    mask = Draw(seed, "check").mask("B 1 Tq Tk")
    assert mask.dtype == torch.bool
    assert mask.any(-1).all()
    assert not mask.all()


def test_default_inputs_are_float64_and_integers_stay_in_range() -> None:
    draw = Draw(1, "check")
    assert draw("B T").dtype == torch.float64
    assert draw("B T", dtype=torch.float32).dtype == torch.float32
    drawn = draw.integers("9 9", 2, 5)
    assert (drawn.dtype, int(drawn.min()), int(drawn.max())) == (torch.int64, 2, 4)
