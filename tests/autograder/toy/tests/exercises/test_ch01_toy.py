"""Checks of chapter 1: a function, a function that returns a pair, and a module."""

import torch

from autograder.suite import Agree, Draw, exercise

RETURNS = {"mean_and_sum": ("mean", "sum")}
FORBIDDEN = {"mean_and_sum": ("var_mean", "std_mean")}


@exercise("double", points=1, level="property")
def test_zero_stays_zero(agree: Agree, draw: Draw) -> None:
    """twice zero is zero, in the shape of x"""
    for shape in ("B T", "1 1 1"):
        agree.satisfies("every number is zero", lambda result: bool((result == 0).all()), 0 * draw(shape))


@exercise("double", points=2, level="values")
def test_every_number_is_doubled(agree: Agree, draw: Draw) -> None:
    """every number of x is doubled"""
    agree(draw("B T D"))


@exercise("double", points=1, level="edges")
def test_gradients_reach_x(agree: Agree, draw: Draw) -> None:
    """gradients flow to x"""
    agree(draw("B D"), gradients=True)


@exercise("double", points=1, level="edges")
def test_double_works_for_float32_on_any_device(agree: Agree, draw: Draw) -> None:
    """the dtype and the device are those of x"""
    agree.on_meta(draw("B D", dtype=torch.float32))


@exercise("mean_and_sum", points=1, level="property")
def test_sum_is_mean_times_size(agree: Agree, draw: Draw) -> None:
    """the sum is the mean times the size of the last axis"""
    size = draw.size("D")
    agree.satisfies("sum = D · mean", lambda r: torch.allclose(r[1], size * r[0]), draw("B D"))
    agree.satisfies("sum = mean", lambda r: torch.allclose(*r), draw("1 1 1"))


@exercise("mean_and_sum", points=2, level="values")
def test_mean_and_sum_run_over_the_last_axis(agree: Agree, draw: Draw) -> None:
    """mean and sum over the last axis, in this order"""
    agree(draw("B T D"))


@exercise("mean_and_sum", points=1, level="edges")
def test_mean_and_sum_have_gradients(agree: Agree, draw: Draw) -> None:
    """gradients flow from both results to x"""
    agree(draw("B D"), gradients=True)


@exercise("Scale", points=1, level="property")
def test_zero_features_stay_zero(agree: Agree, draw: Draw) -> None:
    """a feature that is zero stays zero"""
    x = torch.zeros_like(draw("B D"))
    agree.satisfies("every number is zero", lambda r: bool((r == 0).all()), x, build=(draw.size("D"),))


@exercise("Scale", points=2, level="values")
def test_features_are_multiplied_by_the_weight(agree: Agree, draw: Draw) -> None:
    """every feature is multiplied by its weight"""
    agree(draw("B T D"), build=(draw.size("D"),))


@exercise("Scale", points=1, level="edges")
def test_gradients_reach_x_and_the_weight(agree: Agree, draw: Draw) -> None:
    """gradients flow to x and to the weight"""
    agree(draw("B D"), build=(draw.size("D"),), gradients=True)
