"""Checks of the exercise that is attacked: one of each kind that the engine knows."""

import torch

from autograder.suite import Agree, Draw, exercise

FORBIDDEN = {"soften": ("softmax", "log_softmax", "Softmax", "scaled_dot_product*", "MultiheadAttention")}


@exercise("soften", points=1, level="property")
def test_rows_sum_to_one(agree: Agree, draw: Draw) -> None:
    """every row sums to one"""
    agree.satisfies("rows sum to 1", lambda rows: torch.allclose(rows.sum(-1), torch.ones(()).double()), draw("B T"))


@exercise("soften", points=2, level="values")
def test_the_values_are_those_of_softmax(agree: Agree, draw: Draw) -> None:
    """softmax over the last axis"""
    agree(draw("B T D"))


@exercise("soften", points=1, level="edges")
def test_gradients_reach_x(agree: Agree, draw: Draw) -> None:
    """gradients flow to x"""
    agree(draw("B D"), gradients=True)
